/** `crf-service/logic`: builds filters in REDCap's logic, for browsers, Node.js and other runtimes. */
export { FieldLogic, Logic, where, type LogicLiteral } from './logic/builder.js';
export { InvalidRequestError } from './errors/caller-errors.js';
export type { FieldProblem } from './errors/field-problem.js';

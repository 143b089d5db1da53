/** `crf-service/logic`: builds filters in REDCap's logic, for browsers, Node.js and other runtimes. */
export { FieldLogic, Logic, where, type LogicLiteral } from './domain/logic/builder.js';
export { InvalidRequestError } from './domain/errors/caller-errors.js';
export type { FieldProblem } from './domain/errors/field-problem.js';

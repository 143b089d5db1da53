import { CrfError, type CrfErrorOptions } from './crf-error.js';
import type { FieldProblem } from './field-problem.js';

/** One or more parameters or properties are not valid. `errors` names each with its rule. */
export class InvalidRequestError extends CrfError {
  readonly code = 'invalid_request';

  constructor(errors: readonly FieldProblem[], options: CrfErrorOptions = {}) {
    super(sentenceOf(errors), { ...options, errors });
  }
}

function sentenceOf(errors: readonly FieldProblem[]): string {
  const [first, ...others] = errors;
  if (first === undefined) return 'The request is not valid.';
  return others.length === 0
    ? `${first.field} ${first.message}.`
    : `${errors.length} things are not valid; the first: ${first.field} ${first.message}.`;
}

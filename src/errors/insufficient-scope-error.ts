import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** The caller is known, and lacks a scope this route asks for. */
export class InsufficientScopeError extends CrfError {
  readonly code = 'insufficient_scope';

  constructor(
    readonly scopes: readonly string[],
    options: CrfErrorOptions = {},
  ) {
    super(
      `This route needs the scope ${scopes.join(' and ')}. Ask the operator for a credential that has it.`,
      options,
    );
  }
}

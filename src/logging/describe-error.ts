import { CrfError } from '../errors/crf-error.js';

/** What the log says of an error. */
export interface ErrorDescription {
  readonly type: string;
  readonly code?: string;
  /** The sentence of one of our own errors; those of others may hold values, and are left out (ERR-02). */
  readonly message?: string;
  /** Where it was thrown: without the first lines, which repeat the message. */
  readonly stack?: string;
  readonly cause?: ErrorDescription;
}

/** @returns what may be written of an error: class, code, place, and the sentence when it is ours */
export function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code } = error as { readonly code?: unknown };
  return {
    type: error.name,
    ...(typeof code === 'string' && { code }),
    ...(error instanceof CrfError && { message: error.message }),
    ...framesOf(error),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}

function framesOf({ stack }: Error): { stack?: string } {
  const frames = stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  return frames.length > 0 ? { stack: frames.join('\n') } : {};
}

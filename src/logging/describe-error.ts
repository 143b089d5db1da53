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

/** How far causes are followed: an error may be its own cause. */
const MAX_CAUSES = 5;

/** @returns what may be written of an error: class, code, place, and the sentence when it is ours */
export function describeError(error: unknown, causes = MAX_CAUSES): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code } = error as { readonly code?: unknown };
  return {
    type: error.name,
    ...(typeof code === 'string' && { code }),
    ...(error instanceof CrfError && { message: error.message }),
    ...framesOf(error),
    ...(error.cause !== undefined && causes > 0 && { cause: describeError(error.cause, causes - 1) }),
  };
}

/** The frames alone. The message stands before them, and may have lines that look like frames. */
function framesOf({ stack = '', message }: Error): { stack?: string } {
  const messageAt = message === '' ? -1 : stack.indexOf(message);
  const rest = messageAt === -1 ? stack : stack.slice(messageAt + message.length);
  const frames = rest.split('\n').filter((line) => FRAME.test(line));
  return frames.length > 0 ? { stack: frames.join('\n') } : {};
}

/** `at name (file:1:2)`, `at file:1:2`, `at name (<anonymous>)` */
const FRAME = /^ {4}at [^\n]*(?::\d+:\d+\)?|\(<anonymous>\)|\(native\))$/;

import { CrfError } from '../../domain/errors/crf-error.js';

/** The parts of an error that are logged. */
export interface ErrorDescription {
  readonly type: string;
  readonly code?: string;
  /** The message of our own errors. Those of others can contain values and are left out (ERR-02). */
  readonly message?: string;
  /** The stack frames, without the first lines, which repeat the message. */
  readonly stack?: string;
  readonly cause?: ErrorDescription;
}

/** The maximum depth of causes, since an error can be its own cause. */
const MAX_CAUSES = 5;

/** @returns the parts of an error that may be written: class, code, stack frames, and the message if it is ours */
export function describeError(error: unknown, causes = MAX_CAUSES): ErrorDescription {
  const { code } = Object(error) as { readonly code?: unknown };
  if (!(error instanceof Error)) return { type: typeof error, ...(isCode(code) && { code }) };
  return {
    type: error.name,
    ...(typeof code === 'string' && { code }),
    ...(error instanceof CrfError && { message: error.message }),
    ...framesOf(error),
    ...(error.cause !== undefined && causes > 0 && { cause: describeError(error.cause, causes - 1) }),
  };
}

/** A code of Node. Other texts could be values. */
function isCode(code: unknown): code is string {
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,63}$/.test(code);
}

/** Returns only the frames. The message precedes them, and can have lines that look like frames. */
function framesOf({ stack = '', message }: Error): { stack?: string } {
  const messageAt = message === '' ? -1 : stack.indexOf(message);
  const rest = messageAt === -1 ? stack : stack.slice(messageAt + message.length);
  const frames = rest.split('\n').filter((line) => FRAME.test(line));
  return frames.length > 0 ? { stack: frames.join('\n') } : {};
}

/** `at name (file:1:2)`, `at file:1:2`, `at name (<anonymous>)` */
const FRAME = /^ {4}at [^\n]*(?::\d+:\d+\)?|\(<anonymous>\)|\(native\))$/;

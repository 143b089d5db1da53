import { CrfError } from './crf-error.js';

/**
 * Makes a call of the public interface. If it fails with an error of this package, the stack of that error begins at the
 * line that called `entry`. Otherwise it would show files of this package, and often end before that line.
 *
 * @param entry the function of the public interface; its frame and those above it are left out
 * @param call may return a promise, or something to iterate over
 */
export function fromCaller<Answer>(entry: (...given: never[]) => unknown, call: () => Answer): Answer {
  const caller: { stack?: string } = {};
  // Formatted only if it is read.
  Error.captureStackTrace?.(caller, entry);
  // With two callers of one shared call, the error has the stack of the second.
  const relocate = (error: unknown): void => {
    if (!(error instanceof CrfError) || caller.stack === undefined) return;
    const framesAt = caller.stack.indexOf('\n    at ');
    error.stack = `${error.name}: ${error.message}${framesAt === -1 ? '' : caller.stack.slice(framesAt)}`;
  };
  try {
    const answer = call();
    if (answer instanceof Promise) answer.catch(relocate);
    else if (isIterator(answer)) relocateNext(answer, relocate);
    return answer;
  } catch (error) {
    relocate(error);
    throw error;
  }
}

function isIterator(answer: unknown): answer is AsyncIterator<unknown> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer && 'next' in answer;
}

/** Listens to the promises instead of replacing them, which would delay every row. */
function relocateNext(iterator: AsyncIterator<unknown>, relocate: (error: unknown) => void): void {
  const next = iterator.next.bind(iterator);
  iterator.next = (...given) => {
    const row = next(...given);
    row.catch(relocate);
    return row;
  };
}

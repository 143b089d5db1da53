/**
 * Calls a function of the host application whose failure must not become ours, such as a listener.
 *
 * @returns its result; `undefined` if it threw. A promise that it returns may reject without consequences
 */
export function ignoringErrors<Result>(work: () => Result): Result | undefined {
  try {
    const result = work();
    Promise.resolve(result).catch(() => undefined);
    return result;
  } catch {
    return undefined;
  }
}

/** Returns the error that a promise rejects with. Throws if it resolves. */
export async function rejection(promise: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(outcome instanceof Error)) throw new Error('Expected a rejection with an Error.');
  return outcome as Error & Record<string, unknown>;
}

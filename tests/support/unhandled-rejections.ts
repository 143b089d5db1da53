/*
 * Fails the running test on a rejection that nobody handles. Mocha alone passes it over, while in a process of its own
 * Node would end the process.
 */
process.on('unhandledRejection', (reason) => {
  throw reason instanceof Error ? reason : new Error('Something other than an error was rejected.');
});

/*
 * undici 6, which the SDK of Appwrite brings, throws if a timer of an idle connection outlives its parser. In a process
 * of hundreds of test files that happens now and then, to whichever test runs. undici 7 passes such a timer over, too.
 */
const { setTimeout: start } = globalThis;
globalThis.setTimeout = Object.assign(
  (callback: (...given: unknown[]) => void, delay?: number, ...given: unknown[]) => {
    const [parser] = given;
    const isOfParser = callback.name === 'onParserTimeout' && parser instanceof WeakRef;
    const call = isOfParser ? () => void (parser.deref() && callback(parser)) : callback;
    return start(call, delay, ...given);
  },
  start,
);

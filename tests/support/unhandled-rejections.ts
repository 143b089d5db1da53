/*
 * Fails the running test on a rejection that nobody handles. Mocha alone passes it over, while in a process of its own
 * Node would end the process.
 */
process.on('unhandledRejection', (reason) => {
  throw reason instanceof Error ? reason : new Error('Something other than an error was rejected.');
});

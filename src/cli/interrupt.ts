/** Returns a signal that Ctrl-C or SIGTERM aborts. A second one ends the process immediately. */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  return controller.signal;
}

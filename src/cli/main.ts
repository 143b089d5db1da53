import { hideBin } from 'yargs/helpers';
import { collectStreamBuffers } from '../domain/bytes/stream-buffers.js';
import { CliError, EXIT_CODES } from './cli-error.js';
import { reportFailure, run } from './run.js';

const { stdout, stderr } = process;

// It is not an error if the reader closes the pipe early, as in `crf export | head`.
stdout.on('error', (cause: NodeJS.ErrnoException) => {
  if (cause.code === 'EPIPE') process.exit(process.exitCode ?? EXIT_CODES.ok);
  const error = new CliError(`The output could not be written (${cause.code}).`, EXIT_CODES.failed, {
    cause,
  });
  void reportFailure(error, { stderr }).then((code) => process.exit(code));
});

collectStreamBuffers();
let interrupted: AbortSignal | undefined;
void run(hideBin(process.argv), {
  stdout,
  stderr,
  stdin: () => process.stdin,
  env: undefined,
  interrupt: () => (interrupted ??= interruptSignal()),
}).then((exitCode) => {
  process.exitCode = exitCode;
  // Do not wait for what an interrupted command started, such as reading from a terminal.
  if (exitCode === EXIT_CODES.interrupted) process.exit();
});

/** Returns a signal that Ctrl-C or SIGTERM aborts. A second one ends the process immediately. */
function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(EXIT_CODES.interrupted);
    controller.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return controller.signal;
}

import { hideBin } from 'yargs/helpers';
import { collectStreamBuffers } from '../domain/bytes/stream-buffers.js';
import { CliError } from './cli-error.js';
import { createParser } from './create-parser.js';
import { EXIT_CODES, type ExitCode } from './exit-codes.js';
import { guardTerminal } from './printing/guard-terminal.js';
import { terminalWidth } from './printing/terminal-width.js';

guardTerminal(process.stdout);
guardTerminal(process.stderr, true);

// It is not an error if the reader closes the pipe early, as in `crf export | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT_CODES.ok);
  const message = `The output could not be written (${error.code}).`;
  void report(new CliError(message, EXIT_CODES.failed, { cause: error })).then((code) => process.exit(code));
});

collectStreamBuffers();
void main();

async function main(): Promise<void> {
  try {
    const width = Math.min(100, terminalWidth(process.stdout) ?? 100);
    await createParser(hideBin(process.argv), width).parseAsync();
  } catch (error) {
    process.exitCode = await report(error);
  }
  // Do not wait for what an interrupted command started, such as reading from a terminal.
  if (process.exitCode === EXIT_CODES.interrupted) process.exit();
}

/** Loads what describes errors only if there is one, to keep `crf --help` fast. @returns the exit code */
async function report(error: unknown): Promise<ExitCode> {
  return (await import('./report-failure.js')).reportFailure(error);
}

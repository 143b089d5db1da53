import { EXIT_CODES, type ExitCode } from './cli-error.js';
import { COMMANDS, grouped, type ListedCommand } from './commands.js';
import { createParser } from './create-parser.js';
import type { Typed } from './describe-failure.js';
import type { Io } from './io.js';
import { guardTerminal } from './printing/guard-terminal.js';
import { terminalWidth } from './printing/table.js';

/**
 * Runs a command line. What goes wrong is written to standard error.
 *
 * @param args what follows `crf`
 * @param commands what it offers, for a tool of this repository that has a command of its own
 */
export async function run(
  args: readonly string[],
  { env, ...streams }: Omit<Io, 'args'>,
  commands: readonly ListedCommand[] = COMMANDS,
): Promise<ExitCode> {
  const io: Io = { ...streams, args, env: env && { ...env } };
  guardTerminal(io.stdout);
  guardTerminal(io.stderr, true);
  let exitCode: ExitCode = EXIT_CODES.ok;
  let printed = '';
  let given: object | undefined;
  try {
    const width = Math.min(100, terminalWidth(io.stdout) ?? 100);
    const parser = await createParser(
      args,
      async (command, values) => {
        given = values;
        exitCode = await command.run(values, io);
      },
      width,
      commands,
    );
    await parser.parseAsync([...args], {}, (_error, _values, help) => void (printed = help));
    if (printed !== '') io.stdout.write(`${grouped(printed)}\n`);
    return exitCode;
  } catch (error) {
    return reportFailure(error, io, { args, ...(given && { values: { ...given } }) });
  }
}

/** Loads what describes errors only if there is one, to keep `crf --help` fast. @returns the exit code */
export async function reportFailure(
  error: unknown,
  { stderr }: Pick<Io, 'stderr'>,
  typed?: Typed,
): Promise<ExitCode> {
  const { describeFailure, exitCodeOf } = await import('./describe-failure.js');
  stderr.write(`${describeFailure(error, typed)}\n`);
  return exitCodeOf(error);
}

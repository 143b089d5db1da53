import { once } from 'node:events';
import { CliError, EXIT_CODES } from '../cli-error.js';
import type { Input, Io, Output } from '../io.js';

/**
 * Asks for confirmation on the terminal before an irreversible change.
 *
 * @param question what will be done, without a question mark: `Delete the file of record 5`
 * @param isAgreed whether `--yes` was given, which skips the question
 * @throws {CliError} there is no terminal, the answer is not yes, or Ctrl-C or Ctrl-D was pressed
 */
export async function confirm(
  question: string,
  isAgreed: boolean,
  { stdin, stderr: output }: Pick<Io, 'stdin' | 'stderr'>,
): Promise<void> {
  if (isAgreed) return;
  const input = stdin();
  if (!input.isTTY || !output.isTTY) {
    throw new CliError(`${question}? Confirm with --yes: there is no terminal to ask on.`, EXIT_CODES.usage);
  }
  const answer = await ask(`${question}? [y/N] `, { input, output });
  if (answer === INTERRUPTED) throw new CliError('\nInterrupted. Nothing was done.', EXIT_CODES.interrupted);
  if (answer === ENDED) throw new CliError('\nNothing was done.');
  if (!/^y(es)?$/i.test(answer.trim())) throw new CliError('Nothing was done.');
}

/** Ctrl-C was pressed. A symbol, because an answer may be any text. */
const INTERRUPTED = Symbol('interrupted');
/** Ctrl-D was pressed. */
const ENDED = Symbol('ended');

async function ask(
  prompt: string,
  terminal: { input: Input; output: Output },
): Promise<string | typeof INTERRUPTED | typeof ENDED> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface(terminal);
  let end: typeof INTERRUPTED | typeof ENDED = ENDED;
  const closed = once(lines, 'close').then(() => end);
  lines.once('SIGINT', () => {
    end = INTERRUPTED;
    lines.close();
  });
  try {
    // Versions of Node differ in whether the question is rejected when its input ends.
    return await Promise.race([lines.question(prompt), closed]);
  } catch {
    lines.close();
    return await closed;
  } finally {
    lines.close();
  }
}

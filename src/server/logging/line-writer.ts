import { pino, type Logger } from 'pino';

/** The stream behind pino, which buffers lines. */
interface BufferedStream {
  write(text: string): boolean;
  flush?(done: (error?: NodeJS.ErrnoException | null) => void): void;
  on?(event: 'drop', listener: () => void): void;
}

/** A pipe or a terminal cannot be synchronised. */
const NOTHING_TO_SYNC: ReadonlySet<string | undefined> = new Set(['EINVAL', 'ENOTSUP', 'EROFS']);

/**
 * Writes whole lines into the output of a logger, regardless of its level. They go through the same buffer, so that
 * lines are never interleaved.
 *
 * @returns a function that writes lines; it resolves when they have left the process and rejects if they were dropped,
 *   for example because the output is not read
 */
export function lineWriterOf(logger: Logger): (lines: string) => Promise<void> {
  const stream = (logger as unknown as Record<symbol, BufferedStream>)[pino.symbols.streamSym];
  if (stream === undefined) throw new TypeError('The logger has no stream.');
  let drops = 0;
  stream.on?.('drop', () => (drops += 1));

  return (lines) =>
    new Promise((resolve, reject) => {
      const dropsBefore = drops;
      stream.write(lines);
      if (drops > dropsBefore) return reject(new Error('Nobody reads the log.'));
      if (stream.flush === undefined) return resolve();
      stream.flush((error) => {
        if (error && !NOTHING_TO_SYNC.has(error.code)) reject(error);
        else resolve();
      });
    });
}

/**
 * Returns a function that writes lines to standard output immediately, beside lines for people. It rejects if they could
 * not be written. Without a listener for errors, a reader that goes away would end the process.
 */
export function stdoutWriter(): (lines: string) => Promise<void> {
  process.stdout.on('error', () => undefined);
  return (lines) =>
    new Promise((resolve, reject) => {
      process.stdout.write(lines, (error) => (error ? reject(error) : resolve()));
    });
}

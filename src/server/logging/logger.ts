import { pino, type DestinationStream, type Logger } from 'pino';
import { describeError } from './describe-error.js';

export interface LoggerOptions {
  readonly level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  /** Whether to write coloured lines for people instead of JSON. */
  readonly isPretty?: boolean;
  /** Standard output by default. */
  readonly destination?: DestinationStream;
}

/**
 * Creates the logger of a process: one JSON object per line, or lines for people. Errors are written by an allow-list,
 * because messages that are not ours can contain anything.
 */
export async function createLogger({ level, isPretty = false, destination }: LoggerOptions): Promise<Logger> {
  const stream = destination ?? (isPretty ? await prettyStream() : pino.destination(BUFFERED));
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    stream,
  );
}

/**
 * Lines are buffered up to a few pages and written after at most 0.2 seconds, because writing each line separately
 * would cost more than the request that it reports. `flush` empties the buffer when the process ends. While the output
 * is not read, lines beyond 16 MB are dropped: a log must neither fill the memory nor block the service.
 */
const BUFFERED = { fd: 1, sync: false, minLength: 16_000, maxLength: 16 * 1024 * 1024, periodicFlush: 200 };

/** Imported on demand, because a server that writes JSON does not need it. */
async function prettyStream(): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty');
  return pretty({
    sync: true,
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
    ignore: IN_THE_MESSAGE.join(','),
    messageFormat: (line, messageKey) => requestLine(line) ?? String(line[messageKey]),
    colorize: process.stdout.hasColors?.() ?? false,
  });
}

/** Properties that are already in the line of a request, or not useful to people. */
const IN_THE_MESSAGE = [
  'requestId',
  'traceId',
  'method',
  'route',
  'status',
  'durationMs',
  'bytes',
  'caller',
  'aborted',
];

/**
 * @returns a request as one line: `GET /api/v1/records 200 12.3 ms 4096 bytes key:portal`; undefined for other lines
 */
export function requestLine(line: Readonly<Record<string, unknown>>): string | undefined {
  if (line.msg !== 'request') return undefined;
  const { method, route, status = '-', durationMs, bytes, caller = '', aborted } = line;
  const end = aborted === true ? ' aborted' : '';
  return (
    `${String(method)} ${String(route)} ${String(status)} ${String(durationMs)} ms ${String(bytes)} bytes ${String(caller)}`.trimEnd() +
    end
  );
}

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

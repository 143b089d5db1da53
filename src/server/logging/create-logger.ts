import { pino, type DestinationStream, type Logger } from 'pino';
import { describeError } from './describe-error.js';
import { IN_THE_MESSAGE, requestLine } from './request-line.js';

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
      timestamp: isoTime(),
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
const BUFFERED = {
  fd: 1,
  sync: false,
  minLength: 16_000,
  maxLength: 16 * 1024 * 1024,
  periodicFlush: 200,
};

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

/** Formats the time as ISO 8601, at most once per millisecond. */
function isoTime(): () => string {
  let at = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== at) text = `,"time":"${new Date((at = now)).toISOString()}"`;
    return text;
  };
}

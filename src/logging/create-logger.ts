import { pino, type DestinationStream, type Logger } from 'pino';
import { describeError } from './describe-error.js';
import { IN_THE_MESSAGE, requestLine } from './request-line.js';

export interface LoggerOptions {
  readonly level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  /** Coloured lines for a person, or JSON for a machine. */
  readonly isPretty?: boolean;
  /** Standard output by default. */
  readonly destination?: DestinationStream;
}

/**
 * Makes the logger of a process: one JSON object a line, or lines for a person. Errors are written by an allow-list: a
 * message that is not ours may hold anything.
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
 * Lines are gathered to a few pages before they are written, and written after a fifth of a second at the latest: a write
 * for each of them would cost more than the request that it reports. `flush` empties the buffer when the process ends.
 * While nobody reads them, lines beyond 16 MB are dropped: a log must not fill the memory, nor hold up the service.
 */
const BUFFERED = {
  fd: 1,
  sync: false,
  minLength: 16_000,
  maxLength: 16 * 1024 * 1024,
  periodicFlush: 200,
};

/** Imported when it is needed: a server that writes JSON has no use for it. */
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

/** ISO 8601, written once a millisecond. */
function isoTime(): () => string {
  let at = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== at) text = `,"time":"${new Date((at = now)).toISOString()}"`;
    return text;
  };
}

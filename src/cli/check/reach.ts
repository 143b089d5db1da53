import { lookup } from 'node:dns/promises';
import { connect, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { describeNetworkFailure } from '../../domain/errors/network-failure.js';
import { CliError, EXIT_CODES } from '../cli-error.js';

/**
 * Tries everything that precedes a request to REDCap: name lookup, connection and certificate. Sends no request.
 *
 * @returns what it found
 * @throws {CliError} naming the failed step and its error code, but not the address
 */
export async function reach(url: URL, timeoutMs: number): Promise<string> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isSecure = url.protocol === 'https:';
  const deadline = AbortSignal.timeout(timeoutMs);
  await resolve(host, deadline);
  await open({ host, port: Number(url.port) || (isSecure ? 443 : 80) }, isSecure, deadline);
  return isSecure ? 'connected, the certificate is valid' : 'connected';
}

async function resolve(host: string, deadline: AbortSignal): Promise<void> {
  await Promise.race([
    lookup(host).catch((error: unknown) => {
      throw failedBy(error);
    }),
    overdue(deadline, 'The name of the host was not found in time'),
  ]);
}

async function open(
  target: { readonly host: string; readonly port: number },
  isSecure: boolean,
  deadline: AbortSignal,
): Promise<void> {
  // TLS does not accept an IP address as the server name.
  const socket = isSecure
    ? connectTls({ ...target, ...(isIP(target.host) === 0 && { servername: target.host }) })
    : connect(target);
  const settled = new Promise<void>((done, fail) => {
    socket.once(isSecure ? 'secureConnect' : 'connect', () => done());
    socket.once('error', (error) => fail(failedBy(error)));
  });
  try {
    await Promise.race([settled, overdue(deadline, 'No connection in time')]);
  } finally {
    socket.destroy();
  }
}

function overdue(deadline: AbortSignal, sentence: string): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = (): void => reject(failed(sentence));
    if (deadline.aborted) fail();
    else deadline.addEventListener('abort', fail, { once: true });
  });
}

function failed(sentence: string): CliError {
  return new CliError(`${sentence}.`, EXIT_CODES.unreachable);
}

function failedBy(error: unknown): CliError {
  const { code = 'UNKNOWN' } = error as NodeJS.ErrnoException;
  const sentence = describeNetworkFailure(code);
  return failed(sentence.charAt(0).toUpperCase() + sentence.slice(1));
}

import { once } from 'node:events';
import type { Server } from 'node:net';
import { ConfigurationError } from '../domain/errors/operator-errors.js';

/** The settings that an error names. */
export interface ListenSettings {
  readonly port: string;
  readonly host: string;
}

/**
 * Starts listening.
 *
 * @param settings the names of the settings that hold the port and the address
 * @throws {ConfigurationError} the port or the address is unavailable; names the setting to change
 */
export async function listen(
  server: Server,
  port: number,
  host: string,
  settings: ListenSettings = { port: 'PORT', host: 'HOST' },
): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    const problem = PROBLEMS.get((cause as NodeJS.ErrnoException).code ?? '');
    if (problem === undefined) throw cause;
    throw new ConfigurationError([{ field: settings[problem.of], message: problem.message }], { cause });
  }
}

const PROBLEMS: ReadonlyMap<string, { readonly of: keyof ListenSettings; readonly message: string }> =
  new Map([
    ['EADDRINUSE', { of: 'port', message: 'is taken by another process: stop it, or choose another port' }],
    ['EACCES', { of: 'port', message: 'may not be used by this user: choose one above 1023' }],
    ['EADDRNOTAVAIL', { of: 'host', message: 'is not an address of this machine' }],
    ['ENOTFOUND', { of: 'host', message: 'is not a host name of this machine' }],
  ]);

import { once } from 'node:events';
import type { Server } from 'node:net';
import { ConfigurationError } from '../errors/operator-errors.js';
import type { FieldProblem } from '../errors/field-problem.js';

/**
 * Starts listening.
 *
 * @throws {ConfigurationError} the port or the address is unavailable; names the setting to change
 */
export async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    const problem = PROBLEMS.get((cause as NodeJS.ErrnoException).code ?? '');
    throw problem === undefined ? cause : new ConfigurationError([problem], { cause });
  }
}

const PROBLEMS: ReadonlyMap<string, FieldProblem> = new Map([
  ['EADDRINUSE', { field: 'PORT', message: 'is taken by another process: stop it, or choose another port' }],
  ['EACCES', { field: 'PORT', message: 'may not be used by this user: choose one above 1023' }],
  ['EADDRNOTAVAIL', { field: 'HOST', message: 'is not an address of this machine' }],
  ['ENOTFOUND', { field: 'HOST', message: 'is not a host name of this machine' }],
]);

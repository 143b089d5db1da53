import type { IncomingMessage } from 'node:http';
import { isLoopbackHost } from '../../../identifiers/api-url.js';

const PORT = /:\d+$/;

/** Why a request is not answered, or undefined when it is. */
export type Foreign = 'host' | 'page' | undefined;

/**
 * The token of the sandbox is public, and what it holds may be a study's own data. Programs of this machine may use it; a
 * page in this machine's browser may not, neither under a name that was made to resolve to loopback (DNS rebinding), nor
 * by a form or a script that sends to it from another origin. No program sends the two headers that tell.
 */
export function foreignTo({ headers }: IncomingMessage): Foreign {
  const { host = '', origin } = headers;
  if (!isLoopbackHost(host.replace(PORT, '').toLowerCase())) return 'host';
  const site = headers['sec-fetch-site'];
  const isOtherSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  const isOtherOrigin = origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`;
  return isOtherSite || isOtherOrigin ? 'page' : undefined;
}

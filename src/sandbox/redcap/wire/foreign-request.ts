import type { IncomingMessage } from 'node:http';
import { isLoopbackHost } from '../../../domain/identifiers/api-url.js';

const PORT = /:\d+$/;

/** The reason why a request is refused; undefined if it is accepted. */
export type Foreign = 'host' | 'page' | undefined;

/**
 * Refuses requests of web pages. The sandbox's token is public, while its data may be real. Programs on this machine
 * may use it. Pages in this machine's browser may not, whether through a host name that resolves to a loopback address
 * (DNS rebinding) or through a form or script from another origin. Browsers reveal the latter by two headers, which
 * other programs do not send.
 */
export function foreignTo({ headers }: IncomingMessage): Foreign {
  const { host = '', origin } = headers;
  if (!isLoopbackHost(host.replace(PORT, '').toLowerCase())) return 'host';
  const site = headers['sec-fetch-site'];
  const isOtherSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  const isOtherOrigin = origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`;
  return isOtherSite || isOtherOrigin ? 'page' : undefined;
}

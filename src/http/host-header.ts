import type { IncomingMessage } from 'node:http';

/** `uri-host [":" port]` (RFC 9110, 7.2): a name, or an address of IPv6 in brackets. */
const HOST = /^(?:\[[0-9a-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})*)(?::\d*)?$/i;

/**
 * Returns what is wrong with the host of a request, as a sentence; undefined if nothing is. An HTTP/1.1 request has a
 * `Host` header, and none has several (RFC 9112, 3.2): Node uses the first, and a proxy may use another.
 */
export function hostProblem(request: IncomingMessage): string | undefined {
  const { host } = request.headers;
  if (host === undefined)
    return request.httpVersion === '1.1' ? 'The request has no Host header.' : undefined;
  // In the raw headers, names and values alternate; `headersDistinct` would copy all of them.
  const hosts = request.rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name));
  if (hosts.length > 1) return 'The request has several Host headers.';
  return HOST.test(host) ? undefined : 'The Host header must be the name of a host, or its name and port.';
}

/**
 * Gives a request for a whole URL the form of the others: its path, with the host of the URL in place of that of its
 * `Host` header (RFC 9112, 3.2.2). A request without a `Host` header stays without.
 */
export function toOriginForm(request: IncomingMessage): void {
  const [, host, path = ''] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(request.url ?? '') ?? [];
  if (host === undefined) return;
  request.url = path.startsWith('/') ? path : `/${path}`;
  if (request.headers.host !== undefined) request.headers.host = host;
}

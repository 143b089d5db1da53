import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLoopbackHost } from '../../domain/identifiers/api-url.js';
import { sendBody } from '../../wire/send.js';
import { NO_MODULE_PAGE, writeFailure } from '../../wire/write-answer.js';

/**
 * Answers a request that is no call of the API, as the web server or REDCap's pages do.
 *
 * @param fault of all answers, if set
 * @returns whether it was answered
 * @see docs/protocol/redcap.md 1.1 (client)
 */
export async function sendOther(
  request: IncomingMessage,
  response: ServerResponse,
  fault: SandboxFault | undefined,
): Promise<boolean> {
  const foreign = foreignTo(request);
  const [path, query] = (request.url ?? '/').split('?');
  if (foreign !== undefined) {
    // REDCap has no such answer: its tokens are secret, while the sandbox's is public.
    response.setHeader('connection', 'close');
    sendText(response, ...FOREIGN[foreign], 'text/plain; charset=utf-8');
  } else if (path === '/api') {
    // A client that follows with GET loses its body.
    const location = `http://${request.headers.host ?? ''}/api/`;
    response.writeHead(301, { location, 'content-length': 0 }).end();
  } else if (path !== '/api/') sendText(response, 404, NOT_FOUND_PAGE);
  else if (fault !== undefined) sendText(response, 200, PAGES[fault], 'text/html; charset=UTF-8');
  else if (new URLSearchParams(query).get('type') === 'module') sendText(response, 200, NO_MODULE_PAGE);
  else if (request.method === 'POST') return false;
  else {
    // XML whatever the format, since REDCap has not read the parameters then.
    const body = writeFailure('The requested method is not implemented.', 'xml');
    await sendBody(request, response, { status: 501, body, format: 'xml' });
  }
  return true;
}

const FOREIGN: Readonly<Record<'host' | 'page', readonly [status: number, text: string]>> = {
  host: [421, 'The sandbox answers for localhost and loopback addresses alone.'],
  page: [403, 'The sandbox answers programs of this machine, and no page of another site.'],
};

/** Sends what is in no format of the API. */
function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  type = 'text/html; charset=utf-8',
): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text);
}

const NOT_FOUND_PAGE =
  '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n<title>404 Not Found</title>\n</head><body>\n<h1>Not Found</h1>\n<p>The requested URL was not found on this server.</p>\n</body></html>\n';

/** What a REDCap can answer to every call in place of its result: that it is offline, or that the address is banned. */
export const SANDBOX_FAULTS = ['offline', 'banned'] as const;

export type SandboxFault = (typeof SANDBOX_FAULTS)[number];

/** The sentences. @see docs/protocol/redcap.md 1.10 (doc, client); the rest of the pages is ours, 18 (choice) */
const PAGES: Readonly<Record<SandboxFault, string>> = {
  offline:
    '<!DOCTYPE html>\n<html><head><title>REDCap</title></head><body><p>REDCap is currently offline. Please return at another time. We apologize for any inconvenience.</p></body></html>\n',
  banned: 'Your IP address (127.0.0.1) has been banned due to suspected abuse.',
};

const PORT = /:\d+$/;

/**
 * Refuses requests of web pages. The sandbox's token is public, while its data may be real. Programs on this machine
 * may use it. Pages in this machine's browser may not, whether through a host name that resolves to a loopback address
 * (DNS rebinding) or through a form or script from another origin. Browsers reveal the latter by two headers, which
 * other programs do not send.
 */
function foreignTo({ headers }: IncomingMessage): keyof typeof FOREIGN | undefined {
  const { host = '', origin } = headers;
  if (!isLoopbackHost(host.replace(PORT, '').toLowerCase())) return 'host';
  const site = headers['sec-fetch-site'];
  const isOtherSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  const isOtherOrigin = origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`;
  return isOtherSite || isOtherOrigin ? 'page' : undefined;
}

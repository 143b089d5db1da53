import { randomBytes, randomInt } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { Format } from './answer.js';
import { CONTENT_TYPES } from './write-answer.js';

const compress = promisify(gzip);

/** A response of the API. */
export interface ApiBody {
  readonly status: number;
  readonly body: string | Buffer;
  /** Determines the content type, unless `type` is set. */
  readonly format: Format;
  readonly type?: string | undefined;
}

/** Additional headers of error responses. @see docs/protocol/redcap.md 20 (wire); the values are ours (choice) */
const REFUSAL_HEADERS = {
  'access-control-allow-headers': 'Content-Type',
  'x-frame-options': 'SAMEORIGIN',
  'x-ua-compatible': 'IE=edge',
  'strict-transport-security': 'max-age=31536000',
};

/** Sends a response of the API, compressed if the client accepts gzip. @see docs/protocol/redcap.md 1.7, 20 (wire) */
export async function sendBody(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body, format, type = CONTENT_TYPES[format] }: ApiBody,
): Promise<void> {
  const headers = {
    'content-type': type,
    'cache-control': 'no-store, no-cache, must-revalidate',
    pragma: 'no-cache',
    expires: '0',
    'access-control-allow-origin': '*',
    // Two spaces, as recorded.
    'x-xss-protection': '1;  mode=block',
    'x-content-type-options': 'nosniff',
    'redcap-random-text': randomBytes(30).toString('hex').slice(0, randomInt(1, 61)),
    ...(status >= 400 && REFUSAL_HEADERS),
  };
  if (!/\bgzip\b/i.test(request.headers['accept-encoding']?.toString() ?? '')) {
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
    return;
  }
  const compressed = await compress(body, { level: constants.Z_BEST_SPEED });
  response
    .writeHead(status, { ...headers, 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
    .end(compressed);
}

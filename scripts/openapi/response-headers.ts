import type { Answer, OpenApiDocument } from './document.js';
import { operationsOf } from './document.js';

/** The response headers, described once. */
const HEADERS = {
  'X-Request-Id': {
    description: 'The id of the request, which also appears in the log. Quote it when you ask for help.',
    schema: { type: 'string', example: '0b9cdd0c-2a2f-4a0d-9d53-5a3f27b7d1b1' },
  },
  'Retry-After': {
    description: 'The number of seconds to wait before sending the request again.',
    schema: { type: 'integer', example: 30 },
  },
  ETag: {
    description:
      'Identifies this version of the response. Send it in `If-None-Match`, or in `If-Match` to replace a list.',
    schema: { type: 'string', example: '"dtNjcyfIQaMS7RGsmkgoIN"' },
  },
  'Content-Disposition': {
    description: 'The name of the file (RFC 6266). It is always an attachment.',
    schema: { type: 'string', example: 'attachment; filename="consent.pdf"' },
  },
  RateLimit: {
    description: 'The calls left in each limit (`r`), and the seconds until it is reset (`t`).',
    schema: { type: 'string', example: '"calls"; r=599; t=60' },
  },
  'RateLimit-Policy': {
    description: 'Each limit: the number of calls (`q`) in a window of seconds (`w`).',
    schema: { type: 'string', example: '"calls"; q=600; w=60' },
  },
};

/**
 * Adds its headers to every response: `Retry-After` for 429 and 503, `ETag` if the operation can respond with 304, and
 * the rate limits if there are any.
 */
export function addHeaders(document: OpenApiDocument): void {
  document.components.headers = HEADERS;
  for (const { path, operation } of operationsOf(document)) {
    const hasTag = operation.responses['304'] !== undefined;
    const isLimited = path.startsWith('/api/') || path === '/login';
    for (const [status, answer] of Object.entries(operation.responses)) {
      const names = [
        'X-Request-Id',
        ...(status === '429' || status === '503' ? ['Retry-After'] : []),
        ...(hasTag && ['200', '304'].includes(status) ? ['ETag'] : []),
        ...(isFile(status, answer) ? ['Content-Disposition'] : []),
        ...(isLimited ? ['RateLimit', 'RateLimit-Policy'] : []),
      ];
      answer.headers = Object.fromEntries(
        names.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
      );
    }
  }
}

function isFile(status: string, { content = {} }: Answer): boolean {
  return status === '200' && Object.values(content).some(({ schema }) => schema?.format === 'binary');
}

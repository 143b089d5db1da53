import fc from 'fast-check';
import type { ApiOperation } from '../support/api-operations.js';
import { contractRequest } from './contract-requests.js';
import { headerText, type FuzzRequest } from './fuzz-request.js';
import { ANY_TEXT } from './schema-values.js';

/** Values that are longer, deeper or larger than usual. */
const HUGE: fc.Arbitrary<string> = fc.constantFrom(
  'a'.repeat(5_000),
  '9'.repeat(400),
  '[['.repeat(2_000),
  '(('.repeat(900),
  'é'.repeat(1_500),
  '\u202e'.repeat(300),
  ','.repeat(3_000),
);

const HEADERS: readonly string[] = [
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'content-encoding',
  'content-disposition',
  'cookie',
  'forwarded',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'origin',
  'range',
  'referer',
  'sec-fetch-site',
  'traceparent',
  'x-forwarded-for',
  'x-http-method-override',
  'x-request-id',
];

const HEADER_VALUES: fc.Arbitrary<string> = fc.oneof(
  ANY_TEXT,
  fc.constantFrom(
    '*/*;q=',
    'text/html;q=x',
    'gzip, br;q=0',
    'bytes=9-0',
    'null',
    'cross-site',
    '"',
    'W/"',
    '*',
    'multipart/form-data; boundary=',
    'application/json; charset=utf-7',
    'attachment; filename*=x',
    'a=%; b="',
    '00-00000000000000000000000000000000-0000000000000000-00',
    'fe80::1%eth0',
    'x'.repeat(3_000),
  ),
);

/** A path or query in which a piece was replaced, doubled or removed. */
function bent(path: string): fc.Arbitrary<string> {
  const piece = fc.oneof(
    ANY_TEXT.map(encode),
    HUGE.map(encode),
    fc.constantFrom('%', '%00', '%ff%fe', '%2e%2e%2f', '&&==', '[]=', '[0]='),
  );
  return fc
    .tuple(fc.nat(path.length), fc.nat(12), piece, fc.boolean())
    .map(([at, length, text, isQuery]) =>
      isQuery
        ? `${path}${path.includes('?') ? '&' : '?'}${text}=${text}`
        : `/${`${path.slice(0, at)}${text}${path.slice(at + length)}`.replace(/^\/+/, '')}`,
    );
}

function bentBody(body: Buffer): fc.Arbitrary<Buffer> {
  const insert = fc.oneof(
    fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
    HUGE.map((text) => Buffer.from(text)),
  );
  return fc
    .tuple(fc.nat(body.length), fc.nat(20), insert)
    .map(([at, length, bytes]) => Buffer.concat([body.subarray(0, at), bytes, body.subarray(at + length)]));
}

/**
 * The second generator, which ignores the rules of the document: it distorts the path, headers or bytes of a request
 * with unusual characters and oversized values.
 */
export function hostileRequest(operation: ApiOperation): fc.Arbitrary<FuzzRequest> {
  return contractRequest(operation).chain((request) =>
    fc
      .record({
        path: fc.oneof(fc.constant(request.path), bent(request.path)),
        more: fc.dictionary(fc.constantFrom(...HEADERS), HEADER_VALUES.map(headerText), { maxKeys: 4 }),
        body:
          request.body === undefined
            ? fc.constant(undefined)
            : fc.oneof(fc.constant(request.body), bentBody(request.body)),
        method: fc.oneof(
          { weight: 9, arbitrary: fc.constant(request.method) },
          { weight: 1, arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'PATCH', 'PUT') },
        ),
      })
      .map(({ path, more, body, method }) => ({
        method,
        path,
        headers: { ...request.headers, ...more },
        body,
        broken: undefined,
      })),
  );
}

/** Encodes a text for a query. An unpaired surrogate is replaced. */
function encode(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

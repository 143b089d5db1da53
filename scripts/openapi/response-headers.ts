import type { Answer, OpenApiDocument, Operation } from './document.js';
import { operationsOf } from './document.js';
import { codesOf } from './share-responses.js';

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
      'Identifies this version of the response. Send it in `If-None-Match`, or in `If-Match` to change what was read. A record has one only if it was read whole, without parameters.',
    schema: { type: 'string', example: '"dtNjcyfIQaMS7RGsmkgoIN"' },
  },
  'Content-Disposition': {
    description: 'The name of the file (RFC 6266). It is always an attachment.',
    schema: { type: 'string', example: 'attachment; filename="consent.pdf"' },
  },
  Link: {
    description: 'The next page (RFC 8288), as an absolute URL with `rel="next"`. Missing on the last page.',
    schema: {
      type: 'string',
      example: '<https://crf.example.org/api/v1/records?pageSize=100&cursor=AbC1>; rel="next"',
    },
  },
  'X-Records-Changed': {
    description: '`true` if records were added to or deleted from the range of the previous pages.',
    schema: { type: 'string', enum: ['true'] },
  },
  'X-Filter-Logic-Note': {
    description: 'Which parts of `filterLogic` were passed on to REDCap without a check.',
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description:
      '`true` if the request had been made before with this `Idempotency-Key`. Nothing was done again.',
    schema: { type: 'string', enum: ['true'] },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate, and for a rejected API key the reason (RFC 6750).',
    schema: { type: 'string', example: 'Bearer realm="crf-service", error="invalid_token"' },
  },
  Location: {
    description: 'Where to go next, or where what was created is: a path of this service.',
    schema: { type: 'string', example: '/api/v1/file-repository/201' },
  },
  'Set-Cookie': {
    description: 'Sets the session cookie, or clears it.',
    schema: { type: 'string' },
  },
  'Clear-Site-Data': {
    description: 'Makes a browser forget the cookies and the storage of this service.',
    schema: { type: 'string', example: '"cookies", "storage"' },
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

type HeaderName = keyof typeof HEADERS;

/** What decides whether a response has a header. */
interface Place {
  readonly path: string;
  readonly status: string;
  readonly operation: Operation;
  readonly answer: Answer;
}

const isSuccess = ({ status }: Place): boolean => status.startsWith('2');
const takes = (name: string, { operation }: Place): boolean =>
  operation.parameters?.some((parameter) => parameter.name === name) ?? false;

/** Which responses have a header; a test compares this with what is sent. */
const RULES: Readonly<Record<HeaderName, (place: Place) => boolean>> = {
  'X-Request-Id': () => true,
  'Retry-After': ({ status }) => status === '429' || status === '503',
  ETag: ({ status, operation }) =>
    operation.responses['304'] !== undefined && ['200', '304'].includes(status),
  'Content-Disposition': (place) => isSuccess(place) && (isFile(place.answer) || isCsv(place.answer)),
  Link: (place) => isSuccess(place) && takes('cursor', place),
  'X-Records-Changed': (place) => isSuccess(place) && takes('cursor', place) && takes('fields', place),
  'X-Filter-Logic-Note': (place) => isSuccess(place) && takes('filterLogic', place),
  // An import that stopped partway is the only failure that is kept.
  'Idempotent-Replayed': (place) =>
    takes('Idempotency-Key', place) &&
    (isSuccess(place) || codesOf(place.answer).includes('import_interrupted')),
  'WWW-Authenticate': ({ status, operation }) =>
    (operation.security ?? []).length > 0 && (status === '401' || status === '403'),
  Location: ({ status }) => status === '302' || status === '201',
  'Set-Cookie': (place) => SETS_COOKIES[place.path]?.includes(place.status) ?? false,
  'Clear-Site-Data': (place) =>
    isSuccess(place) && ['/api/v1/auth/logout', '/api/v1/auth/account'].includes(place.path),
  RateLimit: isLimited,
  'RateLimit-Policy': isLimited,
};

/** The responses that set or clear cookies. */
const SETS_COOKIES: Readonly<Record<string, readonly string[]>> = {
  '/login': ['302'],
  '/api/v1/auth/signup': ['200'],
  '/api/v1/auth/logout': ['200'],
  '/api/v1/auth/account': ['200'],
};

/** Describes the headers of every response. */
export function addHeaders(document: OpenApiDocument): void {
  document.components.headers = HEADERS;
  for (const { path, operation } of operationsOf(document)) {
    for (const [status, answer] of Object.entries(operation.responses)) {
      const names = (Object.keys(RULES) as HeaderName[]).filter((name) =>
        RULES[name]({ path, status, operation, answer }),
      );
      answer.headers = Object.fromEntries(
        names.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
      );
    }
  }
}

function isLimited({ path }: Place): boolean {
  return path.startsWith('/api/') || path === '/login';
}

function isFile({ content = {} }: Answer): boolean {
  return Object.values(content).some(({ schema }) => schema?.format === 'binary');
}

/** A CSV that a browser opens as a link is a download with a name. */
function isCsv({ content = {} }: Answer): boolean {
  return 'text/csv' in content;
}

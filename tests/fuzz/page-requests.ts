import fc from 'fast-check';
import { PAGES } from '../support/every-page.js';
import { SIGNED_IN } from './fuzz-target.js';
import { headerText, type FuzzRequest } from './fuzz-request.js';
import { ANY_TEXT } from './schema-values.js';

const FILE = 'Content-Disposition: form-data; name="file"; filename="a.csv"';
const CSV = 'record_id,age\r\nCOHORT-2026-PARTICIPANT-0901,40\r\n';

/** Pieces of a multipart form, in any order: whole parts, broken ones, and what may stand between them. */
const FORM_PIECES: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    `--X\r\n${FILE}\r\n\r\n${CSV}\r\n`,
    '--X\r\nContent-Disposition: form-data; name="store"\r\n\r\nyes\r\n',
    '--X\r\n\u0000: x\r\n\r\n',
    `--X\r\n${'a'.repeat(20_000)}`,
    '--X--\r\n',
    '--X',
    '\r\n',
    '\r\n--Xoops',
    `--X\r\n${FILE};`,
    'Content-Type: text/csv; charset=utf-16\r\n\r\n',
  ),
  ANY_TEXT,
);

/** Where forms with a file are read. */
const FORM_TARGETS = [
  ['POST', '/try-file'],
  ['POST', '/try-file?store=yes'],
  ['POST', '/api/v1/file-repository'],
  ['PUT', '/api/v1/records/COHORT-2026-PARTICIPANT-0001/files/consent_form'],
] as const;

/** The multipart fuzzer: forms with a file, most of them broken. */
export const MULTIPART_REQUESTS: fc.Arbitrary<FuzzRequest> = fc
  .tuple(
    fc.array(FORM_PIECES, { maxLength: 6 }),
    fc.constantFrom('X', 'X', 'X', '"X"', '', 'Y'),
    fc.constantFrom(...FORM_TARGETS),
  )
  .map(([pieces, boundary, [method, path]]) => ({
    method,
    path,
    headers: {
      accept: path.startsWith('/api/') ? '*/*' : 'text/html',
      'sec-fetch-site': 'same-origin',
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    body: Buffer.from(pieces.join('')),
    broken: undefined,
  }));

const POSTED = ['/login/send', '/login/confirm', '/login/other-device', '/login/code', '/try-file'];
const OF_SESSIONS = ['/dashboard/sessions/end', '/dashboard/sign-out', '/dashboard/delete-account'];
const FILES = [
  '/dashboard/my-data',
  '/try-file/example.csv',
  ...['forms', 'records', 'due'].map((kind) => `/dashboard/${kind}.csv`),
  '/dashboard/due.ics',
  ...['recruitment', 'completeness', 'dags', 'missing', 'activity', 'quality', 'distribution', 'x'].flatMap(
    (plot) => [`/dashboard/plots/${plot}.svg`, `/dashboard/plots/${plot}.csv`],
  ),
  '/assets/x.js',
  '/api/v1/projects',
];
const NAMES = ['email', 'code', 'id', 'userId', 'secret', 'st', 'store', 'project'];
const CHOICES = [
  'field',
  'by',
  'interval',
  'instrument',
  'event',
  'arm',
  'dag',
  'state',
  'status',
  'from',
  'until',
];
const OF_LISTS = [...CHOICES, 'record', 'sort', 'page'];
/** Values that a filter of the sandbox knows, or just does not. */
const VALUES = fc.constantFrom(
  ...['age', 'sex', 'email', '-', '1', '0', '200', '201', '1e3', '-record', 'status', 'week', 'dag', 'arm'],
  ...['demographics', 'notBegun', 'overdue', '2026-02-30', '2026-01-01', '9999-12-31', '0000-01-01'],
);

const fields = fc
  .dictionary(fc.oneof(fc.constantFrom(...NAMES, ...OF_LISTS), ANY_TEXT), fc.oneof(VALUES, ANY_TEXT), {
    maxKeys: 4,
  })
  .map((entries) =>
    new URLSearchParams(
      Object.entries(entries)
        .map(([k, v]) => [k, Buffer.from(v).toString()] as const)
        .map(([k, v]): [string, string] => [k, v]),
    ).toString(),
  );

/** The page fuzzer: every page, its forms and its files, with any query, fields and headers. */
export const PAGE_REQUESTS: fc.Arbitrary<FuzzRequest> = fc
  .record({
    path: fc.constantFrom(
      ...new Set([
        ...PAGES.map(({ path }) => path.split('?')[0] ?? '/'),
        ...POSTED,
        ...OF_SESSIONS,
        ...FILES,
      ]),
    ),
    query: fields,
    form: fields,
    isPost: fc.constantFrom(false, false, true),
    site: fc.constantFrom('same-origin', 'none', 'cross-site'),
    cookie: fc.oneof(
      fc.constantFrom(SIGNED_IN, SIGNED_IN, undefined),
      ANY_TEXT.map((text) => `crf_session=${headerText(text)}`),
    ),
  })
  .map(({ path, query, form, isPost, site, cookie }) => ({
    method: isPost ? 'POST' : 'GET',
    path: `${path}${query === '' ? '' : `?${query}`}`,
    headers: {
      accept: 'text/html',
      'sec-fetch-site': site,
      ...(cookie !== undefined && { cookie }),
      ...(isPost && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    body: isPost ? Buffer.from(form) : undefined,
    broken: undefined,
  }));

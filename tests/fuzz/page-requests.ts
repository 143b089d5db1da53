import fc from 'fast-check';
import { PAGES } from '../support/every-page.js';
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
  ['POST', '/api/v1/files'],
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
const SIGNED_IN = ['/dashboard/sessions/end', '/dashboard/sign-out', '/dashboard/delete-account'];
const PLOTS = [
  '/dashboard/my-data',
  '/try-file/example.csv',
  '/dashboard/plots/recruitment.svg',
  '/assets/x.js',
];
const NAMES = ['email', 'code', 'id', 'userId', 'secret', 'st', 'field', 'arm', 'period', 'store'];

const fields = fc
  .dictionary(fc.oneof(fc.constantFrom(...NAMES), ANY_TEXT), ANY_TEXT, { maxKeys: 4 })
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
      ...new Set([...PAGES.map(({ path }) => path.split('?')[0] ?? '/'), ...POSTED, ...SIGNED_IN, ...PLOTS]),
    ),
    query: fields,
    form: fields,
    isPost: fc.boolean(),
    site: fc.constantFrom('same-origin', 'none', 'cross-site'),
    cookie: fc.option(ANY_TEXT.map(headerText)),
  })
  .map(({ path, query, form, isPost, site, cookie }) => ({
    method: isPost ? 'POST' : 'GET',
    path: `${path}${query === '' ? '' : `?${query}`}`,
    headers: {
      accept: 'text/html',
      'sec-fetch-site': site,
      ...(cookie !== null && { cookie: `__Host-crf_session=${cookie}` }),
      ...(isPost && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    body: isPost ? Buffer.from(form) : undefined,
    broken: undefined,
  }));

import fc from 'fast-check';
import { OPERATIONS } from '../../src/door/pairs.js';
import type { FuzzAnswer } from './check-answer.js';
import type { FuzzRequest } from './fuzz-request.js';
import { ANY_TEXT } from './schema-values.js';

type Entries = readonly (readonly [string, string])[];

/** Stands for the token of the call, which the target knows. */
export const DOOR_TOKEN = 'TOKENOFTHETARGET';

const RECORD = 'COHORT-2026-PARTICIPANT-0001';
const ROWS = [
  `[{"record_id":"${RECORD}","age":"41"}]`,
  `record_id,age\n${RECORD},41\n`,
  `<?xml version="1.0" encoding="UTF-8" ?><records><item><record_id>${RECORD}</record_id><age>41</age></item></records>`,
  `[{"record":"${RECORD}","field_name":"age","value":"42"}]`,
  '{"record_id":"x"}',
  '[]',
  '',
];

/** The parameters that REDCap knows, with values that are right for the study, or nearly. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  format: ['json', 'csv', 'xml', 'odm', 'yaml', ''],
  returnFormat: ['json', 'csv', 'xml', 'odm', ''],
  type: ['flat', 'eav', 'wide'],
  records: [RECORD, `${RECORD},x`, '', ','],
  fields: ['record_id', 'age,sex', 'no_such_field', ''],
  forms: ['demographics', 'no such form', ''],
  events: ['baseline_arm_1', 'x'],
  arms: ['1', '0', 'x'],
  rawOrLabel: ['raw', 'label', 'x'],
  rawOrLabelHeaders: ['raw', 'label'],
  exportCheckboxLabel: ['true', 'false', '1'],
  exportSurveyFields: ['true', 'False'],
  exportDataAccessGroups: ['true', '0'],
  exportBlankForGrayFormStatus: ['TRUE', ''],
  combineCheckboxOptions: ['true'],
  filterLogic: ['[age] > 40', '[age', '[x] = 1', ''],
  dateRangeBegin: ['2026-01-01', '2026-13-01 00:00:00', 'x'],
  dateRangeEnd: ['2026-01-01 10:00', ''],
  csvDelimiter: [',', 'tab', '|', '^', 'x'],
  decimalCharacter: ['.', ',', 'x'],
  data: ROWS,
  overwriteBehavior: ['normal', 'overwrite', 'x'],
  dateFormat: ['YMD', 'DMY', 'x'],
  returnContent: ['count', 'ids', 'auto_ids', 'nothing', 'x'],
  forceAutoNumber: ['true', 'false'],
  backgroundProcess: ['true', '0'],
  record: [RECORD, 'x', ''],
  new_record_name: ['COHORT-2026-PARTICIPANT-0901', RECORD, ''],
  field: ['age', 'consent_form', 'x', ''],
  instrument: ['demographics', 'x'],
  event: ['baseline_arm_1', 'x', ''],
  repeat_instance: ['1', '0', '-1', '99999999', 'x'],
  report_id: ['1', '0', 'x', ''],
  logtype: ['', 'export', 'x'],
  beginTime: ['2026-01-01 00:00', 'x'],
  allRecords: ['', 'true'],
  compactDisplay: ['true', '0'],
  arm: ['1', 'x'],
  delete_logging: ['0', '1'],
  override: ['0', '1'],
  dag: ['x', ''],
  folder_id: ['', '1'],
  doc_id: ['1', 'x'],
  name: ['a folder'],
  randomization_id: ['1', 'x'],
};

const PARAMETER: fc.Arbitrary<readonly [string, string]> = fc
  .constantFrom(...Object.entries(PARAMETERS))
  .chain(([name, values]) =>
    fc.tuple(
      fc.constantFrom('', '', '', '[0]', '[1]', '[]').map((index) => name + (/s$/.test(name) ? index : '')),
      fc.constantFrom(...values),
    ),
  );

const PAIR = fc.constantFrom(...Object.keys(OPERATIONS)).map((pair): Entries => {
  const [content = '', action] = pair.split('/');
  // An import or an export is often said by the data alone.
  return [['content', content], ...(action === undefined ? [] : [['action', action] as const])];
});

const CALL: fc.Arbitrary<Entries> = fc
  .tuple(PAIR, fc.array(PARAMETER, { maxLength: 8 }))
  .map(([pair, parameters]) => [['token', DOOR_TOKEN] as const, ...pair, ...parameters]);

/** Calls of REDCap's API as its clients make them, in both encodings, with and without a file. */
export const DOOR_CONTRACT: fc.Arbitrary<FuzzRequest> = fc
  .tuple(CALL, fc.constantFrom('form', 'form', 'multipart', 'file', 'file first'))
  .map(([entries, how]) => requestOf(entries, how));

const NAME = fc.oneof(
  fc.constantFrom(...Object.keys(PARAMETERS), 'content', 'action', 'token', 'file'),
  fc.constantFrom(
    'content[]',
    'content[x]',
    'action[',
    ' content',
    'to.ken',
    'data[',
    'fields[a][b]',
    '__proto__',
  ),
  ANY_TEXT,
);
const VALUE = fc.oneof(
  ANY_TEXT,
  fc.constantFrom(
    'a'.repeat(5_000),
    '[['.repeat(2_000),
    '(('.repeat(900),
    '<a>'.repeat(2_000),
    ','.repeat(3_000),
  ),
  fc.constantFrom('[[]]', '[{"a":{}}]', '[null]', '1e999', '<records><item></records>', 'a,b\n"', '\u0000'),
);
const BODY_PIECES = fc.oneof(
  fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  fc.constantFrom(
    '--X',
    '\r\n--X--\r\n',
    '%',
    '%zz',
    '&',
    '=',
    '\r\n\r\n',
    'Content-Disposition: form-data; name="file"; filename="a"\r\n\r\n',
  ),
);
const TYPES = [
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=X',
  'multipart/form-data',
  'application/json',
  'text/plain',
  '',
];

/** Calls that nobody means: other names, values and bytes. */
export const DOOR_HOSTILE: fc.Arbitrary<FuzzRequest> = fc
  .record({
    entries: CALL,
    more: fc.array(fc.tuple(NAME, VALUE), { maxLength: 4 }),
    how: fc.constantFrom('form', 'form', 'multipart', 'file', 'file first'),
    bent: fc.option(fc.tuple(fc.nat(2_000), fc.nat(20), BODY_PIECES), { freq: 3 }),
    type: fc.option(fc.constantFrom(...TYPES), { freq: 8 }),
    method: fc.constantFrom('POST', 'POST', 'POST', 'POST', 'POST', 'POST', 'GET', 'PUT', 'OPTIONS'),
    path: fc.constantFrom('/api/', '/api/', '/api/', '/api', '/api/?token=x', '/api/?a[b]=1'),
  })
  .map(({ entries, more, how, bent, type, method, path }) => {
    const request = requestOf([...entries, ...more], how);
    const text = request.body?.toString('latin1') ?? '';
    const [at, length, piece] = bent ?? [text.length, 0, ''];
    return {
      ...request,
      method,
      path,
      headers: { ...request.headers, ...(type !== null && { 'content-type': type }) },
      body: Buffer.from(text.slice(0, at) + piece + text.slice(at + length), 'latin1'),
    };
  });

const FILE =
  'Content-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nbytes\r\n';

function requestOf(entries: Entries, how: string): FuzzRequest {
  const base = { method: 'POST', path: '/api/', broken: undefined };
  if (how === 'form') {
    const body = new URLSearchParams(entries.map(([...entry]) => entry)).toString();
    return {
      ...base,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(body),
    };
  }
  const parts = entries.map(
    ([name, value]) =>
      `Content-Disposition: form-data; name="${name.replace(/["\r\n]/g, '%22')}"\r\n\r\n${value}\r\n`,
  );
  const all = how === 'file' ? [...parts, FILE] : how === 'file first' ? [FILE, ...parts] : parts;
  const body = `${all.map((part) => `--X\r\n${part}`).join('')}--X--\r\n`;
  return { ...base, headers: { 'content-type': 'multipart/form-data; boundary=X' }, body: Buffer.from(body) };
}

/** REDCap's forms of an error, by media type, each with nothing but the text. */
const ERRORS: Readonly<Record<string, RegExp>> = {
  'application/json; charset=utf-8': /^\{"error":"(?:[^"\\]|\\.)+"\}$/s,
  'text/csv; charset=utf-8': /^ERROR: ./s,
  'text/xml; charset=utf-8':
    /^<\?xml version="1\.0" encoding="UTF-8" \?><hash><error>[^<]+<\/error><\/hash>$/s,
};

/** @returns what is wrong with an answer of REDCap's API, or nothing */
export function doorComplaint(
  { method }: FuzzRequest,
  { status, headers, body }: FuzzAnswer,
  isContract: boolean,
): string | undefined {
  if (status === 0) return isContract ? 'The connection broke.' : undefined;
  const isDeclared = status < 500 || status === 503 || (status === 501 && method !== 'POST');
  if (!isDeclared) return `${status} ${body.slice(0, 80)}`;
  if (status < 400) return method === 'POST' ? undefined : `${status} to ${method}`;
  if (headers['x-request-id'] === undefined) return `${status} without X-Request-Id.`;
  const type = String(headers['content-type'] ?? '');
  return ERRORS[type]?.test(body) === true ? undefined : `${status} as ${type}: ${body.slice(0, 80)}`;
}

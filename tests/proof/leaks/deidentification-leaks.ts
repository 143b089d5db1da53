import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Field } from '../../../src/domain/dictionary/field.js';
import type { CrfCalls, RecordRow } from '../../../src/gateways/redcap/crf-client.js';
import type { CellRule } from '../../../src/policy/deidentify/cell-rules.js';
import { soundsIdentifying } from '../../../src/policy/deidentify/identifying-names.js';
import { RecordKeys } from '../../../src/policy/deidentify/record-keys.js';
import type { Deidentification } from '../../../src/policy/deidentify/row-changer.js';
import type { ProjectView } from '../../../src/policy/project-view.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import type { Answer } from '../request.js';
import type { Smaller } from '../smaller-study.js';
import { recordOf, rowCount, type Leak } from './leak.js';

/*
 * Leaks of views that de-identify.
 */

const RECORDS = /^\/api\/v1\/records/;
const PAGES = /pageSize=2/;

/** Whether a view shows a field that is changed in a way. */
const hasChange =
  (...kinds: readonly CellRule['kind'][]) =>
  ({ fields, others }: Smaller): boolean =>
    [...(others?.changes ?? [])].some(([name, kind]) => kinds.includes(kind) && fields.has(name));

const hasPseudonyms = ({ others }: Smaller): boolean => others?.ids === 'pseudonym';

const hasOtherIds = ({ others }: Smaller): boolean => (others?.ids ?? 'kept') !== 'kept';

/** Something else that a view does with values. */
const wrong = (
  name: string,
  isFor: (left: Smaller) => boolean,
  change: (right: Deidentification) => Partial<Deidentification>,
  at = RECORDS,
): Leak => ({
  name,
  at,
  isFor,
  view: (view) =>
    view.deidentify === undefined
      ? view
      : { ...view, deidentify: { ...view.deidentify, ...change(view.deidentify) } },
});

/** The first field that is changed in a way stays as it is. */
const unchanged = (name: string, kind: CellRule['kind']): Leak =>
  wrong(name, hasChange(kind), ({ rules }) => {
    const [first] = [...rules].find(([, rule]) => rule.kind === kind) ?? [];
    return { rules: new Map([...rules].filter(([field]) => field !== first)) };
  });

/** What depends on the record, with something else in it. */
const keyed = (
  name: string,
  isFor: (left: Smaller) => boolean,
  change: (keys: RecordKeys) => Partial<RecordKeyCalls>,
): Leak =>
  wrong(name, isFor, ({ keys }) => {
    if (keys === undefined) return {};
    const { fingerprint, prefix } = keys;
    const right: RecordKeyCalls = {
      pseudonymOf: (id) => keys.pseudonymOf(id),
      idOf: (pseudonym) => keys.idOf(pseudonym),
      daysOf: (id) => keys.daysOf(id),
    };
    // It is of the class in all that a view uses, but for its private fields.
    return { keys: { fingerprint, prefix, ...right, ...change(keys) } as RecordKeys };
  });

type RecordKeyCalls = Pick<RecordKeys, 'pseudonymOf' | 'idOf' | 'daysOf'>;

/** A field that nobody sees, on a form that is shown. */
const shown = (name: string, isField: (field: Field) => boolean): Leak => ({
  name,
  at: /^\/api\/v1\/(records\?format=json|project\/fields)/,
  isFor: ({ forms, others }, { fields }) =>
    fields.some((field) => forms.has(field.instrument) && others?.hidden.has(field.name) && isField(field)),
  view: (view, fields) => ({
    ...view,
    fields: new Map([
      ...view.fields,
      ...fields
        .filter((field) => view.forms.has(field.instrument) && isField(field))
        .map((field) => [field.name, 'read'] as const),
    ]),
  }),
});

/** Rows as they are shown, with something else of the rows of the project. */
const changed = (
  name: string,
  isFor: (left: Smaller) => boolean,
  change: (
    rows: readonly RecordRow[],
    original: (row: RecordRow) => RecordRow,
    view: ProjectView,
  ) => RecordRow[],
): Leak => ({
  name,
  at: /^\/api\/v1\/records\?format=json/,
  isFor,
  calls: (calls, whole, view) => ({
    ...calls,
    openRecords: async (options) => {
      if (options.format !== 'json' || options.type === 'eav') return calls.openRecords(options);
      const originals = await whole.exportRecords();
      const placeOf = (row: RecordRow, record: string): string =>
        JSON.stringify([record, ...PLACE.map((column) => row[column] ?? '')]);
      const known = new Map(originals.map((row) => [placeOf(row, shownIdOf(row, view)), row]));
      const original = (row: RecordRow): RecordRow => known.get(placeOf(row, recordOf(row))) ?? {};
      return Readable.from([JSON.stringify(change(await calls.exportRecords(options), original, view))]);
    },
  }),
});

const PLACE = ['redcap_event_name', 'redcap_repeat_instrument', 'redcap_repeat_instance'];

function shownIdOf(row: RecordRow, { deidentify }: ProjectView): string {
  const id = recordOf(row);
  return deidentify?.recordId === 'kept' ? id : (deidentify?.keys?.pseudonymOf(id) ?? id);
}

/** A row with other values of the fields that are changed in a way. */
function withCells(
  row: RecordRow,
  { deidentify }: ProjectView,
  kinds: readonly CellRule['kind'][],
  change: (value: string, name: string) => string,
): RecordRow {
  const names = [...(deidentify?.rules ?? [])].filter(
    ([name, { kind }]) => kinds.includes(kind) && name in row,
  );
  return { ...row, ...Object.fromEntries(names.map(([name]) => [name, change(String(row[name]), name)])) };
}

/** Filters that are evaluated on the records of the project, by their ids or by other values. */
const filtered = (name: string, isFor: (left: Smaller) => boolean, isOfIds: boolean): Leak => ({
  name,
  at: /filterLogic=/,
  isFor,
  calls: (calls, whole, view) => ({
    ...calls,
    openRecords: async ({ filterLogic, ...options }) => {
      const [, field] = /^\[(\w+)\] = /.exec(String(filterLogic)) ?? [];
      const isOfId = field === (await whole.fields.list())[0]?.name;
      if (field === undefined || isOfId !== isOfIds) return calls.openRecords({ filterLogic, ...options });
      const found = (await whole.exportRecords({ filterLogic })).map((row) => shownIdOf(row, view));
      return calls.openRecords({ ...options, records: found.length > 0 ? found : ['nobody'] });
    },
  }),
});

/** Answers in which there is the id of a record of the project. */
const answered = (
  name: string,
  at: RegExp,
  change: (answer: Answer, id: string) => Partial<Answer>,
): Leak => ({
  name,
  at,
  isFor: hasOtherIds,
  answer: async (answer, { whole }) => {
    const [id = ''] = (await whole.exportRecords()).map(recordOf);
    return { ...answer, ...change(answer, id) };
  },
});

const isFreeText = ({ type, validationType, isIdentifier }: Field): boolean =>
  !isIdentifier && (type === 'notes' || (type === 'text' && validationType === ''));

/** A manifest that says something else. */
const manifest = (
  name: string,
  isFor: (left: Smaller, study: Study) => boolean,
  change: (whole: CrfCalls, left: object) => Promise<object>,
): Leak => ({
  name,
  at: /^\/api\/v1\/records\/manifest/,
  isFor: (left, study) => left.others !== undefined && isFor(left, study),
  answer: async (answer, { whole }) => {
    if (answer.status !== 200) return answer;
    const { data } = JSON.parse(answer.body) as { data: object };
    return { ...answer, body: JSON.stringify({ data: { ...data, ...(await change(whole, data)) } }) };
  },
});

export const DEIDENTIFICATION_LEAKS: readonly Leak[] = [
  manifest(
    'a manifest of hidden rows',
    (left, study) => left.study.rows.length < study.rows.length,
    async (whole) => ({ rows: await rowCount(whole) }),
  ),
  manifest(
    'a manifest that names hidden fields',
    ({ fields }, study) => study.fields.some(({ name }) => !fields.has(name)),
    async (whole) => ({ hidden: (await whole.fields.list()).map(({ name }) => name) }),
  ),
  manifest(
    'a manifest with a digest of hidden fields',
    ({ fields }, study) => study.fields.some(({ name, label }) => !fields.has(name) && label !== ''),
    async (whole, data) => ({
      digests: {
        ...(data as { digests: object }).digests,
        shownFields: hash('sha256', JSON.stringify(await whole.fields.list())),
      },
    }),
  ),
  unchanged('a date that is not shifted', 'shift'),
  unchanged('a date that is not cut to its year', 'year'),
  unchanged('an age above the top', 'age'),
  unchanged('a whole ZIP code', 'zip'),
  wrong('a year of birth that tells a high age', hasChange('year'), () => ({ ageTop: undefined })),
  wrong('ages that are put together a year too late', hasChange('age'), ({ rules }) => ({
    rules: new Map(
      [...rules].map(([name, rule]) => [name, rule.kind === 'age' ? { ...rule, top: rule.top + 1 } : rule]),
    ),
  })),
  wrong('record ids as they are', hasOtherIds, () => ({ recordId: 'kept' })),
  keyed('another shift in each export', hasChange('shift'), (keys) => {
    let exports = 0;
    return { daysOf: (id) => keys.daysOf(id) + (exports++ % 2) };
  }),
  keyed('the same shift for all records', hasChange('shift'), () => ({ daysOf: () => 100 })),
  keyed('ids that lead to their records', hasPseudonyms, (keys) => ({ idOf: (id) => keys.idOf(id) ?? id })),
  wrong('the same pseudonyms under every policy', hasPseudonyms, () => ({
    keys: new RecordKeys(Buffer.alloc(32), 'every policy'),
  })),
  wrong(
    'random ids that are the same in each export',
    ({ others }) => others?.ids === 'random',
    () => ({
      keys: new RecordKeys(Buffer.alloc(32), 'every export'),
    }),
  ),
  changed('another shift in one row', hasChange('shift'), (rows, original, view) =>
    rows.map((row, at) =>
      at % 2 === 0
        ? row
        : withCells(row, view, ['shift'], (value, name) =>
            value === '' ? '' : nextDay(original(row), name),
          ),
    ),
  ),
  changed('the area of a sparse ZIP code', hasChange('zip'), (rows, original, view) =>
    rows.map((row) =>
      withCells(row, view, ['zip'], (value, name) =>
        value === '000' ? String(original(row)[name]).slice(0, 3) : value,
      ),
    ),
  ),
  changed(
    'values that are not of the form of their field',
    hasChange('shift', 'year', 'age', 'zip'),
    (rows, original, view) =>
      rows.map((row) =>
        withCells(row, view, ['shift', 'year', 'age', 'zip'], (value, name) =>
          value === '' ? String(original(row)[name] ?? '') : value,
        ),
      ),
  ),
  changed(
    'the order of rows by a value that nobody sees',
    ({ others }) => others !== undefined,
    (rows, original, view) =>
      rows.toSorted((one, other) =>
        hiddenIn(original(one), view).localeCompare(hiddenIn(original(other), view)),
      ),
  ),
  filtered('a filter by the id of the project', hasOtherIds, true),
  filtered('a filter on values as they are', hasChange('shift', 'year', 'age', 'zip'), false),
  shown('a field that is flagged', ({ isIdentifier }) => isIdentifier),
  shown('free text', isFreeText),
  shown(
    'an address that nobody has flagged',
    ({ validationType, isIdentifier }) => !isIdentifier && validationType === 'email',
  ),
  shown('a field whose name says whose it is', ({ name }) => soundsIdentifying(name)),
  shown('a calculation from a value that is changed', ({ type }) => type === 'calc'),
  shown('a field that is filled in with the record id', ({ annotation }) =>
    annotation.includes('[record-name]'),
  ),
  shown('a field that is filled in from one', ({ annotation }) => annotation.includes('[')),
  answered('the id of the project in an error', RECORDS, (answer, id) => ({
    body: answer.status === 404 ? `${answer.body} ${id}` : answer.body,
  })),
  answered('the id of the project in a cursor', PAGES, (answer, id) => ({
    headers: withLink(answer, (link) => link.replace(/cursor=[\w-]+/, () => `cursor=${inCursor(id)}`)),
  })),
  answered('the id of the project in a link', PAGES, (answer, id) => ({
    headers: withLink(answer, (link) => link.replace('records?', (path) => `${path}records=${id}&`)),
  })),
  answered(
    'an entity tag that is made of the id of the project',
    /^\/api\/v1\/records\/[^/?]+$/,
    (answer, id) => ({
      headers: { ...answer.headers, ...(answer.headers['etag'] && { etag: `"${hash('sha256', id)}"` }) },
    }),
  ),
];

function withLink({ headers }: Answer, change: (link: string) => string): Answer['headers'] {
  const { link } = headers;
  return link === undefined ? headers : { ...headers, link: change(link) };
}

/** A cursor that is not encrypted. */
function inCursor(id: string): string {
  return Buffer.from(JSON.stringify({ after: id })).toString('base64url');
}

function nextDay(row: RecordRow, name: string): string {
  return new Date(Date.parse(String(row[name]).slice(0, 10)) + 86_400_000).toISOString().slice(0, 10);
}

/** The values of a row that a view does not have. */
function hiddenIn(row: RecordRow, { fields }: ProjectView): string {
  return JSON.stringify(Object.entries(row).filter(([name, value]) => !fields.has(name) && value !== ''));
}

import type { Field } from '../../src/dictionary/field.js';
import type { RecordRow } from '../../src/gateways/redcap/crf-client.js';
import type { SeededRandom } from '../../src/sandbox/demo-study/random.js';
import type { Study } from '../../src/sandbox/redcap/study.js';
import { idOf, type Case, type MadeUp } from './made-up.js';
import { imported, placeOf, type Request } from './requests.js';
import type { Smaller } from './smaller-study.js';

/** An import, and whether the policy grants it. */
export interface Write {
  readonly request: Request;
  readonly isGranted: boolean;
}

const PLACE = ['redcap_event_name', 'redcap_repeat_instrument', 'redcap_repeat_instance'];

/** @returns imports of what may be changed, and of what may not: hidden, read-only, of others, new */
export function writesFor(
  study: Study,
  left: Smaller,
  { rules }: Case,
  madeUp: MadeUp,
  random: SeededRandom,
): Write[] {
  const id = idOf(study);
  const writable = writableFields(study, left, rules);
  const writes: Write[] = [];
  const add = (isGranted: boolean, row: object, query = ''): void => {
    writes.push({ isGranted, request: imported([row], query) });
  };

  const known = left.study.rows.filter((row) =>
    writable.some(({ instrument }) => `${instrument}_complete` in row),
  );
  const [first] = known;
  for (const row of known.slice(0, 3)) {
    const fields = writable.filter(({ instrument }) => `${instrument}_complete` in row);
    const cells = fields
      .filter(() => random.chance(0.5))
      .map((field) => madeUp.cellsOf(field, row[id] ?? ''));
    add(true, Object.assign(placeOf(row, id), ...cells) as object);
    const [erased] = fields.filter(({ type }) => type === 'text' || type === 'notes');
    if (erased !== undefined)
      add(true, { ...placeOf(row, id), [erased.name]: '' }, '?overwriteBehavior=overwrite');
  }
  const [once] = writes;
  if (once !== undefined) {
    // Whoever had more rights before has made the same change with the same key: it is done again, and only then replayed.
    const request = { ...once.request, key: 'granted-0123456789abcdef' };
    writes.push(
      { isGranted: true, request: { ...request, isAfterMore: true } },
      { isGranted: true, request },
    );
  }
  const [place = {}] = [first ?? left.study.rows[0]]
    .filter((row) => row !== undefined)
    .map((row) => placeOf(row, id));
  const sample = writable[0]?.name ?? `${left.study.instruments[0]?.name ?? ''}_complete`;
  const hidden = study.fields
    .filter(({ name, type }) => !left.fields.has(name) && type === 'text')
    .slice(0, 2);
  const readOnly = left.study.fields
    .slice(1)
    .find((field) => field.type === 'text' && !writable.some(({ name }) => name === field.name));
  for (const { name } of [...hidden, ...(readOnly ? [readOnly] : [])]) add(false, { ...place, [name]: 'x' });
  add(false, { ...place, nonesuch: 'x' });
  for (const other of [...new Set(study.rows.map((row) => row[id] ?? '')), 'R-050', 'R-500', 'nobody'])
    if (!left.study.rows.some((row) => row[id] === other))
      add(false, { ...place, [id]: other, [sample]: '1' });
  add(false, { ...place, redcap_data_access_group: 'south' });
  writes.push(...ofUnique(study, left, writable, id));
  return writes;
}

/** A value that one hidden record has, and one that none has: a refusal would tell one from the other. */
function ofUnique(study: Study, left: Smaller, writable: readonly Field[], id: string): Write[] {
  const unique = String(study.project.settings?.['secondary_unique_field'] ?? '');
  const form = study.fields.find(({ name }) => name === unique)?.instrument ?? '';
  const row = left.study.rows.find((each) => `${form}_complete` in each);
  if (row === undefined || !left.fields.has(unique)) return [];
  const visible = new Set(left.study.rows.map((each) => each[id]));
  const taken = study.rows.find((each) => !visible.has(each[id]) && each[unique] !== undefined)?.[unique];
  const isGranted = writable.some(({ name }) => name === unique);
  return [taken ?? 'nobody@example.org', 'somebody@example.org'].map((value) => ({
    isGranted,
    request: imported([{ ...placeOf(row, id), [unique]: value }]),
  }));
}

/** The fields that a policy lets write, by its own words. */
function writableFields(
  study: Study,
  left: Smaller,
  { forms, fields, records, events }: Case['rules'],
): Field[] {
  // A refusal of a value that another record has would tell of it.
  const unique =
    records === 'all' && events === undefined ? '' : study.project.settings?.['secondary_unique_field'];
  const decides = typeof records === 'object' && 'own' in records ? records.own.field : '';
  return left.study.fields.slice(1).filter(
    ({ name, instrument, type }) =>
      (forms[instrument] ?? forms['*']) === 'write' &&
      fields?.read?.includes(name) !== true &&
      name !== decides &&
      name !== unique &&
      // REDCap calculates these, and files are uploaded.
      !['calc', 'file', 'descriptive'].includes(type) &&
      study.fields.some((field) => field.name === name && field.type !== 'calc'),
  );
}

/**
 * What is not for somebody to change: all cells of a project but those that a policy lets write on records of the view,
 * and calculations.
 */
export function untouchable(
  rows: readonly RecordRow[],
  study: Study,
  left: Smaller,
  rules: Case['rules'],
): string[] {
  const id = idOf(study);
  const visible = new Set(left.study.rows.map((row) => row[id]));
  const open = new Set([
    ...writableFields(study, left, rules).map(({ name }) => name),
    ...[...left.forms]
      .filter((form) => (rules.forms[form] ?? rules.forms['*']) === 'write')
      .map((form) => `${form}_complete`),
    ...study.fields.filter(({ type }) => type === 'calc').map(({ name }) => name),
  ]);
  return rows.flatMap((row) => {
    const record = String(row[id]);
    const place = PLACE.map((name) => String(row[name] ?? '')).join('/');
    return Object.entries(row)
      .filter(
        ([name, value]) =>
          value !== '' && value !== '0' && !(visible.has(record) && open.has(name.split('___')[0] ?? '')),
      )
      .map(([name, value]) => `${record} ${place} ${name} ${value}`);
  });
}

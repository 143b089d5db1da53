import type { Field } from '../../src/domain/dictionary/field.js';
import type { RecordRow } from '../../src/gateways/redcap/crf-client.js';
import type { SeededRandom } from '../../src/sandbox/demo-study/made-up.js';
import type { Study } from '../../src/sandbox/redcap/study.js';
import { decidingOf, type Rules } from './chosen-records.js';
import { idOf, type Case, type MadeUp } from './made-up.js';
import { placeOf } from './refusals.js';
import { imported, type Request } from './request.js';
import type { Smaller } from './smaller-study.js';
import { OTHERS } from './twin.js';

/** A change, and whether the policy grants it. */
export interface Write {
  readonly request: Request;
  /** Undefined if that is not known: then the smaller project answers alike, if it is not refused. */
  readonly isGranted: boolean | undefined;
  /** Whether the smaller project answers alike; by default if it is granted. */
  readonly isAlike?: boolean;
  /** Whether it changes a record as a whole. */
  readonly isOfRecord?: boolean;
}

/** The columns that say where a row is. */
export const PLACE = ['redcap_event_name', 'redcap_repeat_instrument', 'redcap_repeat_instance'];

/** @returns changes of what may be changed, and of what may not: hidden, read-only, of others, new */
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
  for (const form of [...study.instruments.map(({ name }) => name), 'nonesuch'])
    if (!left.forms.has(form))
      add(false, { ...place, redcap_repeat_instrument: form, redcap_repeat_instance: '7' });
  for (const name of [...hidden.map((field) => field.name), 'nonesuch'])
    writes.push({ isGranted: false, isAlike: true, request: imported([{ ...place, [name]: 'x' }]) });
  if (readOnly !== undefined) add(false, { ...place, [readOnly.name]: 'x' });
  for (const other of [
    ...new Set(study.rows.map((row) => row[id] ?? '')),
    ...OTHERS.map((number) => madeUp.recordId(number)),
    'nobody',
  ])
    if (!left.study.rows.some((row) => row[id] === other))
      add(false, { ...place, [id]: other, [sample]: '1' });
  add(false, { ...place, redcap_data_access_group: study.groups?.at(-1)?.uniqueName ?? 'none' });
  writes.push(...ofUnique(study, left, writable, id));
  const [created] = writable.filter(
    ({ instrument }) => first !== undefined && `${instrument}_complete` in first,
  );
  if (created !== undefined && typeof rules.create === 'object') {
    const made = `${rules.create.prefix}1`;
    add(true, { ...place, [id]: made, ...madeUp.cellsOf(created, made) });
  }
  writes.push(...filesFor(study, left, rules), ...actionsFor(study, left, rules));
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

/** Uploads and deletions of files. */
function filesFor(study: Study, left: Smaller, rules: Rules): Write[] {
  const id = idOf(study);
  const write = (row: Study['rows'][number], field: string, record = row[id] ?? ''): Write[] => {
    const query = new URLSearchParams({
      ...(row['redcap_event_name'] !== undefined && { event: row['redcap_event_name'] }),
      ...(row['redcap_repeat_instance'] !== undefined && { instance: row['redcap_repeat_instance'] }),
    });
    const path = `/api/v1/records/${record}/files/${field}?${query.toString()}`;
    const { instrument } = study.fields.find(({ name }) => name === field) ?? { instrument: '' };
    const isVisible = left.fields.has(field) && left.study.rows.some((each) => each[id] === record);
    const isAllowed =
      rules.files === 'write' &&
      isVisible &&
      rules.forms[instrument] === 'write' &&
      !decidingOf(study, rules).has(field);
    const isGranted =
      isAllowed && rules.fields?.read?.includes(field) !== true && left.study.rows.includes(row);
    const isAlike = isGranted || (rules.files === 'write' && !isVisible);
    return [
      { method: 'PUT', path: `${path}&fileName=x.txt`, body: 'words', type: 'text/plain' },
      { method: 'GET', path },
      { method: 'DELETE', path },
    ]
      .filter(({ method }) => method !== 'GET' || isGranted)
      .map((request) => ({ isGranted, isAlike, request }));
  };
  return study.fields
    .filter(({ type }) => type === 'file')
    .flatMap(({ name, instrument }) => {
      const has = (row: Study['rows'][number]): boolean => `${instrument}_complete` in row;
      const row = left.study.rows.find(has);
      const hidden = study.rows.find(
        (each) => has(each) && !left.study.rows.some((one) => one[id] === each[id]),
      );
      return [
        ...(row === undefined ? [] : [...write(row, name), ...write(row, name, 'nobody')]),
        ...(hidden === undefined ? [] : write(hidden, name)),
        ...(row === undefined ? [] : write(row, 'nonesuch')),
      ];
    });
}

/** What changes a record as a whole: granted only to whoever may change all of it. */
function actionsFor(study: Study, left: Smaller, rules: Rules): Write[] {
  const id = idOf(study);
  const isWhole =
    rules.events === undefined &&
    rules.fields === undefined &&
    left.fields.size === study.fields.length &&
    Object.values(rules.forms).every((access) => access === 'write');
  const [first, second, third] = [...new Set(left.study.rows.map((row) => row[id] ?? ''))];
  const hidden = study.rows
    .map((row) => row[id])
    .find((each) => !left.study.rows.some((row) => row[id] === each));
  const { create } = rules;
  const form = (study.instruments[1] ?? study.instruments[0])?.name ?? '';
  const isUndecided = isWhole && decidingOf(study, rules).size === 0 && keptApart(study, rules) === '';
  const mayRename = isWhole && typeof create === 'object';
  const prefix = typeof create === 'object' ? create.prefix : 'OWN-';
  const act = (isGranted: boolean, request: Request, isAlike = isGranted): Write => ({
    isGranted,
    isAlike,
    isOfRecord: true,
    request: { method: 'POST', ...request },
  });
  const body = (value: object): string => JSON.stringify(value);
  const path = '/api/v1/records';
  return [first, second, third, hidden, 'nobody']
    .flatMap((record, at) => {
      if (record === undefined) return [];
      const isVisible = at < 3;
      const [event] = study.rows
        .filter((row) => row[id] === record)
        .map((row) => row['redcap_event_name'] ?? '');
      const part = `instrument=${form}${event === undefined || event === '' ? '' : `&event=${event}`}`;
      return [
        act(isVisible && isUndecided, { method: 'DELETE', path: `${path}/${record}?${part}` }, isUndecided),
        act(
          isVisible && mayRename,
          { path: `${path}/${record}/rename`, body: body({ newRecord: `${prefix}${at}-new` }) },
          mayRename,
        ),
        act(false, { path: `${path}/${record}/rename`, body: body({ newRecord: 'ELSEWHERE-1' }) }),
        act(
          false,
          { path: `${path}/${record}/randomize`, body: body({ randomizationId: 1 }) },
          isVisible && isUndecided,
        ),
        act(false, { path: `${path}/delete`, body: body({ records: [record, 'nobody'] }) }, isWhole),
        act(isVisible && isWhole, { method: 'DELETE', path: `${path}/${record}` }, isWhole),
      ];
    })
    .concat(
      mayRename
        ? [
            act(true, { method: 'DELETE', path: `${path}/${prefix}0-new` }),
            act(false, { method: 'DELETE', path: `${path}/${prefix}0-new` }, true),
          ]
        : [],
    );
}

/** The field of which a refusal would tell that another record has the value; blank if that is no secret. */
function keptApart({ project }: Study, { records, events }: Rules): string {
  const isOpen = records === 'all' && events === undefined;
  return isOpen ? '' : String(project.settings?.['secondary_unique_field'] ?? '');
}

/** Whether all that somebody changes who fills in a form may be changed. */
export function mayFillIn(study: Study, left: Smaller, rules: Rules, form: string): boolean {
  const writable = new Set(writableFields(study, left, rules).map(({ name }) => name));
  const deciding = decidingOf(study, rules);
  return (
    (rules.forms[form] ?? rules.forms['*']) === 'write' &&
    !deciding.has(`${form}_complete`) &&
    study.fields
      .slice(1)
      .filter(({ instrument, type }) => instrument === form && type !== 'calc' && type !== 'descriptive')
      .every(({ name, type }) =>
        type === 'file'
          ? rules.files === 'write' && left.fields.has(name) && !deciding.has(name)
          : writable.has(name),
      )
  );
}

/** The fields that a policy lets write, by its own words. */
function writableFields(study: Study, left: Smaller, rules: Rules): Field[] {
  const { forms, fields } = rules;
  const unique = keptApart(study, rules);
  const deciding = decidingOf(study, rules);
  return left.study.fields.slice(1).filter(
    ({ name, instrument, type }) =>
      (forms[instrument] ?? forms['*']) === 'write' &&
      fields?.read?.includes(name) !== true &&
      !deciding.has(name) &&
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
  rules: Rules,
  isOfRecord: boolean,
): string[] {
  const id = idOf(study);
  const visible = new Set(left.study.rows.map((row) => row[id]));
  const isWritable = (form: string): boolean => (rules.forms[form] ?? rules.forms['*']) === 'write';
  const deciding = decidingOf(study, rules);
  const calculated = new Set(study.fields.filter(({ type }) => type === 'calc').map(({ name }) => name));
  const open = new Set([
    ...writableFields(study, left, rules).map(({ name }) => name),
    ...[...left.forms]
      .filter(isWritable)
      .map((form) => `${form}_complete`)
      .filter((name) => !deciding.has(name)),
    ...left.study.fields
      .filter(({ type, instrument }) => type === 'file' && rules.files === 'write' && isWritable(instrument))
      .map(({ name }) => name)
      .filter((name) => !deciding.has(name)),
  ]);
  return rows.flatMap((row) => {
    const record = String(row[id]);
    // What was created is for whoever created it.
    const isCreated = typeof rules.create === 'object' && record.startsWith(rules.create.prefix);
    if (isCreated || (isOfRecord && visible.has(record))) return [];
    const place = PLACE.map((name) => String(row[name] ?? '')).join('/');
    const event = row['redcap_event_name'] ?? '';
    const isEvent =
      study.events.length === 0 || left.study.events.some(({ uniqueName }) => uniqueName === event);
    const mayChange = (name: string): boolean =>
      visible.has(record) && (calculated.has(name) || (isEvent && open.has(name.split('___')[0] ?? '')));
    return Object.entries(row)
      .filter(([name, value]) => value !== '' && value !== '0' && !mayChange(name))
      .map(([name, value]) => `${record} ${place} ${name} ${value}`);
  });
}

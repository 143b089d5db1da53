import type { Study } from '../../src/sandbox/redcap/study.js';
import { idOf } from './made-up.js';
import { FOREIGN_CURSOR } from './room.js';
import type { Rules, Smaller } from './smaller-study.js';

export interface Request {
  readonly method?: string;
  readonly path: string;
  readonly body?: string;
  readonly type?: string;
  /** The Idempotency-Key. */
  readonly key?: string;
  /** Who sends it: by default somebody with every scope; `counts` may read no records, but know how many there are. */
  readonly as?: 'counts';
  /** Whether the same person has sent the same before, while their policy granted everything. */
  readonly isAfterMore?: boolean;
  /** Whether the policy does not grant it, so that there is nothing to compare with a smaller project. */
  readonly isNeverGranted?: boolean;
  /**
   * What a view shows by a rule of its own, for which there is no smaller project that shows the same, with the reason.
   * Two projects that differ in hidden things alone still have to show the same.
   */
  readonly unlike?: string;
}

type Query = Readonly<Record<string, string | readonly string[]>>;

/** The names of a project that requests try: a visible one, a hidden one, and one that nobody has. */
interface Names {
  readonly id: string;
  readonly fields: readonly string[];
  readonly visibleFields: readonly string[];
  readonly hiddenFields: readonly string[];
  readonly forms: readonly string[];
  readonly visibleForms: readonly string[];
  readonly events: readonly string[];
  readonly visibleEvents: readonly string[];
  readonly hiddenEvents: readonly string[];
  readonly records: readonly string[];
  readonly visibleRecords: readonly string[];
}

/** @returns one request at least for every operation and page, with what is visible, what is hidden and what nobody has */
export function requestsFor(study: Study, left: Smaller, rules: Rules): Request[] {
  const names = namesOf(study, left);
  const { logs = 'none', files = 'none', create = false } = rules;
  /** What this policy does not grant, and every project has. */
  const notGranted = [
    ...(logs === 'none' ? [/^\/api\/v1\/logs/] : []),
    ...(files === 'none' ? [/^\/api\/v1\/records\/[^/]+\/files\//] : []),
    ...(create === 'auto' ? [] : [/next-id$/]),
  ];
  const all: Request[] = [
    ...exportsOf(names),
    ...placesOf(names),
    ...structureOf(names),
    ...[
      'records',
      'project/info',
      'project/fields',
      ...names.records.map((record) => `records/${record}`),
    ].map((path) => ({ ...get(path), method: 'HEAD' })),
    ...countsOf(names),
    ...pagesOf(names).map((page) =>
      logs === 'none' ? { ...page, unlike: 'a view may be without a log, which no project is' } : page,
    ),
    ...writesOf(names),
    ...actionsOf(names),
    ...replaysOf(study, left),
    ...neverGranted(names),
  ];
  return all.map((request, at) => ({
    ...request,
    ...(notGranted.some((pattern) => pattern.test(request.path)) && { isNeverGranted: true }),
    // What was kept for the same person under other rights is not for this view.
    ...((request.method ?? 'GET') === 'GET' && at % 3 === 0 && { isAfterMore: true }),
  }));
}

function namesOf(study: Study, { study: left, fields, forms }: Smaller): Names {
  const id = idOf(study);
  const idsOf = ({ rows }: Study): string[] => [...new Set(rows.map((row) => row[id] ?? ''))];
  const [visible, all] = [idsOf(left), idsOf(study)];
  const events = left.events.map(({ uniqueName }) => uniqueName);
  const hiddenEvents = study.events
    .map(({ uniqueName }) => uniqueName)
    .filter((name) => !events.includes(name));
  const visibleFields = left.fields.filter(({ type }) => type !== 'descriptive').map(({ name }) => name);
  const hiddenFields = study.fields.map(({ name }) => name).filter((name) => !fields.has(name));
  const visibleForms = left.instruments.map(({ name }) => name);
  const hiddenForms = study.instruments.map(({ name }) => name).filter((name) => !forms.has(name));
  return {
    id,
    visibleFields,
    hiddenFields,
    fields: [...visibleFields.slice(1, 2), ...hiddenFields.slice(0, 1), 'nonesuch'],
    visibleForms,
    forms: [...visibleForms.slice(0, 2), ...hiddenForms.slice(0, 1), 'nonesuch'],
    visibleEvents: events,
    hiddenEvents,
    events:
      study.events.length === 0 ? [] : [...events.slice(0, 1), ...hiddenEvents.slice(0, 1), 'none_arm_1'],
    visibleRecords: visible,
    records: [...visible.slice(0, 1), ...all.filter((each) => !visible.includes(each)).slice(0, 1), 'nobody'],
  };
}

function get(path: string, query: Query = {}): Request {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) parameters.append(name, one);
  const text = parameters.toString().replaceAll(encodeURIComponent(FOREIGN_CURSOR), FOREIGN_CURSOR);
  return { path: `${path.startsWith('/') ? '' : '/api/v1/'}${path}${text === '' ? '' : `?${text}`}` };
}

function exportsOf(names: Names): Request[] {
  const { id, visibleFields, visibleForms, visibleEvents, hiddenFields, hiddenEvents, forms } = names;
  const selections: Query[] = [
    {},
    { fields: id },
    { fields: [id, ...visibleFields.slice(1, 2)] },
    { fields: visibleFields.slice(3, 4) },
    { forms: visibleForms.slice(0, 1) },
    { forms: visibleForms.slice(1, 2), fields: id },
    ...visibleForms.slice(0, 1).map((form) => ({ fields: `${form}_complete` })),
    { events: visibleEvents.slice(1, 2) },
    ...names.records.map((records) => ({ records })),
    { records: names.records },
    ...names.fields.map((fields) => ({ fields })),
    ...hiddenFields.slice(2, 3).map((fields) => ({ fields })),
    ...forms.slice(-2).flatMap((form) => [{ forms: form }, { fields: `${form}_complete` }]),
    ...names.events.map((events) => ({ events })),
    ...[...visibleFields.slice(2, 4), ...hiddenFields.slice(0, 1)].map((name) => ({
      filterLogic: `[${name}] <> ''`,
    })),
    ...hiddenEvents.slice(0, 1).map((event) => ({ filterLogic: `[${event}][${id}] <> ''` })),
    ...visibleEvents.slice(0, 1).map((event) => ({ filterLogic: `[${event}][${id}] <> ''` })),
    { filterLogic: "[record-name] <> ''" },
    { filterLogic: "[user-name] <> ''" },
    { filterLogic: "[record-dag-name] = 'north'" },
    { exportDataAccessGroups: 'true' },
    { exportBlankForGrayFormStatus: 'true' },
    { limit: '2' },
    { pageSize: '2', format: 'json' },
    { pageSize: '1', format: 'json', cursor: FOREIGN_CURSOR },
    { batchSize: '2' },
    { trailer: 'true' },
    { values: 'typed' },
    { values: 'typed', labels: 'true', missing: 'codes' },
    { rawOrLabel: 'label' },
    { rawOrLabelHeaders: 'label' },
    { type: 'eav' },
    { type: 'eav', rawOrLabel: 'label', fields: [id, ...visibleFields.slice(1, 4)] },
    { exportCheckboxLabel: 'true', rawOrLabel: 'label' },
    { combineCheckboxOptions: 'true', rawOrLabel: 'label' },
    { decimalCharacter: 'comma' },
    { spreadsheetSafe: 'true' },
    { dateRangeBegin: '2026-01-01 00:00:00' },
  ];
  return [
    ...selections.flatMap((query) =>
      ['json', 'csv', 'ndjson'].map((format) => get('records', { format, ...query })),
    ),
    // A view has no survey identifiers, and the comparison leaves them out of JSON.
    get('records', { exportSurveyFields: 'true' }),
    get('records', { exportSurveyFields: 'true', fields: id }),
    ...forms.flatMap((form) => [
      get(`instruments/${form}/rows`),
      get(`instruments/${form}/rows`, { format: 'csv', values: 'typed' }),
      get(`instruments/${form}/dataset`),
    ]),
    ...names.records.map((records) => send('POST', 'records/query', { records: [records] })),
    send('POST', 'records/query', { fields: names.fields }),
    send('POST', 'records/query', { filterLogic: `[${id}] <> ''`, limit: 3 }),
  ];
}

/** An import of rows. */
export function imported(records: readonly object[], query = ''): Request {
  return send('POST', `records${query}`, { records });
}

function send(method: string, path: string, body: unknown): Request {
  return { ...get(path), method, body: typeof body === 'string' ? body : JSON.stringify(body) };
}

/** What is at one place of a record: the record itself, its files, its surveys, its PDF. */
function placesOf({ records, fields, forms, events, id }: Names): Request[] {
  const [event] = events;
  const ofEvent: Query = event === undefined ? {} : { event };
  const files = ['consent', 'scan', ...fields];
  return [
    ...records.flatMap((record) => [
      get(`records/${record}`),
      get(`records/${record}`, { shape: 'nested' }),
      get(`records/${record}`, { values: 'typed', fields: [id, ...fields.slice(0, 1)] }),
      ...files.map((field) => get(`records/${record}/files/${field}`, ofEvent)),
      ...events.map((each) => get(`records/${record}/files/consent`, { event: each })),
      get(`records/${record}/pdf`),
      ...forms.flatMap((instrument) => [
        get(`records/${record}/pdf`, { instrument, ...ofEvent }),
        get(`records/${record}/surveys/${instrument}/link`, ofEvent),
        get(`records/${record}/surveys/${instrument}/return-code`, ofEvent),
        get(`surveys/${instrument}/access-code`, { record, ...ofEvent }),
      ]),
      get(`records/${record}/surveys/queue-link`),
    ]),
    ...['diary', ...forms].map((form) => get(`surveys/${form}/participants`, ofEvent)),
    ...['1', '3', '5', '7', '9', '999'].flatMap((file) => [get(`files/${file}`), get(`files/${file}/info`)]),
    get('files'),
    ...['1', '3', '4', '5', '999'].flatMap((report) => [
      get(`reports/${report}`),
      get(`reports/${report}`, { rawOrLabel: 'label' }),
      // As CSV this one has survey identifiers, which no view has.
      ...(report === '3'
        ? []
        : [get(`reports/${report}`, { format: 'csv', rawOrLabel: 'label', rawOrLabelHeaders: 'label' })]),
    ]),
    { ...get('records/next-id'), unlike: 'create: auto tells the number of records' },
  ];
}

function structureOf({ fields, forms, events, records, visibleFields }: Names): Request[] {
  const logs: Query[] = [
    {},
    { type: 'record' },
    { type: 'record_edit' },
    { user: 'monitor' },
    { dag: '1' },
    { dag: '2' },
    { limit: '3' },
    { pageSize: '3' },
    { pageSize: '1', cursor: FOREIGN_CURSOR },
  ];
  const people = 'users and roles are not shown at all';
  return [
    ...[
      'info',
      'version',
      'fields',
      'instruments',
      'export-field-names',
      'field-validations',
      'schema',
      'types',
    ]
      .concat([
        'openapi.json',
        'events',
        'arms',
        'instrument-event-mappings',
        'repeating-instruments',
        'summary',
      ])
      .concat(['dags', 'quality'])
      .map((name) => get(`project/${name}`)),
    ...['users', 'roles', 'role-assignments', 'dag-assignments'].map((name) => ({
      ...get(`project/${name}`),
      unlike: people,
    })),
    ...fields.flatMap((name) => [
      get('project/fields', { fields: name }),
      get('project/export-field-names', { field: name }),
      get(`project/summary/fields/${name}`),
      get(`project/summary/fields/${name}`, { by: visibleFields[3] ?? 'sex' }),
    ]),
    ...visibleFields.slice(1).map((name) => get(`project/summary/fields/${name}`)),
    ...forms.flatMap((form) => [
      get('project/fields', { forms: form }),
      get('project/quality', { forms: form, format: 'ndjson' }),
      get('project/instruments/pdf', { instrument: form }),
    ]),
    ...records.map((record) => get('project/quality', { records: record })),
    ...['1', '2', '9'].flatMap((arms) =>
      ['arms', 'events', 'instrument-event-mappings'].map((name) => get(`project/${name}`, { arms })),
    ),
    ...events.map((event) => get('project/instruments/pdf', { instrument: forms[0] ?? '', event })),
    get('project/schema', { values: 'typed' }),
    get('project/xml', { metadataOnly: 'true' }),
    get('project/xml'),
    get('project/instruments/pdf'),
    { ...get('users/r-101@example.org'), unlike: people },
    { ...get('users/max.mustermann@example.org'), unlike: people },
    ...logs.map((query) => get('logs', query)),
    ...records.map((record) => get('logs', { record })),
  ];
}

/** What somebody may know of records who may not read them. */
function countsOf({ visibleFields, fields }: Names): Request[] {
  return [
    get('project/summary'),
    ...[...visibleFields.slice(1), ...fields].map((name) => get(`project/summary/fields/${name}`)),
    get('project/quality'),
    get('records'),
  ].map((request) => ({ ...request, as: 'counts' }));
}

function pagesOf({ id, records, forms, events, fields, visibleFields }: Names): Request[] {
  const plots = ['recruitment', 'completeness', 'sites', 'missing', 'activity', 'quality'];
  const [field = id] = visibleFields.slice(3);
  return [
    get('/'),
    get('/dashboard'),
    ...[...fields, ...visibleFields.slice(1, 4)].map((field) => get('/dashboard', { field })),
    get('/dashboard/plots/distribution.svg', { field, by: 'site' }),
    ...fields.map((each) => get('/dashboard/plots/distribution.csv', { field: each })),
    // One of the groups is hidden from whoever sees the other.
    ...['north', 'south', 'none'].flatMap((site) => [
      get('/dashboard', { site, field }),
      get('/dashboard/plots/quality.csv', { site }),
      get('/dashboard/records', { site }),
      get('/dashboard/forms.csv', { site }),
    ]),
    ...plots.flatMap((plot) => ['svg', 'csv'].map((format) => get(`/dashboard/plots/${plot}.${format}`))),
    get('/dashboard/records'),
    get('/dashboard/records.csv'),
    get('/dashboard/forms'),
    get('/dashboard/forms.csv'),
    ...forms.map((form) => get('/dashboard/forms', { form, status: 'incomplete' })),
    ...events.map((event) => get('/dashboard/records', { event })),
    get('/dashboard/due'),
    get('/dashboard/due.csv'),
    get('/dashboard/report'),
    get('/dashboard/findings'),
    get('/dashboard/findings.csv'),
    get('/dashboard/due.ics'),
    ...records.map((record) => get(`/dashboard/records/${record}`)),
    get('/try-file'),
    get('/try-file/example.csv'),
    ...records.flatMap((record) => fields.map((field) => triedFile(`${id},${field}\r\n${record},1\r\n`))),
    triedFile(`nonesuch,${id}\r\n1,2\r\n`),
  ];
}

/** A file that somebody checks on the page for it. */
function triedFile(csv: string): Request {
  const part = `content-disposition: form-data; name="file"; filename="x.csv"\r\ncontent-type: text/csv`;
  return {
    ...get('/try-file'),
    method: 'POST',
    type: 'multipart/form-data; boundary=--x',
    body: `----x\r\n${part}\r\n\r\n${csv}\r\n----x--\r\n`,
    unlike: 'a view may be read-only, which no project is',
  };
}

/** Imports that change nothing. */
function writesOf({ id, records, fields, visibleFields, events }: Names): Request[] {
  const place = events[0] === undefined ? {} : { redcap_event_name: events[0] };
  const row = (record: string, cells: object): object => ({ [id]: record, ...place, ...cells });
  const dry = (rows: readonly object[], query = ''): Request =>
    send('POST', `records?dryRun=true${query}`, { records: rows });
  return [
    ...records.map((record) => dry([row(record, { [visibleFields[1] ?? id]: '1' })])),
    ...records.map((record) => dry([row(record, { [visibleFields[1] ?? id]: '1' })], '&changes=true')),
    ...fields.map((name) => dry([row(records[0] ?? '', { [name]: 'x' })])),
    ...events.map((event) => dry([{ [id]: records[0], redcap_event_name: event }])),
    dry([row('NORTH-777', {})]),
    dry([row(records[0] ?? '', { redcap_data_access_group: 'south' })]),
    ...records.map((record) => ({
      ...get('records?dryRun=true'),
      method: 'POST',
      type: 'text/csv',
      body: `${id},${visibleFields[1] ?? ''}\n${record},zz\n`,
    })),
  ].map((request) => ({ ...request, unlike: 'a view may be read-only, which no project is' }));
}

/** What changes records as a whole, where there are none. */
function actionsOf({ id, visibleFields, records, visibleRecords }: Names): Request[] {
  const others = records.filter((record) => !visibleRecords.includes(record));
  return [
    ...others.flatMap((record) => [
      { ...get(`records/${record}`), method: 'DELETE' },
      send('PATCH', `records/${record}`, { rows: [{ [visibleFields[1] ?? id]: '1' }] }),
      send('POST', `records/${record}/rename`, { newId: 'NORTH-other' }),
      send('POST', `records/${record}/randomize`, { randomizationId: 1 }),
    ]),
    send('POST', 'records/delete', { records: others }),
  ].map((request) => ({ ...request, isNeverGranted: true }));
}

/** Imports of what is hidden, as it is, which the same person has made while their policy granted them. */
function replaysOf(study: Study, { study: left, fields }: Smaller): Request[] {
  const id = idOf(study);
  const visible = new Set(left.rows.map((row) => row[id]));
  // An import calculates anew, which would be seen.
  const isCalculated = study.fields.some(({ name, type }) => type === 'calc' && fields.has(name));
  const isValue = ([name, value]: [string, string]): boolean =>
    value !== '' && study.fields.slice(1).some((field) => field.name === name && field.type === 'text');
  const same = study.rows.flatMap((row) =>
    Object.entries(row)
      .filter((cell) => isValue(cell) && (!visible.has(row[id]) || (!fields.has(cell[0]) && !isCalculated)))
      .map(([name, value]) => ({ ...placeOf(row, id), [name]: value })),
  );
  return same.slice(0, 4).map((row, at) => ({
    ...imported([row]),
    key: `replay-${at}-0123456789abcdef`,
    isAfterMore: true,
    isNeverGranted: true,
  }));
}

/** The cells that say of what a row is. */
export function placeOf(row: Study['rows'][number], id: string): Record<string, string> {
  const names = [id, 'redcap_event_name', 'redcap_repeat_instrument', 'redcap_repeat_instance'];
  return Object.fromEntries(names.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]])));
}

function neverGranted({ visibleForms, visibleEvents }: Names): Request[] {
  const put = (path: string, body: unknown = []): Request => send('PUT', path, body);
  const drop = (path: string): Request => ({ ...get(path), method: 'DELETE' });
  return [
    put('project/roles', [{ label: 'x' }]),
    put('project/role-assignments', [{ username: 'monitor', role: '' }]),
    put('project/users', [{ username: 'monitor' }]),
    put('project/arms', [{ number: 1, name: 'x' }]),
    put('project/instrument-event-mappings', [
      { armNumber: 1, uniqueEventName: visibleEvents[0] ?? 'x_arm_1', instrument: visibleForms[0] },
    ]),
    put('project/repeating-instruments', [
      { uniqueEventName: visibleEvents[0] ?? '', instrument: visibleForms[0], customLabel: '' },
    ]),
    put('project/events', [{ label: 'x', armNumber: 1 }]),
    put('project/dags', [{ name: 'x' }]),
    put('project/dag-assignments', [{ username: 'monitor', dag: '' }]),
    put('project/fields', { fields: [] }),
    send('PATCH', 'project/settings', { title: 'x' }),
    ...['project/roles/U-ABCDEFGHIJ', 'project/users/monitor', 'project/arms/1', 'project/events/base_arm_1']
      .concat(['project/dags/south', 'files/1'])
      .map(drop),
    send('POST', 'files/folders', { name: 'x' }),
    { ...get('files', { fileName: 'x.txt' }), method: 'POST', body: 'x', type: 'text/plain' },
  ].map((request) => ({ ...request, isNeverGranted: true }));
}

import { FOREIGN_CURSOR, get, send, type Names, type Query, type Request } from './request.js';

export function exportsOf(names: Names): Request[] {
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
    ...names.filters.map((filterLogic) => ({ filterLogic })),
    { filterLogic: "[record-name] <> ''" },
    { filterLogic: "[user-name] <> ''" },
    { filterLogic: `[record-dag-name] = '${names.groups[0] ?? 'none'}'` },
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
    { from: '2026-01-01' },
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
    ]),
    ...names.records.map((records) => send('POST', 'records/query', { records: [records] })),
    ...[
      {},
      { fields: [id, ...visibleFields.slice(1, 4)] },
      { fields: hiddenFields.slice(0, 1) },
      { type: 'eav' },
      ...names.filters.slice(0, 1).map((filterLogic) => ({ filterLogic })),
    ].map((query) => get('records/manifest', query)),
    send('POST', 'records/query', { fields: names.fields }),
    send('POST', 'records/query', { filterLogic: `[${id}] <> ''`, limit: 3 }),
  ];
}

/** What is at one place of a record: the record itself, its files, its surveys, its PDF. */
export function placesOf(names: Names): Request[] {
  const { records, fields, forms, events, id } = names;
  const [event] = events;
  const ofEvent: Query = event === undefined ? {} : { event };
  const files = [...names.fileFields, ...fields];
  return [
    ...records.flatMap((record) => [
      get(`records/${record}`),
      get(`records/${record}`, { shape: 'nested' }),
      get(`records/${record}`, { values: 'typed', fields: [id, ...fields.slice(0, 1)] }),
      ...files.map((field) => get(`records/${record}/files/${field}`, ofEvent)),
      ...names.fileFields
        .slice(0, 1)
        .flatMap((field) => events.map((each) => get(`records/${record}/files/${field}`, { event: each }))),
      get(`records/${record}/pdf`),
      ...forms.flatMap((instrument) => [
        get(`records/${record}/pdf`, { instrument, ...ofEvent }),
        get(`records/${record}/surveys/${instrument}/link`, ofEvent),
        get(`records/${record}/surveys/${instrument}/return-code`, ofEvent),
        get(`surveys/${instrument}/access-code`, { record, ...ofEvent }),
      ]),
      get(`records/${record}/surveys/queue-link`),
    ]),
    ...[...names.surveys, ...forms].map((form) => get(`surveys/${form}/participants`, ofEvent)),
    ...['1', '3', '5', '7', '9', '999'].flatMap((file) => [
      get(`file-repository/${file}`),
      get(`file-repository/${file}/info`),
    ]),
    get('file-repository'),
    ...[...names.reports, { id: 999, hasSurveyFields: false }].flatMap(({ id: report, hasSurveyFields }) => [
      get(`reports/${report}`),
      get(`reports/${report}`, { rawOrLabel: 'label' }),
      // Survey identifiers, which no view has, are left out of the comparison of JSON only.
      ...(hasSurveyFields
        ? []
        : [get(`reports/${report}`, { format: 'csv', rawOrLabel: 'label', rawOrLabelHeaders: 'label' })]),
    ]),
    { ...get('records/next-id'), unlike: 'create: auto tells the number of records' },
  ];
}

export function structureOf({ fields, forms, events, records, visibleFields }: Names): Request[] {
  const log: Query[] = [
    {},
    { type: 'record' },
    { type: 'record_edit' },
    { user: 'monitor' },
    { dag: 'north' },
    { dag: 'south' },
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
      .concat(['openapi.json', 'events', 'arms', 'mappings', 'repeating', 'summary'])
      .concat(['dags', 'quality', 'due'])
      .map((name) => get(`project/${name}`)),
    ...['users', 'roles', 'role-assignments', 'dag-assignments'].map((name) => ({
      ...get(`project/${name}`),
      unlike: people,
    })),
    ...fields.flatMap((name) => [
      get('project/fields', { fields: name }),
      get('project/export-field-names', { field: name }),
      get(`project/summary/fields/${name}`),
      get(`project/summary/fields/${name}`, { by: visibleFields[3] ?? name }),
    ]),
    ...visibleFields.slice(1).map((name) => get(`project/summary/fields/${name}`)),
    ...forms.flatMap((form) => [
      get('project/fields', { forms: form }),
      get('project/quality', { forms: form, format: 'ndjson' }),
      get('project/instruments/pdf', { instrument: form }),
    ]),
    ...records.map((record) => get('project/quality', { records: record })),
    ...['2000-01-01', '2126-01-01'].map((from) => get('project/quality', { from })),
    ...['1', '2', '9'].flatMap((arms) =>
      ['arms', 'events', 'mappings'].map((name) => get(`project/${name}`, { arms })),
    ),
    ...events.map((event) => get('project/instruments/pdf', { instrument: forms[0] ?? '', event })),
    get('project/schema', { values: 'typed' }),
    get('project/xml', { metadataOnly: 'true' }),
    get('project/xml'),
    get('project/instruments/pdf'),
    { ...get('people/r-101@example.org'), unlike: people },
    { ...get('people/max.mustermann@example.org'), unlike: people },
    ...log.map((query) => get('log', query)),
    ...records.map((record) => get('log', { record })),
  ];
}

/** What somebody may know of records who may not read them. */
export function countsOf({ visibleFields, fields }: Names): Request[] {
  return [
    get('project/summary'),
    ...[...visibleFields.slice(1), ...fields].map((name) => get(`project/summary/fields/${name}`)),
    get('project/quality'),
    get('project/due'),
    get('project/incomplete'),
    get('records'),
  ].map((request) => ({ ...request, as: 'counts' }));
}

export function pagesOf({ id, records, forms, events, fields, visibleFields, groups }: Names): Request[] {
  const plots = ['recruitment', 'completeness', 'dags', 'missing', 'activity', 'quality'];
  const [field = id] = visibleFields.slice(3);
  return [
    get('/'),
    get('/dashboard'),
    ...[...fields, ...visibleFields.slice(1, 4)].map((field) => get('/dashboard', { field })),
    get('/dashboard/plots/distribution.svg', { field, by: 'dag' }),
    ...fields.map((each) => get('/dashboard/plots/distribution.csv', { field: each })),
    // One of the groups is hidden from whoever sees the other.
    ...[...groups.slice(0, 2), 'none'].flatMap((dag) => [
      get('/dashboard', { dag, field }),
      get('/dashboard/plots/quality.csv', { dag }),
      get('/dashboard/records', { dag }),
      get('/dashboard/forms.csv', { dag }),
    ]),
    ...plots.flatMap((plot) => ['svg', 'csv'].map((format) => get(`/dashboard/plots/${plot}.${format}`))),
    get('/dashboard/records'),
    get('/dashboard/records.csv'),
    get('/dashboard/forms'),
    get('/dashboard/forms.csv'),
    ...forms.map((form) => get('/dashboard/forms', { instrument: form, status: 'incomplete' })),
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

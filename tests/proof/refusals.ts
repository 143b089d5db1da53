import type { Study } from '../../src/sandbox/redcap/study.js';
import { idOf } from './made-up.js';
import { get, imported, send, type Names, type Request } from './request.js';
import type { Smaller } from './smaller-study.js';

/** Imports that change nothing. */
export function writesOf({ id, records, fields, visibleFields, events, groups }: Names): Request[] {
  const place = events[0] === undefined ? {} : { redcap_event_name: events[0] };
  const row = (record: string, cells: object): object => ({ [id]: record, ...place, ...cells });
  const dry = (rows: readonly object[], query = ''): Request =>
    send('POST', `records?dryRun=true${query}`, { records: rows });
  return [
    ...records.map((record) => dry([row(record, { [visibleFields[1] ?? id]: '1' })])),
    ...records.map((record) => dry([row(record, { [visibleFields[1] ?? id]: '1' })], '&changes=true')),
    ...fields.map((name) => dry([row(records[0] ?? '', { [name]: 'x' })])),
    ...events.map((event) => dry([{ [id]: records[0], redcap_event_name: event }])),
    dry([row('nobody-777', {})]),
    dry([row(records[0] ?? '', { redcap_data_access_group: groups.at(-1) ?? 'none' })]),
    ...records.map((record) => ({
      ...get('records?dryRun=true'),
      method: 'POST',
      type: 'text/csv',
      body: `${id},${visibleFields[1] ?? ''}\n${record},zz\n`,
    })),
  ].map((request) => ({ ...request, unlike: 'a view may be read-only, which no project is' }));
}

/** What changes records as a whole, where there are none. */
export function actionsOf({ id, visibleFields, records, visibleRecords }: Names): Request[] {
  const others = records.filter((record) => !visibleRecords.includes(record));
  return [
    ...others.flatMap((record) => [
      { ...get(`records/${record}`), method: 'DELETE' },
      send('PATCH', `records/${record}`, { rows: [{ [visibleFields[1] ?? id]: '1' }] }),
      send('POST', `records/${record}/rename`, { newRecord: 'nobody-other' }),
      send('POST', `records/${record}/randomize`, { randomizationId: 1 }),
    ]),
    send('POST', 'records/delete', { records: others }),
  ].map((request) => ({ ...request, isNeverGranted: true, refusals: [403, 404] }));
}

/** Imports of what is hidden, as it is, which the same person has made while their policy granted them. */
export function replaysOf(study: Study, { study: left, fields, others }: Smaller): Request[] {
  const id = idOf(study);
  const visible = new Set(left.rows.map((row) => row[id]));
  // An import calculates anew, which would be seen.
  const isCalculated = study.fields.some(({ name, type }) => type === 'calc' && fields.has(name));
  const isValue = ([name, value]: [string, string]): boolean =>
    value !== '' && study.fields.slice(1).some((field) => field.name === name && field.type === 'text');
  const isVisible = (record = ''): boolean => visible.has(others?.idOf(record) ?? record);
  const same = study.rows.flatMap((row) =>
    Object.entries(row)
      .filter((cell) => isValue(cell) && (!isVisible(row[id]) || (!fields.has(cell[0]) && !isCalculated)))
      .map(([name, value]) => ({ ...placeOf(row, id), [name]: value })),
  );
  return same.slice(0, 4).map((row, at) => ({
    ...imported([row]),
    key: `replay-${at}-0123456789abcdef`,
    isAfterMore: true,
    isNeverGranted: true,
    refusals: [403, 404, 422],
  }));
}

/** The cells that say of what a row is. */
export function placeOf(row: Study['rows'][number], id: string): Record<string, string> {
  const names = [id, 'redcap_event_name', 'redcap_repeat_instrument', 'redcap_repeat_instance'];
  return Object.fromEntries(names.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]])));
}

export function neverGranted({ visibleForms, visibleEvents }: Names): Request[] {
  const put = (path: string, data: readonly object[]): Request => send('PUT', path, { data });
  const drop = (path: string): Request => ({ ...get(path), method: 'DELETE' });
  return [
    put('project/roles', [{ label: 'x' }]),
    put('project/role-assignments', [{ username: 'monitor', role: '' }]),
    put('project/users', [{ username: 'monitor' }]),
    put('project/arms', [{ number: 1, name: 'x' }]),
    put('project/mappings', [{ arm: 1, event: visibleEvents[0] ?? 'x_arm_1', instrument: visibleForms[0] }]),
    put('project/repeating', [
      { event: visibleEvents[0] ?? '', instrument: visibleForms[0], customLabel: '' },
    ]),
    put('project/events', [{ label: 'x', arm: 1 }]),
    put('project/dags', [{ name: 'x' }]),
    put('project/dag-assignments', [{ username: 'monitor', dag: '' }]),
    put('project/fields', [{ name: 'x', instrument: 'x', type: 'text', label: 'x' }]),
    send('PATCH', 'project/info', { title: 'x' }),
    ...['project/roles/U-ABCDEFGHIJ', 'project/users/monitor', 'project/arms/1', 'project/events/base_arm_1']
      .concat(['project/dags/south', 'file-repository/1'])
      .map(drop),
    send('POST', 'file-repository/folders', { name: 'x' }),
    { ...get('file-repository', { fileName: 'x.txt' }), method: 'POST', body: 'x', type: 'text/plain' },
  ].map((request) => ({ ...request, isNeverGranted: true, refusals: [403] }));
}

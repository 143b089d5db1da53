import { field, type ModelRedcap } from './model.js';

/** What a history is made of: what people do to a project, and how a server fails. */
export type Operation = (redcap: ModelRedcap, pick: (below: number) => number) => void;

const MINUTE = 60_000;

function someRecord({ records }: ModelRedcap, pick: (below: number) => number): string | undefined {
  return [...records.keys()][pick(Math.max(1, records.size))];
}

function write(redcap: ModelRedcap, id: string, name: string, value: string, place = 'start_arm_1||'): void {
  const record = redcap.records.get(id) ?? { group: '', rows: new Map() };
  redcap.records.set(id, record);
  const values = record.rows.get(place) ?? new Map<string, string>();
  record.rows.set(place, values);
  values.set(name, value);
  redcap.changed();
}

/** An operation on a record that exists; nothing if there is none. */
function onRecord(
  work: (redcap: ModelRedcap, id: string, pick: (below: number) => number) => void,
): Operation {
  return (redcap, pick) => {
    const id = someRecord(redcap, pick);
    if (id !== undefined) work(redcap, id, pick);
  };
}

function remove(redcap: ModelRedcap, id: string): void {
  redcap.records.delete(id);
  redcap.changed();
}

function removeRows(redcap: ModelRedcap, id: string, isGone: (place: string) => boolean): void {
  const record = redcap.records.get(id);
  if (record === undefined) return;
  for (const place of [...record.rows.keys()]) if (isGone(place)) record.rows.delete(place);
  if (record.rows.size === 0) redcap.records.delete(id);
  redcap.changed();
}

function rename(redcap: ModelRedcap, id: string, to: string): void {
  const record = redcap.records.get(id);
  if (record === undefined || redcap.records.has(to)) return;
  redcap.records.delete(id);
  redcap.records.set(to, record);
  redcap.note(`Update record ${id}`, `id = '${to}'`, id);
  redcap.changed();
}

const create: Operation = (redcap, pick) => {
  const id = String(pick(30) + 1);
  if (redcap.records.has(id)) return;
  write(redcap, id, 'x', String(pick(4)));
  redcap.note(`Create record ${id}`, `id = '${id}', x = '1'`, id);
};

const change = onRecord((redcap, id, pick) => {
  write(redcap, id, pick(2) === 0 ? 'x' : 'y', String(pick(4)));
  redcap.note(`Update record ${id}`, `x = '1'`, id);
});

export const OPERATIONS: Readonly<Record<string, Operation>> = {
  create,
  change,
  'change again': change,
  'change an event': onRecord((redcap, id, pick) => {
    write(redcap, id, 'z', String(pick(4)), 'end_arm_1||');
    redcap.note(`Update record ${id} (End (Arm 1: A))`, `z = '1'`, id);
  }),
  'change in another arm': onRecord((redcap, id, pick) => {
    write(redcap, id, 'x', String(pick(4)), 'start_arm_2||');
    redcap.note(`Update record ${id}`, `x = '1'`, id);
  }),
  'write an instance': onRecord((redcap, id, pick) => {
    write(redcap, id, 'drug', String(pick(4)), `start_arm_1|meds|${pick(3) + 1}`);
    redcap.note(`Update record ${id}`, `[instance = 2], drug = 'a'`, id);
  }),
  'delete an instance': onRecord((redcap, id, pick) => {
    const gone = `start_arm_1|meds|${pick(3) + 1}`;
    removeRows(redcap, id, (place) => place === gone);
    redcap.note(`Update record ${id}`, '[instance = 2]', id);
  }),
  'fill by a survey': onRecord((redcap, id, pick) => {
    write(redcap, id, 'y', `s${pick(4)}`);
    redcap.note(`Update Response ${id}`, `y = 's'`, id);
  }),
  'an unknown text': onRecord((redcap, id, pick) => {
    write(redcap, id, 'y', `u${pick(4)}`);
    redcap.note('Something new', '', id);
  }),
  delete: onRecord((redcap, id) => {
    remove(redcap, id);
    redcap.note(`Delete record ${id}`, `id = '${id}'`, id);
  }),
  'delete and create again': onRecord((redcap, id, pick) => {
    remove(redcap, id);
    redcap.note(`Delete record ${id}`, `id = '${id}'`, id);
    write(redcap, id, 'x', String(pick(4)));
    redcap.note(`Create record ${id}`, `id = '${id}'`, id);
  }),
  'delete without log': onRecord((redcap, id) => {
    redcap.log = redcap.log.filter((row) => row.record !== id);
    remove(redcap, id);
  }),
  rename: onRecord((redcap, id, pick) => rename(redcap, id, `r${pick(30)}`)),
  'rename twice': onRecord((redcap, id, pick) => {
    const between = `t${pick(30)}`;
    rename(redcap, id, between);
    rename(redcap, between, `r${pick(30)}`);
  }),
  'swap two names': onRecord((redcap, id, pick) => {
    const other = someRecord(redcap, pick);
    if (other === undefined || other === id) return;
    rename(redcap, id, 'swap');
    rename(redcap, other, id);
    rename(redcap, 'swap', other);
  }),
  'rename and change': onRecord((redcap, id, pick) => {
    const to = `r${pick(30)}`;
    rename(redcap, id, to);
    if (redcap.records.has(to)) write(redcap, to, 'x', String(pick(9)));
    redcap.note(`Update record ${to}`, `x = '1'`, to);
  }),
  regroup: onRecord((redcap, id, pick) => {
    const record = redcap.records.get(id);
    if (record !== undefined) record.group = ['', 'north', 'south'][pick(3)] ?? '';
    redcap.changed();
    if (pick(2) === 0) redcap.note(`Update record ${id}`, "redcap_data_access_group = 'north'", id);
  }),
  'delete a group': (redcap) => {
    for (const record of redcap.records.values()) if (record.group === 'north') record.group = '';
    redcap.changed();
    redcap.note('Manage/Design ', 'Delete data access group');
  },
  'delete the data of an event': (redcap) => {
    for (const id of [...redcap.records.keys()]) removeRows(redcap, id, (place) => place.startsWith('end_'));
    redcap.note('Manage/Design ', 'Delete event');
  },
  'delete an arm of a record': onRecord((redcap, id) => {
    removeRows(redcap, id, (place) => place.includes('arm_2'));
    redcap.note(`Delete record ${id}`, 'arm 2', id);
  }),
  'delete an event': (redcap, pick) => {
    if (redcap.events.length < 2) return;
    const [gone = ''] = redcap.events.splice(1 + pick(redcap.events.length - 1), 1);
    for (const id of [...redcap.records.keys()])
      removeRows(redcap, id, (place) => place.startsWith(`${gone}|`));
    redcap.note('Manage/Design ', 'Delete event');
  },
  'add a field': (redcap, pick) => {
    const name = `f${redcap.fields.length}_${pick(100)}`;
    redcap.fields.push(field(name, 'visit'));
    redcap.note('Manage/Design ', 'Create project field');
  },
  'remove a field': (redcap) => {
    const gone = redcap.fields.length > 3 ? redcap.fields.pop() : undefined;
    if (gone !== undefined) redcap.note('Manage/Design ', 'Delete project field');
  },
  'change the dictionary unseen': (redcap, pick) => {
    redcap.fields.push(field(`g${redcap.fields.length}_${pick(100)}`, 'visit'));
  },
  import: (redcap, pick) => {
    for (let at = 0; at < 5; at++) {
      const id = String(pick(30) + 1);
      const kind = redcap.records.has(id) ? 'Update' : 'Create';
      write(redcap, id, 'y', `i${pick(4)}`);
      redcap.note(`${kind} record (API) ${id}`, `y = 'i'`, id);
    }
  },
  'change unseen': onRecord((redcap, id, pick) => write(redcap, id, 'x', `h${pick(4)}`)),
  'erase all': (redcap) => {
    redcap.records.clear();
    redcap.changed();
  },
  'purge the log': (redcap) => {
    redcap.log = [];
  },
  'set the clock for winter': (redcap) => {
    if (redcap.zone === 120) redcap.zone = 60;
  },
  'set the clock for summer': (redcap) => {
    if (redcap.zone === 60) redcap.zone = 120;
  },
  'set the clock wrong': (redcap, pick) => {
    redcap.zone = [120, -3000, 5000][pick(3)] ?? 120;
  },
  'lose or get the right to the log': (redcap) => {
    redcap.mayReadLog = !redcap.mayReadLog;
  },
  'be late with the log': (redcap, pick) => {
    redcap.logLagMs = pick(2) * 12 * MINUTE;
  },
  'be stale': (redcap, pick) => {
    redcap.staleMs = pick(2) * 6 * MINUTE;
  },
};

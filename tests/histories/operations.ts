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

/** What leaves no entry that names a record and changes no list of ids or design: it is found by the next sweep. */
export const TRACELESS: ReadonlySet<string> = new Set([
  'delete without log',
  'delete the data of an event',
  'delete the data of a form',
  'let an instrument repeat, or no longer',
  'change the dictionary unseen',
  'change unseen',
  'change, and remove the entries',
  'set the clock wrong',
  'lose or get the right to the log',
]);

/** Texts that REDCap gives to entries of a record, other than the usual ones. */
const TEXTS = [
  (id: string) => `Uploaded Document ${id}`,
  (id: string) => `Deleted Document ${id}`,
  (id: string) => `Randomize Record ${id}`,
  (id: string) => `E-signature ${id}`,
  (id: string) => `Lock/Unlock Record ${id}`,
  (id: string) => `Update record (import) ${id}`,
  (id: string) => `Update record${id}`,
  () => 'Something new',
];

export const OPERATIONS: Readonly<Record<string, Operation>> = {
  create,
  change,
  'change again': change,
  'change an event': onRecord((redcap, id, pick) => {
    if (!redcap.events.includes('end_arm_1')) return;
    write(redcap, id, 'z', String(pick(4)), `end_arm_1||${pick(2) + 1}`);
    redcap.note(`Update record ${id} (End (Arm 1: A))`, `z = '1'`, id);
  }),
  'change in another arm': onRecord((redcap, id, pick) => {
    if (!redcap.events.includes('start_arm_2')) return;
    write(redcap, id, 'x', String(pick(4)), 'start_arm_2||');
    redcap.note(`Update record ${id}`, `x = '1'`, id);
  }),
  'write an instance': onRecord((redcap, id, pick) => {
    write(
      redcap,
      id,
      'drug',
      String(pick(4)),
      redcap.isRepeating ? `start_arm_1|meds|${pick(3) + 1}` : 'start_arm_1||',
    );
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
  'change with another text': onRecord((redcap, id, pick) => {
    write(redcap, id, 'y', `u${pick(4)}`);
    redcap.note(TEXTS[pick(TEXTS.length)]?.(id) ?? '', '', id);
  }),
  'empty a value': onRecord((redcap, id) => {
    write(redcap, id, 'x', '');
    redcap.note(`Update record ${id}`, "x = ''", id);
  }),
  'a missing data code': onRecord((redcap, id) => {
    write(redcap, id, 'x', 'NA');
    redcap.note(`Update record ${id}`, "x = 'NA'", id);
  }),
  'delete the data of a form of a record': onRecord((redcap, id) => {
    for (const values of redcap.records.get(id)?.rows.values() ?? []) values.delete('z');
    redcap.changed();
    redcap.note(`Update record ${id}`, "z = ''", id);
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
  'delete the data of a form': (redcap) => {
    for (const { rows } of redcap.records.values()) for (const values of rows.values()) values.delete('z');
    redcap.changed();
    redcap.note('Manage/Design ', 'Delete data collection instrument');
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
  'add an event': (redcap) => {
    const gone = ['start_arm_1', 'end_arm_1', 'start_arm_2'].find((name) => !redcap.events.includes(name));
    if (gone === undefined) return;
    redcap.events.push(gone);
    redcap.note('Manage/Design ', 'Create event');
  },
  'delete an arm': (redcap) => {
    redcap.events = redcap.events.filter((name) => !name.endsWith('arm_2'));
    for (const id of [...redcap.records.keys()]) removeRows(redcap, id, (place) => place.includes('arm_2'));
    redcap.note('Manage/Design ', 'Delete arm');
  },
  'let an instrument repeat, or no longer': (redcap) => {
    redcap.isRepeating = !redcap.isRepeating;
    for (const [id, { rows }] of redcap.records) {
      const [from, to] = redcap.isRepeating
        ? ['start_arm_1||', 'start_arm_1|meds|1']
        : ['start_arm_1|meds|1', 'start_arm_1||'];
      const drug = rows.get(from)?.get('drug');
      rows.get(from)?.delete('drug');
      if (drug !== undefined) write(redcap, id, 'drug', drug, to);
      if (!redcap.isRepeating) removeRows(redcap, id, (place) => place.includes('|meds|'));
    }
    redcap.changed();
    redcap.note('Manage/Design ', 'Set up repeating instruments');
  },
  'rename a field': (redcap, pick) => {
    const [at, to] = [1 + pick(redcap.fields.length - 1), `n${pick(1000)}`];
    const old = redcap.fields[at];
    if (old === undefined || ['x', 'y', 'z', 'drug'].includes(old.name)) return;
    redcap.fields[at] = { ...old, name: to };
    for (const { rows } of redcap.records.values())
      for (const values of rows.values()) {
        const value = values.get(old.name);
        if (value !== undefined) values.delete(old.name);
        if (value !== undefined) values.set(to, value);
      }
    redcap.changed();
    redcap.note('Manage/Design ', 'Edit project field');
  },
  'change a type': (redcap, pick) => {
    const types = ['', 'integer', 'number', 'date_ymd'];
    redcap.fields = redcap.fields.map((each) =>
      each.name === 'x' ? { ...each, validationType: types[pick(4)] ?? '' } : each,
    );
    redcap.note('Manage/Design ', 'Edit project field');
  },
  'fill a new field': onRecord((redcap, id, pick) => {
    const { name } = redcap.fields.at(-1) ?? { name: 'x' };
    write(redcap, id, name, String(pick(4)));
    redcap.note(`Update record ${id}`, `${name} = '1'`, id);
  }),
  'set missing data codes': (redcap) => {
    redcap.missingDataCodes = redcap.missingDataCodes === '' ? 'NA, Not available' : '';
    redcap.note('Manage/Design ', 'Edit project settings');
  },
  'add a field': (redcap, pick) => {
    const name = `f${redcap.fields.length}_${pick(100)}`;
    redcap.fields.push(field(name, 'visit'));
    redcap.note('Manage/Design ', 'Create project field');
  },
  'remove a field': (redcap) => {
    const gone = redcap.fields.length > 5 ? redcap.fields.pop() : undefined;
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
  'change, and remove the entries': onRecord((redcap, id, pick) => {
    write(redcap, id, 'x', `d${pick(4)}`);
    redcap.log = redcap.log.filter((row) => row.record !== id);
  }),
  'put the user into a group, or out of it': (redcap) => {
    redcap.userGroup = redcap.userGroup === '' ? 'north' : '';
    redcap.note('Manage/Design ', 'Assign user to data access group');
  },
  'take the right to a form, or give it back': (redcap) => {
    redcap.hiddenInstrument = redcap.hiddenInstrument === '' ? 'visit' : '';
    redcap.note('Edit user u', "user = 'u'");
  },
  'take the right to export half-way': (redcap, pick) => {
    redcap.forbidAfter = pick(5);
  },
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

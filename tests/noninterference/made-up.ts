import { parseChoices } from '../../src/dictionary/choices.js';
import type { Field } from '../../src/dictionary/field.js';
import type { SeededRandom } from '../../src/sandbox/demo-study/random.js';
import type { LogEntry } from '../../src/sandbox/redcap/action-log.js';
import type { Study, StudyFile, StudyUser } from '../../src/sandbox/redcap/study.js';
import type { Design } from './designs.js';
import {
  armOf,
  decidingOf,
  recordsOf,
  smallerStudy,
  type Person,
  type Rules,
  type Smaller,
} from './smaller-study.js';

type Row = Study['rows'][number];
type Cells = Record<string, string>;

/** A policy and whom it is for. */
export interface Case {
  readonly rules: Rules;
  readonly accepted: ReadonlySet<string>;
  readonly person: Person;
  /** The REDCap user with the address of the person, whose rights the rules are, in place of a policy. */
  readonly mirrored?: StudyUser;
}

/** The address of a record, by which it is somebody's own. */
export const addressOf = (record: string): string => `${record.toLowerCase()}@example.org`;

/** Makes values up, each text another one, that begin with a word which is nowhere else. */
export class MadeUp {
  #count = 0;

  constructor(
    private readonly random: SeededRandom,
    private readonly word: string,
  ) {}

  /** @returns a study with records of all groups at all events */
  study(design: Design, records: number): Study {
    const groups = ['', ...(design.groups ?? []).map(({ uniqueName }) => uniqueName)];
    const rows: Row[] = [];
    for (let number = 1; number <= records; number++) {
      const id = `${number % 3 === 0 ? 'NORTH' : 'R'}-${100 + number}`;
      rows.push(...this.#record(design, id, groups[number % groups.length] ?? ''));
    }
    const study = { ...design, rows };
    return {
      ...study,
      files: rows.flatMap((row) => this.filesOf(study, row)),
      log: rows.map((row, at) => entryOf(study, row, at)),
    };
  }

  #record(design: Design, id: string, group: string): Row[] {
    const start = { [idOf(design)]: id, ...(group !== '' && { redcap_data_access_group: group }) };
    const events = design.events.length === 0 ? [''] : design.events.map(({ uniqueName }) => uniqueName);
    const rows = events.flatMap((event, at): Row[] => {
      if (at > 0 && this.random.chance(0.4)) return [];
      const named = event === '' ? start : { ...start, redcap_event_name: event };
      const forms = formsAt(design, event);
      const repeats = (instrument: string): boolean =>
        design.repeating.some((each) => each.uniqueEventName === event && each.instrument === instrument);
      const instances = (): string[] => ['1', '2', '3'].slice(0, this.random.integer(0, 3));
      if (repeats(''))
        return instances().map((redcap_repeat_instance) => ({
          ...named,
          redcap_repeat_instance,
          ...this.#cells(design, forms, id),
        }));
      return [
        {
          ...named,
          ...this.#cells(
            design,
            forms.filter((form) => !repeats(form)),
            id,
          ),
        },
        ...forms.filter(repeats).flatMap((form) =>
          instances().map((redcap_repeat_instance) => ({
            ...named,
            redcap_repeat_instrument: form,
            redcap_repeat_instance,
            ...this.#cells(design, [form], id),
          })),
        ),
      ];
    });
    // A row is there for its values.
    return rows.filter((row) => Object.keys(row).some((name) => name.endsWith('_complete')));
  }

  /** Forms are saved, saved in part, or never begun. */
  #cells(design: Design, forms: readonly string[], record: string): Cells {
    const cells: Cells = {};
    for (const form of forms) {
      if (this.random.chance(0.25)) continue;
      for (const field of design.fields.slice(1).filter(({ instrument }) => instrument === form))
        if (this.random.chance(0.75)) Object.assign(cells, this.cellsOf(field, record));
      cells[`${form}_complete`] = String(this.random.integer(0, 2));
      if (this.random.chance(0.5) && design.surveys?.some(({ instrument }) => instrument === form))
        cells[`${form}_timestamp`] = `2026-02-${this.#two(28)} 10:${this.#two(59)}:00`;
    }
    // The address is the one value that has to be known.
    if (cells['intake_complete'] !== undefined) cells['email'] = addressOf(record);
    return cells;
  }

  /** @returns a value for the cells of a field, unlike any other if it is a text */
  cellsOf({ name, type, validationType, choicesOrCalculations }: Field, record: string): Cells {
    switch (type) {
      case 'descriptive':
        return {};
      case 'checkbox': {
        const codes = parseChoices(choicesOrCalculations).map(({ code }) => code);
        return Object.fromEntries(
          codes.map((code) => [
            `${name}___${code.toLowerCase().replaceAll('-', '_')}`,
            String(Number(this.random.chance(0.5))),
          ]),
        );
      }
      case 'radio':
      case 'dropdown': {
        const [first = '', ...others] = parseChoices(choicesOrCalculations).map(({ code }) => code);
        return { [name]: this.random.pick([first, ...others, 'UNK']) };
      }
      case 'yesno':
      case 'truefalse':
        return { [name]: this.random.pick(['0', '1', '-9']) };
      case 'slider':
        return { [name]: String(this.random.integer(0, 100)) };
      case 'calc':
        return { [name]: this.#number() };
      case 'file':
        return { [name]: `${this.text()}.pdf` };
      default:
        return { [name]: this.#text(validationType, record) };
    }
  }

  #text(validation: string, record: string): string {
    if (validation === 'email') return `${this.text()}.${addressOf(record)}`;
    if (validation.startsWith('date_'))
      return `19${this.#two(99)}-0${this.random.integer(1, 9)}-${this.#two(28)}`;
    if (validation.startsWith('datetime_'))
      return `2026-03-${this.#two(28)} 1${this.random.integer(0, 9)}:30`;
    if (validation === 'integer') return this.#number().replace('.', '');
    if (validation.startsWith('number')) return this.#number();
    return validation === '' ? this.text() : '';
  }

  /** A text that is nowhere else, with a letter that is escaped in every format. */
  text(): string {
    this.#count += 1;
    return `${this.word}q${this.#count}z`;
  }

  #number(): string {
    this.#count += 1;
    return `${70_000 + this.#count}.${this.random.integer(1, 9)}`;
  }

  #two(most: number): string {
    return String(this.random.integer(1, most)).padStart(2, '0');
  }

  filesOf(study: Design, row: Row): StudyFile[] {
    return study.fields
      .filter(({ name, type }) => type === 'file' && (row[name] ?? '') !== '')
      .map(({ name }) => ({
        record: row[idOf(study)] ?? '',
        event: row['redcap_event_name'] ?? '',
        instrument: row['redcap_repeat_instrument'] ?? '',
        instance: Number(row['redcap_repeat_instance'] ?? 0),
        field: name,
        name: row[name] ?? '',
        type: 'application/pdf',
        bytes: Buffer.from(`%PDF ${row[name] ?? ''}`),
      }));
  }

  /**
   * @returns a study of which the same is left under the policy, and in which as much as possible of the rest is another
   * @throws {Error} it is not: a mistake of this function
   */
  twinOf(study: Study, { rules, accepted, person, mirrored }: Case, smaller: Smaller): Study {
    const idName = idOf(study);
    const deciding = decidingOf(rules);
    const decides = (column: string): boolean => column.split('___')[0] === deciding;
    const left = new Map(smaller.study.rows.map((row) => [keyOf(row, idName), row]));
    const rows = study.rows.flatMap((row): Row[] => {
      const id = row[idName] ?? '';
      const kept = left.get(keyOf(row, idName));
      const isOwn = smaller.chosen.has(id);
      // That a record exists in an arm is visible.
      const isFirst =
        study.rows.find((other) => other[idName] === id && armOf(study, other) === armOf(study, row)) === row;
      const mayGo = kept === undefined && !(isOwn && isFirst) && !Object.keys(row).some(decides);
      if (mayGo && this.random.chance(0.3)) return [];
      const cells: Cells = {};
      for (const [name, value] of Object.entries(row)) {
        const isStructure = name === idName || name.startsWith('redcap_') || decides(name);
        if (isStructure || name in (kept ?? {})) cells[name] = value;
      }
      for (const field of study.fields.slice(1)) {
        const isIn = formsAt(study, row['redcap_event_name'] ?? '').includes(field.instrument);
        const repeated = row['redcap_repeat_instrument'] ?? '';
        const isPlace =
          repeated === '' ? !repeatsAt(study, row, field.instrument) : repeated === field.instrument;
        if (!isIn || !isPlace || decides(field.name)) continue;
        const isRowShown = isOwn && isEventShown(smaller, row);
        if (isRowShown && smaller.fields.has(field.name)) continue;
        // Whoever saves a value saves the status of its form, which may be visible.
        const status = `${field.instrument}_complete`;
        const isFormShown = isRowShown && smaller.forms.has(field.instrument);
        if (isFormShown && kept?.[status] === undefined) continue;
        if (decides(status) && cells[status] === undefined) continue;
        if (this.random.chance(0.7)) Object.assign(cells, this.cellsOf(field, id));
        if (!isFormShown && !decides(status)) cells[status] = String(this.random.integer(0, 2));
      }
      return [cells];
    });
    const others = this.#others(study, rules, smaller);
    const chosen = recordsOf({ ...study, rows: others }, rules, person);
    const all = [...rows, ...others.filter((row) => !chosen.has(row[idName] ?? ''))];
    const hidden = study.fields.filter(({ name }) => !smaller.fields.has(name));
    const twin: Study = {
      ...study,
      fields: study.fields.map((field) =>
        hidden.includes(field) ? { ...field, label: this.text(), note: this.text() } : field,
      ),
      events: study.events.map((event) =>
        smaller.study.events.some(({ uniqueName }) => uniqueName === event.uniqueName)
          ? event
          : { ...event, label: this.text() },
      ),
      users: [
        ...study.users.slice(0, 1),
        ...study.users.slice(1).map((user) => ({
          ...user,
          firstName: this.text(),
          lastName: this.text(),
          group: user === mirrored ? user.group : this.random.pick(['', 'north', 'south']),
        })),
      ],
      groups: (study.groups ?? []).map((group) =>
        smaller.study.groups?.some(({ id }) => id === group.id) ? group : { ...group, name: this.text() },
      ),
      reports: [
        ...(study.reports ?? []).filter(({ id }) => rules.reports?.includes(id)),
        { id: 2, title: this.text(), fields: ['record_id'], filterLogic: '' },
      ],
      rows: all,
    };
    const files = visibleFirst(
      all.flatMap((row) => this.filesOf(twin, row)),
      smaller,
    );
    const entries = (study.log ?? [])
      .filter((entry) => smaller.logged.has(entry))
      .map((entry) => ({ ...entry, details: this.#withOthers(entry.details, smaller) }));
    const log = all
      .map((row, at) => entryOf(twin, row, at))
      .filter(({ record }) => !smaller.chosen.has(record));
    const half = Math.floor(log.length / 2);
    const whole = { ...twin, files, log: [...log.slice(half), ...entries, ...log.slice(0, half)] };
    const again = smallerStudy(whole, rules, accepted, person).study;
    for (const [name, value] of Object.entries(smaller.study))
      if (JSON.stringify(again[name as keyof Study]) !== JSON.stringify(value))
        throw new Error(`The twin differs in what is visible: ${name}.`);
    return whole;
  }

  /** The details of a log entry with other values of what is hidden. */
  #withOthers(details: string, { fields, forms }: Smaller): string {
    return details.replace(/([a-z_]+) = '[^']*'/g, (part, name: string) =>
      fields.has(name) || forms.has(name.replace(/_complete$/, '')) ? part : `${name} = '${this.text()}'`,
    );
  }

  /** Records that nobody sees: of other groups, or of other people. */
  #others(study: Study, { records }: Rules, smaller: Smaller): Row[] {
    if (records === 'all') return [];
    const shown = new Set(smaller.study.groups?.map(({ uniqueName }) => uniqueName));
    const groups = (study.groups ?? [])
      .map(({ uniqueName }) => uniqueName)
      .filter((name) => !shown.has(name));
    return ['R-050', 'R-500', 'NORTH-999']
      .filter(() => this.random.chance(0.7))
      .flatMap((id) => this.#record(study, id, groups[this.random.integer(0, groups.length - 1)] ?? ''));
  }
}

/**
 * Puts visible files first. The numbers of documents come from one sequence for all projects of a server, so that they
 * tell how many others there are: the one thing that neither a policy nor a project of its own hides.
 */
export function visibleFirst(files: readonly StudyFile[], { study }: Smaller): StudyFile[] {
  const keyOf = ({ bytes: _bytes, type: _type, ...place }: StudyFile): string => JSON.stringify(place);
  const visible = new Map((study.files ?? []).map((file, at) => [keyOf(file), at]));
  const order = (file: StudyFile): number => visible.get(keyOf(file)) ?? visible.size;
  return files.toSorted((one, other) => order(one) - order(other));
}

/** What REDCap logs when a row is saved: with its values. @see docs/protocol/redcap.md 13.2 (client) */
function entryOf(design: Design, row: Row, at: number): LogEntry {
  const record = row[idOf(design)] ?? '';
  const event = design.events.find(({ uniqueName }) => uniqueName === row['redcap_event_name']);
  const arm = design.arms.find(({ number }) => number === event?.armNumber);
  const place = event === undefined ? '' : ` (${event.label} (Arm ${event.armNumber}: ${arm?.name ?? ''}))`;
  const instance = row['redcap_repeat_instance'];
  const cells = Object.entries(row)
    .filter(([name]) => name !== idOf(design) && !name.startsWith('redcap_') && !name.endsWith('_timestamp'))
    .map(([name, value]) => {
      const [field = '', code] = name.split('___');
      return code === undefined ? `${name} = '${value}'` : `${field}(${code}) = checked`;
    });
  return {
    at: `2026-02-${String(1 + Math.floor(at / 60)).padStart(2, '0')} 09:${String(at % 60).padStart(2, '0')}:00`,
    username: 'coordinator',
    kind: 'record_edit',
    action: `Update record ${record}${place}`,
    details: [...(instance === undefined ? [] : [`[instance = ${instance}]`]), ...cells].join(', '),
    record,
    group: row['redcap_data_access_group'] ?? '',
  };
}

export function idOf({ fields }: Pick<Design, 'fields'>): string {
  return fields[0]?.name ?? '';
}

function formsAt(design: Design, event: string): string[] {
  return event === ''
    ? design.instruments.map(({ name }) => name)
    : design.mappings
        .filter(({ uniqueEventName }) => uniqueEventName === event)
        .map(({ instrument }) => instrument);
}

function repeatsAt(design: Design, row: Row, instrument: string): boolean {
  return design.repeating.some(
    (each) => each.uniqueEventName === (row['redcap_event_name'] ?? '') && each.instrument === instrument,
  );
}

function isEventShown({ study }: Smaller, row: Row): boolean {
  return (
    study.events.length === 0 ||
    study.events.some(({ uniqueName }) => uniqueName === row['redcap_event_name'])
  );
}

function keyOf(row: Row, idName: string): string {
  return [idName, 'redcap_event_name', 'redcap_repeat_instrument', 'redcap_repeat_instance']
    .map((name) => row[name] ?? '')
    .join('\n');
}

/** @returns every text of a study that was made up */
export function madeUpTexts(study: Study, word: string): Set<string> {
  const text = JSON.stringify({ ...study, files: study.files?.map(({ name }) => name) });
  return new Set(text.match(new RegExp(`${word}q\\d+z`, 'g')));
}

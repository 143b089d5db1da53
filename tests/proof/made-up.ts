import { parseChoices } from '../../src/domain/dictionary/choices.js';
import type { Field } from '../../src/domain/dictionary/field.js';
import type { SeededRandom } from '../../src/sandbox/demo-study/made-up.js';
import type { LogEntry } from '../../src/sandbox/redcap/action-log.js';
import type { Study, StudyFile, StudyUser } from '../../src/sandbox/redcap/study.js';
import { decidingOf, type Rules } from './chosen-records.js';
import { Deidentified } from './deidentified.js';
import type { Change } from './deidentified-fields.js';
import type { Granted } from './smaller-study.js';

/** A project without records. */
export type Design = Omit<Study, 'rows'>;

type Row = Study['rows'][number];
type Cells = Record<string, string>;

export interface Case extends Granted {
  /** The REDCap user with the address of the person, whose rights the rules are, in place of a policy. */
  readonly mirrored?: StudyUser;
}

/** The address of the record with a number, by which it is somebody's own. */
export const addressOf = (number: number): string => `r-${number}@example.org`;

/** Makes values up, each text another one, that begin with a word which is nowhere else. */
export class MadeUp {
  #count = 0;
  readonly #codes: readonly string[];
  readonly #deciding: ReadonlySet<string>;
  readonly #decisive: readonly string[];
  readonly #changes: ReadonlyMap<string, Change>;

  /** @param owned the field with the address of whom a record is about, if the design has one */
  constructor(
    private readonly random: SeededRandom,
    private readonly word: string,
    private readonly design: Design,
    { rules, identifying }: Case,
    private readonly owned = ownedBy(rules),
  ) {
    this.#codes = parseChoices(design.project.missingDataCodes).map(({ code }) => code);
    this.#deciding = decidingOf(design, rules);
    this.#decisive = literalsIn(rules);
    this.#changes = Deidentified.of(design, rules, identifying)?.changes ?? new Map();
  }

  /** @returns a study with records of all groups at all events */
  study(records: number): Study {
    const { design } = this;
    const groups = ['', ...(design.groups ?? []).map(({ uniqueName }) => uniqueName)];
    const rows: Row[] = [];
    for (let number = 1; number <= records; number++)
      rows.push(...this.record(this.recordId(100 + number), groups[number % groups.length] ?? ''));
    const study = { ...design, rows };
    return {
      ...study,
      files: rows.flatMap((row) => this.filesOf(study, row)),
      log: rows.map((row, at) => entryOf(study, row, at)),
    };
  }

  /** @returns an id of a form that the project may have: a text that is nowhere else, if it may be one */
  recordId(number: number): string {
    return this.design.fields[0]?.validationType === ''
      ? `${this.word}q00${String(number).padStart(3, '0')}z`
      : String(number);
  }

  /** @returns the rows of one record */
  record(id: string, group: string): Row[] {
    const { design } = this;
    const start = { [idOf(design)]: id, ...(group !== '' && { redcap_data_access_group: group }) };
    const events = design.events.length === 0 ? [''] : design.events.map(({ uniqueName }) => uniqueName);
    const rows = events.flatMap((event, at): Row[] => {
      if (at > 0 && this.random.chance(0.4)) return [];
      const named = event === '' ? start : { ...start, redcap_event_name: event };
      const forms = formsAt(design, event);
      const repeats = (instrument: string): boolean =>
        design.repeating.some((each) => each.event === event && each.instrument === instrument);
      const instances = (): string[] => ['1', '2', '3'].slice(0, this.random.integer(0, 3));
      if (repeats(''))
        return instances().map((redcap_repeat_instance) => ({
          ...named,
          redcap_repeat_instance,
          ...this.#cells(forms, id),
        }));
      return [
        {
          ...named,
          ...this.#cells(
            forms.filter((form) => !repeats(form)),
            id,
          ),
        },
        ...forms.filter(repeats).flatMap((form) =>
          instances().map((redcap_repeat_instance) => ({
            ...named,
            redcap_repeat_instrument: form,
            redcap_repeat_instance,
            ...this.#cells([form], id),
          })),
        ),
      ];
    });
    // A row is there for its values.
    return rows.filter((row) => Object.keys(row).some((name) => name.endsWith('_complete')));
  }

  /** Forms are saved, saved in part, or never begun. */
  #cells(forms: readonly string[], record: string): Cells {
    const { design } = this;
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
    const own = design.fields.find(({ name }) => name === this.owned);
    if (own !== undefined && cells[`${own.instrument}_complete`] !== undefined)
      cells[own.name] = ownAddress(record);
    return cells;
  }

  /** @returns a value for the cells of a field, unlike any other if it is a text */
  cellsOf({ name, type, validationType, choicesOrCalculations }: Field, record: string): Cells {
    const [decisive, ...others] = this.#deciding.has(name) && DECIDES.has(type) ? this.#decisive : [];
    if (decisive !== undefined && this.random.chance(0.5))
      return { [name]: this.random.pick([decisive, ...others]) };
    const change = this.#changes.get(name);
    if (change !== undefined) return { [name]: this.#changing(change, validationType, record) };
    switch (type) {
      case 'descriptive':
        return {};
      case 'checkbox': {
        const codes = parseChoices(choicesOrCalculations).map(({ code }) => code);
        return Object.fromEntries(
          [...codes, ...this.#codes].map((code) => [
            `${name}___${code.toLowerCase().replaceAll('-', '_')}`,
            String(Number(this.random.chance(0.5))),
          ]),
        );
      }
      case 'radio':
      case 'dropdown': {
        const [first = '', ...others] = parseChoices(choicesOrCalculations).map(({ code }) => code);
        return { [name]: this.random.pick([first, ...others, ...this.#codes.slice(0, 1)]) };
      }
      case 'yesno':
      case 'truefalse':
        return { [name]: this.random.pick(['0', '1', ...this.#codes.slice(1, 2)]) };
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

  /** A value that is changed, a missing data code, or a text that is no value of the field and so becomes blank. */
  #changing(change: Change, validation: string, record: string): string {
    const kind = this.random.integer(1, 8);
    if (kind === 1) return this.text();
    if (kind === 2) return this.#codes[0] ?? '';
    if (change === 'age') return String(this.random.integer(1, 119));
    if (change !== 'zip') return this.#text(validation, record);
    return this.random.pick([`036${this.#two(99)}`, `021${this.#two(99)}-1000`]);
  }

  /** Another day of a year, or another place of an area; undefined if a value has none. */
  like(value: string, change: Change): string | undefined {
    if (change === 'year' && /^\d{4}-\d\d-\d\d/.test(value))
      return `${value.slice(0, 4)}-0${this.random.integer(1, 9)}-${this.#two(28)}${value.slice(10)}`;
    return change === 'zip' && /^\d{5}/.test(value) ? `${value.slice(0, 3)}${this.#two(99)}` : undefined;
  }

  #text(validation: string, record: string): string {
    if (validation === 'email') return `${this.text()}.${ownAddress(record)}`;
    if (validation.startsWith('date_')) {
      // Some days are shortly before what the log has of them.
      const month = this.random.chance(0.3) ? '2026-01' : `19${this.#two(99)}-0${this.random.integer(1, 9)}`;
      return `${month}-${this.#two(28)}`;
    }
    if (validation.startsWith('datetime_'))
      return `2026-03-${this.#two(28)} 1${this.random.integer(0, 9)}:30`;
    if (validation === 'integer') return this.#number().replace('.', '');
    if (validation.startsWith('number'))
      return validation.includes('comma') ? this.#number().replace('.', ',') : this.#number();
    return validation === '' ? this.text() : (this.#formatted(validation) ?? '');
  }

  /** Texts of forms that other validations ask for; of one that nobody knows there are none. */
  #formatted(validation: string): string | undefined {
    const digits = (count: number): string =>
      Array.from({ length: count }, () => this.random.integer(1, 9)).join('');
    const forms: Readonly<Record<string, () => string>> = {
      phone: () => `555-555-${digits(4)}`,
      ssn: () => `${digits(3)}-${digits(2)}-${digits(4)}`,
      zipcode: () => digits(5),
      time: () => `1${this.random.integer(0, 9)}:30`,
      time_hh_mm_ss: () => `1${this.random.integer(0, 9)}:30:15`,
      time_mm_ss: () => `1${this.random.integer(0, 9)}:30`,
      alpha_only: () => digits(8).replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit))),
    };
    return forms[validation]?.();
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
}

/** The fields of which a condition may ask for a value that would hardly be made up. */
const DECIDES: ReadonlySet<string> = new Set(['text', 'notes', 'calc', 'slider']);

/** Ids end with their number, which an address has too, but not the id. */
function ownAddress(record: string): string {
  return addressOf(Number(/\d+(?=z?$)/.exec(record)?.[0]));
}

function ownedBy({ records }: Rules): string | undefined {
  return typeof records === 'object' && 'own' in records ? records.own.field : undefined;
}

/** The values that a condition names, and those beside its numbers. */
function literalsIn({ records }: Rules): string[] {
  if (typeof records !== 'object' || !('where' in records)) return [];
  const named = [...records.where.matchAll(/'([^']+)'|"([^"]+)"|(?<![\w[(])(\d+(?:\.\d+)?)/g)].map(
    ([, single, double, number]) => single ?? double ?? number ?? '',
  );
  return named.flatMap((value) =>
    /^\d+$/.test(value) ? [value, `${Number(value) - 1}`, `${Number(value) + 1}`] : [value],
  );
}

/** What REDCap logs when a row is saved: with its values. @see docs/protocol/redcap.md 13.2 (client) */
export function entryOf(design: Design, row: Row, at: number): LogEntry {
  const record = row[idOf(design)] ?? '';
  const event = design.events.find(({ uniqueName }) => uniqueName === row['redcap_event_name']);
  const arm = design.arms.find(({ number }) => number === event?.arm);
  const place = event === undefined ? '' : ` (${event.label} (Arm ${event.arm}: ${arm?.name ?? ''}))`;
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

export function formsAt(design: Design, event: string): string[] {
  return event === ''
    ? design.instruments.map(({ name }) => name)
    : design.mappings.filter((each) => each.event === event).map(({ instrument }) => instrument);
}

export function repeatsAt(design: Design, row: Row, instrument: string): boolean {
  return design.repeating.some(
    (each) => each.event === (row['redcap_event_name'] ?? '') && each.instrument === instrument,
  );
}

/** @returns every text of a study that was made up */
export function madeUpTexts(study: Study, word: string): Set<string> {
  const text = JSON.stringify({ ...study, files: study.files?.map(({ name }) => name) });
  return new Set(text.match(new RegExp(`${word}q\\d+z`, 'g')));
}

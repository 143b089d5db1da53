import { createCipheriv, createHash, hkdfSync } from 'node:crypto';
import { parseChoices } from '../../src/domain/dictionary/choices.js';
import type { Field } from '../../src/domain/dictionary/field.js';
import { SPARSE_ZIP_AREAS } from '../../src/policy/deidentify/sparse-zip-areas.js';
import type { Study } from '../../src/sandbox/redcap/study.js';
import { NOW, type Rules } from './chosen-records.js';
import { fatesOf, type Deidentifying, type Fates } from './deidentified-fields.js';

/*
 * What docs/deidentification.md says, once more. The names that say whose a value is and the sparse ZIP areas are lists,
 * and the one thing that is taken from the code that is proved.
 */

type Row = Study['rows'][number];

/** PSEUDONYM_KEY of every service that is proved. */
export const PSEUDONYM_KEY = 'ab'.repeat(32);
/** Whose pseudonyms they are: the policy, and the project, which is the first one of a sandbox. */
const SCOPE = 'proved in project 1';
/** The same for ids that are random in each export, which are drawn once for all rooms. */
export const DRAWN = 'drawn once';

/** What a policy makes of the values of a project. */
export class Deidentified implements Fates {
  readonly hidden: Fates['hidden'];
  readonly doubtful: Fates['doubtful'];
  readonly changes: Fates['changes'];
  /** Whether record ids are others: pseudonyms, or random for each export. */
  readonly ids: 'kept' | 'pseudonym' | 'random';
  /** The fields that do not mean what they mean in the project, for texts and logic that read them. */
  readonly changed: ReadonlySet<string>;
  readonly #idName: string;
  readonly #top: number | undefined;
  readonly #missing: ReadonlySet<string>;
  readonly #keys: ReturnType<typeof keysOf>;

  private constructor({ fields, project }: Pick<Study, 'fields' | 'project'>, rules: Deidentifying) {
    const { deidentify, transform } = rules;
    const [idField, ...others] = fields;
    const isStrict = deidentify === 'safe-harbor';
    const isFlagged = deidentify !== 'none' && idField?.isIdentifier === true;
    const ofPreset = isStrict ? 'random' : deidentify === 'limited' || isFlagged ? 'pseudonym' : 'kept';
    this.ids = transform.record_id ?? ofPreset;
    this.#idName = idField?.name ?? '';
    this.#top = transform.age?.top ?? (isStrict ? 90 : undefined);
    this.#missing = new Set(parseChoices(project.missingDataCodes).map(({ code }) => code));
    this.#keys = keysOf(this.ids === 'random' ? DRAWN : SCOPE, SCOPE);
    const idName = this.ids === 'kept' ? undefined : this.#idName;
    const { hidden, doubtful, changes } = fatesOf(others, rules, idName, this.#top);
    this.hidden = hidden;
    this.doubtful = doubtful;
    this.changes = changes;
    this.changed = new Set([...changes.keys(), ...(idName === undefined ? [] : [idName])]);
  }

  /** @returns undefined for a policy that shows values as they are */
  static of(
    study: Pick<Study, 'fields' | 'project'>,
    { deidentify = 'none', transform = {} }: Rules,
    identifying: readonly string[] = [],
  ): Deidentified | undefined {
    const isNone = deidentify === 'none' && Object.values(transform).every((each) => each === undefined);
    return isNone
      ? undefined
      : new Deidentified(study, { deidentify, transform, identifying: new Set(identifying) });
  }

  idOf(record: string): string {
    return this.ids === 'kept' ? record : this.#keys.pseudonymOf(record);
  }

  row(row: Row): Row {
    const id = row[this.#idName] ?? '';
    return Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        name === this.#idName ? this.idOf(id) : this.cell(name, value, id),
      ]),
    );
  }

  /** A value of another form than the change is for becomes blank, and a missing data code stays. */
  cell(name: string, value: string, record: string): string {
    const change = this.changes.get(name);
    if (change === undefined || value === '' || this.#missing.has(value)) return value;
    if (change === 'zip') {
      const [, area] = /^(\d{3})\d\d(?:-\d{4})?$/.exec(value) ?? [];
      return area !== undefined && SPARSE_ZIP_AREAS.has(area) ? '000' : (area ?? '');
    }
    const top = this.#top;
    if (change === 'age') {
      const isAge = /^\d{1,3}(?:[.,]\d{1,15})?$/.test(value);
      const isHigh = top !== undefined && Number(value.replace(',', '.')) >= top;
      return isAge ? (isHigh ? `${top}` : value) : '';
    }
    const [, day = '', time = ''] = /^(\d{4}-\d\d-\d\d)((?: \d\d:\d\d(?::\d\d)?)?)$/.exec(value) ?? [];
    const date = new Date(`${day}T00:00:00Z`);
    if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(day)) return '';
    if (change === 'shift') {
      date.setUTCDate(date.getUTCDate() - this.#keys.daysOf(record));
      return date.toISOString().slice(0, 10) + time;
    }
    const earliest = top === undefined ? 0 : NOW.getUTCFullYear() - top;
    return `${Math.max(date.getUTCFullYear(), earliest)}`;
  }

  /** What the data dictionary says of a field whose values are others. */
  field(field: Field): Field {
    const text = { ...field, type: 'text', validationType: '', validationMin: '', validationMax: '' };
    const change = this.changes.get(field.name);
    if (change === 'shift') return { ...field, validationMin: '', validationMax: '' };
    if (change === 'year') return { ...text, validationType: 'integer' };
    if (change === 'age' && field.type === 'calc')
      return { ...text, validationType: 'number', choicesOrCalculations: '' };
    return change === 'zip' || (this.changed.has(field.name) && change === undefined) ? text : field;
  }
}

/** Pseudonyms and shifts, as the documentation defines them. */
function keysOf(ids: string, dates: string) {
  const derived = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', Buffer.from(PSEUDONYM_KEY, 'hex'), '', `crf-service ${purpose}`, 32));
  const key = derived(`record ids of ${ids}`);
  const shiftKey = derived(`date shifts of ${dates}`).toString('base64url');
  const sha256 = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest();
  return {
    pseudonymOf: (record: string): string => {
      const bytes = Buffer.concat([Buffer.of(Buffer.byteLength(record)), Buffer.from(record)], 48);
      const wrapped = createCipheriv('id-aes256-wrap', key, Buffer.alloc(8, 0xa6)).update(bytes);
      return `p${sha256(key).toString('hex').slice(0, 4)}-${wrapped.toString('base64url')}`;
    },
    daysOf: (record: string): number => 1 + (sha256(`${shiftKey} ${record}`).readUInt32BE() % 364),
  };
}

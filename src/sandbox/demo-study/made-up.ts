import { toField } from '../../domain/dictionary/dictionary-csv.js';
import type { Field } from '../../domain/dictionary/field.js';
import { writePdf } from '../redcap/files/write-pdf.js';
import type { StudyFile } from '../redcap/study.js';

/** A first or last name, in one of several scripts, with an ASCII spelling for email addresses. */
interface Name {
  readonly text: string;
  readonly ascii: string;
}

const name = (text: string, ascii = text.toLowerCase()): Name => ({ text, ascii });

export const FIRST_NAMES: readonly [Name, ...Name[]] = [
  name('José', 'jose'),
  name('Łukasz', 'lukasz'),
  name('李', 'li'),
  name('Ольга', 'olga'),
  name('عائشة', 'aisha'),
  name('Zoë', 'zoe'),
  name('Márta', 'marta'),
  name('Søren', 'soren'),
  name('さくら', 'sakura'),
  name('Aïssatou', 'aissatou'),
  name('Grace'),
  name('Émile', 'emile'),
];

export const LAST_NAMES: readonly [Name, ...Name[]] = [
  name('García', 'garcia'),
  name('Wiśniewska', 'wisniewska'),
  name('小龙', 'xiaolong'),
  name('Иванова', 'ivanova'),
  name('الزهراء', 'alzahra'),
  name("O'Brien", 'obrien'),
  name('Müller', 'muller'),
  name('Nguyễn', 'nguyen'),
  name('田中', 'tanaka'),
  name('Hopper'),
  name('van der Berg', 'vanderberg'),
  name('Ó Súilleabháin', 'osuilleabhain'),
];

/** The day on which the made-up studies end unless another is given, `YYYY-MM-DD`: documentation and tests know it. */
export const LAST_DAY = '2026-11-03';

/** Returns a day of a study that ends on `LAST_DAY`, as it is in one that ends on another day. */
export function moved(day: string, until: string): string {
  const days = Date.parse(day) + Date.parse(until) - Date.parse(LAST_DAY);
  return new Date(days).toISOString().slice(0, 10);
}

/** A small pseudo-random number generator. The same seed produces the same numbers. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive), by the mulberry32 algorithm. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Returns a whole number between two limits, both inclusive. */
  integer(least: number, greatest: number): number {
    return least + Math.floor(this.next() * (greatest - least + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly [T, ...T[]]): T {
    return items[this.integer(0, items.length - 1)] ?? items[0];
  }

  /** Returns a number near a mean: the sum of three uniform numbers is close enough to a normal distribution. */
  around(mean: number, spread: number): number {
    return mean + (this.next() + this.next() + this.next() - 1.5) * spread;
  }
}

/**
 * Creates the signed consent form that a row names, so that every file of a study can be downloaded.
 *
 * @param day `YYYY-MM-DD`
 * @returns an empty list if the row names none
 */
export function consentForm(row: Readonly<Record<string, string>>, day: string): StudyFile[] {
  const { record_id: record = '', redcap_event_name: event = '', consent_form: name } = row;
  if (name === undefined) return [];
  return [
    {
      ...{ record, event, instrument: '', instance: 0, field: 'consent_form' },
      ...{ name, type: 'application/pdf' },
      bytes: writePdf(['Consent', `${record} consented on ${day}.`]),
    },
  ];
}

/** Reads the data dictionary of a made-up study: CSV with semicolons, without quotes. Cells at the end may be left out. */
export function fieldsOf(table: string): Field[] {
  const [header = [], ...rows] = table
    .trim()
    .split('\n')
    .map((line) => line.split(';'));
  return rows.map((cells) => toField((name) => cells[header.indexOf(name)] ?? ''));
}

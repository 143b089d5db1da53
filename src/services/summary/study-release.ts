import type { Field } from '../../domain/dictionary/field.js';
import { recruitmentWithoutSmall, isSmall, withoutSmall } from './small-cells.js';
import type { CompletenessCell, MissingField, StudySummary } from './study-summary.js';

/** The counts of a study from which it is decided what may be told. */
export interface StudyCounts {
  /** The summary with all counts. */
  readonly summary: StudySummary;
  /** The counts of every field, of which the summary names only those with the most empty values. */
  readonly fields: readonly FieldCounts[];
  readonly recordsOfArm: ReadonlyMap<number, number>;
}

/** How often a field was shown on a form that was begun, and how often it was then empty. */
export interface FieldCounts {
  readonly field: Pick<Field, 'name' | 'instrument'>;
  readonly shown: number;
  readonly missing: number;
  /** How many of the forms have a value although the branching logic hides the field; none by default. */
  readonly stray?: number;
}

/** What may be told of the forms of one instrument, at all its events. */
interface FormRelease {
  /** The cells of the completeness grid by event. */
  readonly cells: ReadonlyMap<string, CompletenessCell>;
  /** The number of forms. */
  readonly begun: number;
  /** Whether the number of forms may be known. Every field of the instrument tells it: values and missing ones. */
  readonly isTotalKnown: boolean;
  /** Whether the number of forms may be known for each event. */
  readonly areEventsKnown: boolean;
}

/**
 * Decides which counts a caller who may not read records is told, over everything that such a caller can see: the summary
 * and the distribution of every field. Figures of different answers add up. The values and the missing values of a field
 * are the forms of its instrument that were begun; with those not begun they are the records of the arm. So the
 * decision is made from the whole to its parts: the records, the arms, the forms of an instrument at an event, their
 * statuses. A part whose complement is small is omitted like a small one.
 */
export class StudyRelease {
  /** The summary without the counts that may not be known. */
  readonly summary: StudySummary;
  readonly threshold: number;
  readonly #counts: StudyCounts;
  readonly #fields: ReadonlyMap<string, FieldCounts>;
  readonly #forms: ReadonlyMap<string, FormRelease>;
  readonly #areArmsKnown: boolean;

  constructor(counts: StudyCounts, threshold: number) {
    this.#counts = counts;
    this.threshold = threshold;
    this.#fields = new Map(counts.fields.map((field) => [field.field.name, field]));
    this.#areArmsKnown = this.#mayKnowArms();
    this.#forms = this.#formReleases();
    this.summary = this.#isTooSmall ? this.#withoutCounts() : this.#withoutSmallCounts();
  }

  /** Whether nothing but the structure may be known, because there are too few records. */
  get #isTooSmall(): boolean {
    return this.#isSmall(this.#counts.summary.records ?? 0);
  }

  /** Whether counts of a field may be known, as far as the forms and the other figures of the field are concerned. */
  mayTell(name: string, instrument: string): boolean {
    if (this.#isTooSmall || this.#forms.get(instrument)?.isTotalKnown !== true) return false;
    const counts = this.#fields.get(name);
    return counts === undefined || this.#mayTellField(counts);
  }

  /** Whether counts may be split by arm, or by data access group, for the fields of an instrument. */
  maySplit(by: 'dag' | 'arm', instrument: string): boolean {
    if (by === 'dag') return this.summary.dags.every(({ records }) => records !== null);
    return this.#areArmsKnown && this.#forms.get(instrument)?.areEventsKnown === true;
  }

  /**
   * Whether it may be known how many of some records have none of these forms: at one event, or at all events together.
   *
   * @param records all records, or those of a data access group
   * @param forms the forms of the instrument that were begun for them
   */
  mayCompare(records: number, forms: number, instrument: string): boolean {
    return this.#mayCompare(records, forms, [...(this.#forms.get(instrument)?.cells.values() ?? [])]);
  }

  /** Returns how many records have a likely date, if the field is the one that dates them. */
  datedBy(field: string): number | undefined {
    const { dateField, months } = this.#counts.summary.recruitment;
    return dateField === field ? (months.at(-1)?.cumulated ?? 0) : undefined;
  }

  /** Returns how often a field was empty, or undefined if its percentage is omitted or the field is not counted. */
  emptyOf(name: string): number | undefined {
    const counts = this.#fields.get(name);
    return counts !== undefined && this.#mayTellField(counts) ? counts.missing : undefined;
  }

  #isSmall(count: number): boolean {
    return isSmall(count, this.threshold);
  }

  #mayCompare(records: number, forms: number, cells: readonly CompletenessCell[]): boolean {
    // A record may have any number of repeating forms.
    if (cells.some(({ isRepeating }) => isRepeating)) return true;
    const isOneArm = this.#counts.recordsOfArm.size < 2;
    // In one arm, a record may have a form at each event. Of several arms it is not known which records are in which.
    return cells.every((_, index) => {
      const most = (isOneArm ? cells.length : index + 1) * records;
      return !this.#isSmall(Math.abs(most - forms));
    });
  }

  #mayKnowArms(): boolean {
    const { recordsOfArm, summary } = this.#counts;
    const all = summary.records ?? 0;
    const arms = [...recordsOfArm.values()];
    // A record may be in several arms. The sum of the arms tells how many are.
    const excess = arms.reduce((sum, records) => sum + records, 0) - all;
    return [excess, ...arms, ...arms.map((records) => all - records)].every((count) => !this.#isSmall(count));
  }

  #formReleases(): Map<string, FormRelease> {
    const cellsOf = new Map<string, CompletenessCell[]>();
    for (const cell of this.#counts.summary.completeness)
      cellsOf.set(cell.instrument, [...(cellsOf.get(cell.instrument) ?? []), cell]);
    return new Map([...cellsOf].map(([instrument, cells]) => [instrument, this.#formRelease(cells)]));
  }

  #formRelease(cells: readonly CompletenessCell[]): FormRelease {
    const hidden = this.#hiddenEvents(cells);
    const begun = sumOf(cells, begunOf);
    return {
      cells: new Map(
        cells.map((cell) => [
          cell.event,
          hidden?.has(cell) === false ? this.#withoutSmallStatuses(cell) : this.#withoutStatuses(cell),
        ]),
      ),
      begun,
      isTotalKnown:
        hidden !== undefined &&
        !this.#isSmall(begun) &&
        this.#mayCompare(this.#counts.summary.records ?? 0, begun, cells),
      areEventsKnown: hidden?.size === 0,
    };
  }

  /**
   * Selects the events at which the number of forms is omitted: those where few forms were begun, few were not, or few
   * are further instances, and as many others as it takes for the sum of all events not to tell them.
   *
   * @returns undefined if not even the sum of all events may be known
   */
  #hiddenEvents(cells: readonly CompletenessCell[]): ReadonlySet<CompletenessCell> | undefined {
    const isTold = (cell: CompletenessCell): boolean =>
      this.#areArmsKnown && partsOf(cell).every((count) => !this.#isSmall(count));
    const hidden = new Set(cells.filter((cell) => !isTold(cell)));
    const others = cells.filter(isTold).sort((one, other) => begunOf(one) - begunOf(other));
    while (hidden.size > 0 && !this.#areTogetherEnough(hidden)) {
      const next = others.shift();
      if (next === undefined) return undefined;
      hidden.add(next);
    }
    return hidden;
  }

  #areTogetherEnough(hidden: ReadonlySet<CompletenessCell>): boolean {
    const begun = sumOf(hidden, begunOf);
    const notBegun = sumOf(hidden, (cell) => cell.notBegun ?? 0);
    return hidden.size > 1 && begun >= this.threshold && !this.#isSmall(notBegun);
  }

  #withoutSmallStatuses(cell: CompletenessCell): CompletenessCell {
    const [complete = null, unverified = null, incomplete = null] = withoutSmall(
      [cell.complete ?? 0, cell.unverified ?? 0, cell.incomplete ?? 0],
      this.threshold,
    );
    return { ...cell, complete, unverified, incomplete };
  }

  #withoutStatuses(cell: CompletenessCell): CompletenessCell {
    return { ...cell, ...NO_STATUSES, records: this.#areArmsKnown ? cell.records : null };
  }

  #mayTellField({ field: { instrument }, shown, missing, stray = 0 }: FieldCounts): boolean {
    const form = this.#forms.get(instrument);
    if (form?.isTotalKnown !== true || shown < this.threshold) return false;
    // The values that decide whether the field is shown may be told elsewhere: its forms without the stray ones.
    const derived = [shown, shown - stray].flatMap((forms) => [forms, forms - missing, form.begun - forms]);
    return [missing, stray, ...derived].every((count) => !this.#isSmall(count));
  }

  #withoutSmallCounts(): StudySummary {
    const { summary, fields } = this.#counts;
    const dags = withoutSmall(
      summary.dags.map(({ records }) => records ?? 0),
      this.threshold,
    );
    const told = fields.filter((field) => this.#mayTellField(field));
    return {
      ...summary,
      smallCell: this.threshold,
      recruitment: recruitmentWithoutSmall(summary.recruitment, this.threshold),
      dags: summary.dags.map((count, index) => ({
        ...{ ...count, records: dags[index] ?? null },
        // How many forms the records of a data access group have tells more of them than how many records there are.
        ...{ complete: null, forms: null },
      })),
      completeness: summary.completeness.map(
        (cell) => this.#forms.get(cell.instrument)?.cells.get(cell.event) ?? this.#withoutStatuses(cell),
      ),
      missing: this.#missingWithoutSmall(new Set(told.map(({ field }) => field.name))),
      missingPercent: percentOf(told),
    };
  }

  /** Only percentages: counts would tell how many forms hide a field. An omitted field would tell by its place in the order. */
  #missingWithoutSmall(told: ReadonlySet<string>): MissingField[] {
    return this.#counts.summary.missing
      .filter(({ field }) => told.has(field))
      .map((field) => ({
        ...field,
        shown: null,
        missing: null,
        percent: field.percent === null ? null : Math.round(field.percent),
      }));
  }

  #withoutCounts(): StudySummary {
    const { summary } = this.#counts;
    return {
      ...summary,
      smallCell: this.threshold,
      records: null,
      recruitment: { ...summary.recruitment, undated: null, months: [], weeks: [] },
      dags: [],
      completeness: summary.completeness.map((cell) => ({ ...cell, ...NO_STATUSES, records: null })),
      missing: [],
      missingPercent: null,
    };
  }
}

const NO_STATUSES = { complete: null, unverified: null, incomplete: null, notBegun: null };

function sumOf(cells: Iterable<CompletenessCell>, numberOf: (cell: CompletenessCell) => number): number {
  return [...cells].reduce((sum, cell) => sum + numberOf(cell), 0);
}

/** The number of forms of a cell. */
function begunOf({ complete, unverified, incomplete }: CompletenessCell): number {
  return (complete ?? 0) + (unverified ?? 0) + (incomplete ?? 0);
}

/** The counts that every field tells of a cell: its forms, its records without and with one, and their further instances. */
function partsOf(cell: CompletenessCell): number[] {
  const [begun, notBegun] = [begunOf(cell), cell.notBegun ?? 0];
  const withForm = (cell.records ?? 0) - notBegun;
  return [begun, notBegun, withForm, begun - withForm];
}

/** The share of empty values over the fields that are told, in whole percent. */
function percentOf(fields: readonly FieldCounts[]): number | null {
  const shown = fields.reduce((sum, field) => sum + field.shown, 0);
  const missing = fields.reduce((sum, field) => sum + field.missing, 0);
  return shown === 0 ? null : Math.round((missing / shown) * 100);
}

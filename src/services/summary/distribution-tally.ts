import type { Choice } from '../../domain/dictionary/choices.js';
import { checkboxColumnName, formStatusName } from '../../domain/dictionary/export-column.js';
import type { Field } from '../../domain/dictionary/field.js';
import { kindOf as valueKindOf } from '../../domain/dictionary/typed-values.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import { withoutTags } from '../../domain/dictionary/without-tags.js';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { unknownName } from '../../domain/identifiers/nearest-name.js';
import type { CrfCalls, RecordRow } from '../../gateways/redcap/crf-client.js';
import { loadProjectStructure } from '../../records/load-project-structure.js';
import { textOf } from '../../records/rules/record-view.js';
import { chosenRecords, type StudyFilter } from './chosen-records.js';
import type { DistributionFigures, FieldDistribution } from './field-distribution.js';
import { checkFilter, chosenEvents } from './list-filter.js';
import { statusOf, type ListedRecord } from './listed-forms.js';
import { histogramOf, quantileOf } from './number-figures.js';
import type { DistributedField } from './small-distributions.js';
import { dateFieldOf, type StudyOptions } from './study-options.js';

/** Selects a distribution. */
export interface DistributionRequest {
  readonly field: string;
  readonly by?: 'dag' | 'arm' | undefined;
  readonly filter?: StudyFilter | undefined;
}

/** A distribution with all counts. */
export interface CountedField extends DistributedField {
  readonly distribution: FieldDistribution;
}

/**
 * Counts the values of one field in one pass over its column.
 *
 * @throws {InvalidRequestError} there is no such field, or it holds no data, or the filter selects what does not exist
 * @throws {CrfError} errors of `CrfClient.openRecords`
 */
export async function countField(
  source: CrfCalls,
  { field: name, by, filter = {} }: DistributionRequest,
  options: StudyOptions,
  clock: () => Date,
): Promise<CountedField> {
  const call = { caller: 'summary' };
  const structure = await loadProjectStructure(source, call);
  const { dictionary } = structure;
  const field = dictionary.field(name);
  if (field === undefined || field === dictionary.recordIdField || field.type === 'descriptive')
    throw new InvalidRequestError([
      unknownName(
        'data_field',
        'field',
        name,
        dictionary.fields.map((other) => other.name),
      ),
    ]);
  checkFilter(filter, structure);
  const tally = new DistributionTally(structure, field, by, chosenEvents(filter, structure));
  const others = [dictionary.recordIdField, dateFieldOf(structure, options)];
  const fields = [...others.flatMap((other) => other?.name ?? []), name, formStatusName(field.instrument)];
  const selection = { fields: [...new Set(fields)], ...call };
  for await (const [listed, rows] of chosenRecords(source, { structure, plan: options, filter }, selection))
    tally.add(listed, rows);
  const kind = kindOf(field);
  const choices =
    kind === 'choices'
      ? dictionary.choices(field).map(({ code, label }) => ({ code, label: withoutTags(label) }))
      : [];
  const dags = by === 'dag' ? await source.dags.list().catch(() => []) : [];
  const labels = new Map(dags.map((dag) => [dag.uniqueName, dag.name]));
  const labelOf = (group: string): string =>
    by === 'arm' ? `Arm ${group}` : (labels.get(group) ?? (group === '' ? 'No data access group' : group));
  const distribution: FieldDistribution = {
    ...tally.total.figures(choices),
    madeAt: clock().toISOString(),
    smallCell: 0,
    field: name,
    label: withoutTags(field.label),
    instrument: field.instrument,
    kind,
    bins: kind === 'numbers' ? histogramOf(tally.total.sorted) : [],
    by: by ?? null,
    parts: [...tally.groups]
      .map(([part, counts]) => ({ part, label: labelOf(part), ...counts.figures(choices) }))
      .sort((one, other) => one.label.localeCompare(other.label, 'en')),
  };
  return {
    distribution,
    isCheckbox: field.type === 'checkbox',
    mayBeHidden: field.branchingLogic.trim() !== '',
  };
}

const NUMBERS = /^(integer|number)/;

/** @returns the kind of statistics that can be shown for a field without revealing a person */
export function kindOf(field: Field): FieldDistribution['kind'] {
  const { type, validationType, isIdentifier } = field;
  if (isIdentifier) return 'presence';
  if (['radio', 'dropdown', 'checkbox', 'yesno', 'truefalse'].includes(type)) return 'choices';
  if (type === 'slider' || (type === 'text' && NUMBERS.test(validationType))) return 'numbers';
  // A calculation with @CALCTEXT or @CALCDATE gives text.
  return type === 'calc' && valueKindOf(field) === 'number' ? 'numbers' : 'presence';
}

/** The counts of one group. */
export class GroupTally {
  n = 0;
  missing = 0;
  readonly numbers: number[] = [];
  readonly choices = new Map<string, number>();

  /** The numbers in ascending order. */
  get sorted(): Float64Array {
    return Float64Array.from(this.numbers).sort();
  }

  choose(code: string): void {
    this.choices.set(code, (this.choices.get(code) ?? 0) + 1);
  }

  figures(choices: readonly Choice[]): DistributionFigures {
    const { sorted } = this;
    return {
      n: this.n,
      missing: this.missing,
      min: quantileOf(sorted, 0),
      lowerQuartile: quantileOf(sorted, 0.25),
      median: quantileOf(sorted, 0.5),
      upperQuartile: quantileOf(sorted, 0.75),
      max: quantileOf(sorted, 1),
      choices: choices.map(({ code, label }) => ({ code, label, n: this.choices.get(code) ?? 0 })),
    };
  }
}

/** Counts the values of one field as the records pass. Memory: eight bytes per number. */
export class DistributionTally {
  readonly total = new GroupTally();
  readonly groups = new Map<string, GroupTally>();
  readonly #kind: FieldDistribution['kind'];
  readonly #armOf: ReadonlyMap<string, number>;
  /** The columns of a checkbox field, with their codes. */
  readonly #choices: readonly { readonly column: string; readonly code: string }[];

  /** @param events only forms at these events are counted; all of them by default */
  constructor(
    private readonly structure: ProjectStructure,
    private readonly field: Field,
    private readonly by: 'dag' | 'arm' | undefined,
    private readonly events?: ReadonlySet<string>,
  ) {
    this.#kind = kindOf(field);
    this.#armOf = new Map(structure.events.map(({ uniqueName, arm }) => [uniqueName, arm]));
    this.#choices = structure.dictionary
      .choices(field)
      .map(({ code }) => ({ column: checkboxColumnName(field.name, code), code }));
  }

  /** @param rows all rows of the record, exported with `exportBlankForGrayFormStatus` */
  add({ dag }: Pick<ListedRecord, 'dag'>, rows: readonly RecordRow[]): void {
    for (const row of rows) {
      const event = textOf(row, 'redcap_event_name');
      if (!this.#isFormOfField(event, row)) continue;
      this.#count(this.total, row);
      if (this.by === undefined) continue;
      const name = this.by === 'arm' ? `${this.#armOf.get(event) ?? 1}` : dag;
      const group = this.groups.get(name) ?? new GroupTally();
      this.groups.set(name, group);
      this.#count(group, row);
    }
  }

  /** Whether a row holds a form with the field that was begun. */
  #isFormOfField(event: string, row: RecordRow): boolean {
    const { instrument } = this.field;
    if (this.events?.has(event) === false || !this.structure.stands(instrument, event)) return false;
    const repeating = textOf(row, 'redcap_repeat_instrument');
    const isThere =
      repeating === '' ? !this.structure.repeatsInstrument(event, instrument) : repeating === instrument;
    return isThere && statusOf(row, instrument) !== undefined;
  }

  #count(group: GroupTally, row: RecordRow): void {
    if (this.field.type === 'checkbox') {
      const taken = this.#choices.filter(({ column }) => textOf(row, column) === '1');
      for (const { code } of taken) group.choose(code);
      if (taken.length === 0) group.missing += 1;
      else group.n += 1;
      return;
    }
    const text = textOf(row, this.field.name);
    const value = this.#kind === 'numbers' ? Number(text.replace(',', '.')) : 0;
    if (text === '' || this.structure.missingDataCodes.has(text) || !Number.isFinite(value)) {
      group.missing += 1;
      return;
    }
    group.n += 1;
    if (this.#kind === 'numbers') group.numbers.push(value);
    if (this.#kind === 'choices') group.choose(text);
  }
}

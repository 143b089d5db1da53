import type { Choice } from '../../domain/dictionary/choices.js';
import { checkboxColumnName, formStatusName } from '../../domain/dictionary/export-column.js';
import type { Field } from '../../domain/dictionary/field.js';
import { kindOf as valueKindOf } from '../../domain/dictionary/typed-values.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import type { DistributionFigures, FieldDistribution } from './field-distribution.js';
import { NumberList, quantileOf } from './number-figures.js';
import type { Cells, RowSink } from './read-rows.js';

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
  readonly numbers = new NumberList();
  readonly choices = new Map<string, number>();

  figures(choices: readonly Choice[]): DistributionFigures {
    const sorted = this.numbers.sorted();
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

/** Counts the values of one field as the rows pass. Memory: eight bytes per number. */
export class DistributionTally implements RowSink {
  readonly total = new GroupTally();
  readonly groups = new Map<string, GroupTally>();
  readonly #structure: ProjectStructure;
  readonly #field: Field;
  readonly #kind: FieldDistribution['kind'];
  readonly #groupColumnName: string | undefined;
  readonly #armOf: ReadonlyMap<string, number>;
  #columns: readonly { readonly place: number; readonly code: string }[] = [];
  #statusColumn = -1;
  #groupColumn = -1;
  #eventColumn = -1;
  #instrumentColumn = -1;

  /** @param events only forms at these events are counted; all of them by default */
  constructor(
    structure: ProjectStructure,
    field: Field,
    by: 'site' | 'arm' | undefined,
    private readonly events?: ReadonlySet<string>,
  ) {
    this.#structure = structure;
    this.#field = field;
    this.#kind = kindOf(field);
    this.#groupColumnName =
      by === 'site' ? 'redcap_data_access_group' : by === 'arm' ? 'redcap_event_name' : undefined;
    this.#armOf = new Map(structure.events.map(({ uniqueName, armNumber }) => [uniqueName, armNumber]));
  }

  header(names: readonly string[]): void {
    const at = (name: string): number => names.indexOf(name);
    const { dictionary } = this.#structure;
    this.#columns =
      this.#field.type === 'checkbox'
        ? dictionary
            .choices(this.#field)
            .map(({ code }) => ({ place: at(checkboxColumnName(this.#field.name, code)), code }))
        : [{ place: at(this.#field.name), code: '' }];
    this.#statusColumn = at(formStatusName(this.#field.instrument));
    this.#groupColumn = this.#groupColumnName === undefined ? -1 : at(this.#groupColumnName);
    this.#eventColumn = at('redcap_event_name');
    this.#instrumentColumn = at('redcap_repeat_instrument');
  }

  row(cells: Cells): void {
    if (!this.#isFormOfField(cells) || (cells[this.#statusColumn] ?? '') === '') return;
    this.#count(this.total, cells);
    if (this.#groupColumnName === undefined) return;
    const name = this.#groupOf(cells);
    const group = this.groups.get(name) ?? new GroupTally();
    this.groups.set(name, group);
    this.#count(group, cells);
  }

  #isFormOfField(cells: Cells): boolean {
    const { instrument } = this.#field;
    const event = cells[this.#eventColumn] ?? '';
    if (this.events?.has(event) === false || !this.#structure.stands(instrument, event)) return false;
    const repeating = cells[this.#instrumentColumn] ?? '';
    return repeating === ''
      ? !this.#structure.repeatsInstrument(event, instrument)
      : repeating === instrument;
  }

  #groupOf(cells: Cells): string {
    const text = cells[this.#groupColumn] ?? '';
    return this.#groupColumnName === 'redcap_event_name' ? String(this.#armOf.get(text) ?? 1) : text;
  }

  #count(group: GroupTally, cells: Cells): void {
    if (this.#field.type === 'checkbox') {
      const taken = this.#columns.filter(({ place }) => cells[place] === '1');
      for (const { code } of taken) group.choices.set(code, (group.choices.get(code) ?? 0) + 1);
      if (taken.length === 0) group.missing += 1;
      else group.n += 1;
      return;
    }
    const text = cells[this.#columns[0]?.place ?? -1] ?? '';
    if (text === '' || this.#structure.missingDataCodes.has(text)) group.missing += 1;
    else if (this.#kind === 'numbers') this.#countNumber(group, text);
    else {
      group.n += 1;
      if (this.#kind === 'choices') group.choices.set(text, (group.choices.get(text) ?? 0) + 1);
    }
  }

  #countNumber(group: GroupTally, text: string): void {
    const value = Number(text.replace(',', '.'));
    if (!Number.isFinite(value)) {
      group.missing += 1;
      return;
    }
    group.n += 1;
    group.numbers.add(value);
  }
}

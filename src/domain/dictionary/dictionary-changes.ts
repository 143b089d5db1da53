import { isDeepStrictEqual } from 'node:util';
import { choicesOf, type Choice } from './choices.js';
import { checkboxColumnName } from './export-column.js';
import type { Field } from './field.js';

/** A row of an export: flat and raw. */
export type FlatRow = Readonly<Record<string, unknown>>;

/** One change of a project's design. */
export interface DesignChange {
  /** What changes, in words without a value of a record: `site: choice 3 "South" removed`. */
  readonly text: string;
  /** How many stored values of a row nobody sees any more after the change; undefined for one that hides none. */
  readonly orphans?: (row: FlatRow) => number;
}

/** Values that a change would orphan. */
export interface Orphans {
  values: number;
  readonly records: Set<string>;
}

/** Fields whose values are not stored, or are calculated again. */
const WITHOUT_VALUES: ReadonlySet<string> = new Set(['descriptive', 'calc']);

/** The properties of a field that are compared as they are, by what people call them. */
const PROPERTIES = {
  instrument: 'instrument',
  label: 'label',
  validationType: 'validation',
  validationMin: 'minimum',
  validationMax: 'maximum',
  isRequired: 'required',
  isIdentifier: 'identifier',
  branchingLogic: 'branching logic',
  sectionHeader: 'section header',
  note: 'note',
  annotation: 'annotation',
  alignment: 'alignment',
  questionNumber: 'question number',
  matrixGroup: 'matrix',
  isMatrixRanking: 'ranking',
} as const satisfies Partial<Record<keyof Field, string>>;

/**
 * Returns what becomes different of the fields, in the order of the later dictionary, then what is removed.
 *
 * @param missingCodes the missing data codes of the project, which every coded field may have
 */
export function dictionaryChanges(
  before: readonly Field[],
  after: readonly Field[],
  missingCodes: ReadonlySet<string> = new Set(),
): DesignChange[] {
  const known = new Map(before.map((field) => [field.name, field]));
  const kept = new Set(after.map(({ name }) => name));
  const orders = [before.filter(({ name }) => kept.has(name)), after.filter(({ name }) => known.has(name))];
  const [oldOrder, order] = orders.map((fields) => fields.map(({ name }) => name).join());
  return [
    ...(oldOrder === order ? [] : [{ text: 'the fields are in another order' }]),
    ...after.flatMap((field) => {
      const old = known.get(field.name);
      if (old === undefined) return [{ text: `${field.name}: added to ${field.instrument}` }];
      return isDeepStrictEqual({ ...old }, { ...field }) ? [] : fieldChanges(old, field, missingCodes);
    }),
    ...before
      .filter(({ name }) => !kept.has(name))
      .map((field) => ({ text: `${field.name}: removed`, ...orphanedBy(field, () => true) })),
  ];
}

function fieldChanges(old: Field, field: Field, missingCodes: ReadonlySet<string>): DesignChange[] {
  const { name } = field;
  const changes: DesignChange[] = [];
  if (old.type !== field.type)
    changes.push({
      text: `${name}: type ${old.type} → ${field.type}`,
      ...orphanedByType(old, field, missingCodes),
    });
  for (const [property, word] of Object.entries(PROPERTIES) as [keyof typeof PROPERTIES, string][])
    if (old[property] !== field[property])
      changes.push({ text: `${name}: ${word} ${shown(old[property])} → ${shown(field[property])}` });
  const [oldChoices, choices] = [choicesOf(old), choicesOf(field)];
  const isCoded = oldChoices.length > 0 && choices.length > 0;
  if (isCoded) changes.push(...choiceChanges(old, field, oldChoices, choices));
  else if (old.type === field.type && old.choicesOrCalculations !== field.choicesOrCalculations)
    changes.push({ text: `${name}: ${field.type === 'calc' ? 'calculation' : 'labels'} changed` });
  // Such as blanks in the list of choices, or the order of the choices.
  return changes.length > 0 ? changes : [{ text: `${name}: written differently` }];
}

function choiceChanges(
  old: Field,
  field: Field,
  before: readonly Choice[],
  after: readonly Choice[],
): DesignChange[] {
  const labels = new Map(before.map(({ code, label }) => [code, label]));
  const codes = new Set(after.map(({ code }) => code));
  const isSameKind = (old.type === 'checkbox') === (field.type === 'checkbox');
  return [
    ...after.flatMap(({ code, label }) => {
      const known = labels.get(code);
      if (known === undefined) return [{ text: `${field.name}: choice ${code} ${shown(label)} added` }];
      return known === label
        ? []
        : [{ text: `${field.name}: choice ${code} ${shown(known)} → ${shown(label)}` }];
    }),
    ...before
      .filter(({ code }) => !codes.has(code))
      .map(({ code, label }) => ({
        text: `${field.name}: choice ${code} ${shown(label)} removed`,
        // A change between a checkbox and another type orphans every value, and says so itself.
        ...(isSameKind && orphanedBy(old, (value) => value === code)),
      })),
  ];
}

function orphanedByType(
  old: Field,
  field: Field,
  missingCodes: ReadonlySet<string>,
): Pick<DesignChange, 'orphans'> {
  const isOther = (type: string): boolean => (old.type === type) !== (field.type === type);
  if (isOther('checkbox') || isOther('file') || WITHOUT_VALUES.has(field.type))
    return orphanedBy(old, () => true);
  const choices = choicesOf(field);
  if (choices.length === 0 || choicesOf(old).length > 0) return {};
  const codes = new Set([...choices.map(({ code }) => code), ...missingCodes]);
  return orphanedBy(old, (value) => !codes.has(value));
}

/** @param isOrphan decides about a stored value, or the code of a checked choice */
function orphanedBy(field: Field, isOrphan: (value: string) => boolean): Pick<DesignChange, 'orphans'> {
  if (WITHOUT_VALUES.has(field.type)) return {};
  if (field.type !== 'checkbox')
    return { orphans: (row) => Number(isFilled(row[field.name]) && isOrphan(String(row[field.name]))) };
  const columns = choicesOf(field)
    .filter(({ code }) => isOrphan(code))
    .map(({ code }) => checkboxColumnName(field.name, code));
  return { orphans: (row) => columns.filter((column) => row[column] === '1').length };
}

function isFilled(cell: unknown): boolean {
  return cell !== undefined && cell !== '';
}

/** Adds the values of a row that each change would orphan. */
export function countOrphans(
  changes: readonly DesignChange[],
  row: FlatRow,
  idField: string,
  found: Map<DesignChange, Orphans>,
): void {
  for (const change of changes) {
    const values = change.orphans?.(row) ?? 0;
    if (values === 0) continue;
    const orphans = found.get(change) ?? { values: 0, records: new Set() };
    orphans.values += values;
    orphans.records.add(String(row[idField]));
    found.set(change, orphans);
  }
}

function shown(value: string | boolean): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const line = value.replace(/\s+/g, ' ');
  return JSON.stringify(line.length > 60 ? `${line.slice(0, 59)}…` : line);
}

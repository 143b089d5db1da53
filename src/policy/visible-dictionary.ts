import { DataDictionary } from '../domain/dictionary/data-dictionary.js';
import type { Field } from '../domain/dictionary/field.js';
import { ProjectStructure } from '../domain/dictionary/project-structure.js';
import type { CellRule } from './deidentify/cell-rules.js';
import { HiddenNames, type ShownNames } from './hidden-names.js';

/**
 * Returns the structure of a view, which is that of a project in which what is hidden was never designed.
 *
 * @param whole that of the whole project
 */
export function visibleStructure(whole: ProjectStructure, view: ShownNames): ProjectStructure {
  const dictionary = DataDictionary.of(visibleDictionary(whole.dictionary.fields, view));
  const { instruments } = dictionary;
  const isShown = (event: string): boolean => event === '' || (view.events?.has(event) ?? true);
  const places = whole.eventNames.filter(isShown).map((event) => ({ event }));
  return new ProjectStructure({
    dictionary,
    events: whole.events.filter(({ uniqueName }) => isShown(uniqueName)),
    mappings: places.flatMap(({ event }) =>
      instruments
        .filter((instrument) => whole.stands(instrument, event))
        .map((instrument) => ({ event, instrument })),
    ),
    repeating: places.flatMap(({ event }) => [
      ...(whole.repeatsEvent(event) ? [{ event, instrument: '' }] : []),
      ...instruments
        .filter((instrument) => whole.repeatsInstrument(event, instrument))
        .map((instrument) => ({ event, instrument })),
    ]),
    missingDataCodes: [...whole.missingDataCodes],
  });
}

/** The last dictionary of each compiled policy: all of its callers have the same, and what is kept by its objects. */
const KNOWN = new WeakMap<
  ShownNames['fields'],
  { readonly view: ShownNames; readonly fields: readonly Field[]; readonly shown: readonly Field[] }
>();

/**
 * Returns the data dictionary of a view, which is that of a project in which the hidden fields and forms were never
 * defined. It is the same array for as long as the fields and the parts of the view are the same objects:
 *
 * - the record id field is always there, in the first visible form if its own is hidden;
 * - branching logic, limits and action tags that read a hidden field or event are blank, and texts that pipe one show a
 *   blank value;
 * - a calculation that reads one is a text field without a formula, if the view shows it at all;
 * - a field whose values are changed has the type of what it is changed to, and counts as hidden for all that reads it.
 */
export function visibleDictionary(fields: readonly Field[], view: ShownNames): readonly Field[] {
  const known = KNOWN.get(view.fields);
  if (
    known?.fields.length === fields.length &&
    showsSame(known.view, view) &&
    known.fields.every((field, at) => field === fields[at])
  )
    return known.shown;
  const shown = dictionaryOf(fields, view);
  KNOWN.set(view.fields, { view, fields, shown });
  return shown;
}

function showsSame(one: ShownNames, other: ShownNames): boolean {
  return (
    one.forms === other.forms &&
    one.events === other.events &&
    one.deidentify?.rules === other.deidentify?.rules &&
    one.deidentify?.recordId === other.deidentify?.recordId
  );
}

function dictionaryOf(fields: readonly Field[], view: ShownNames): readonly Field[] {
  const hidden = new HiddenNames(fields, view);
  const [idField] = fields;
  const isIdChanged = (view.deidentify?.recordId ?? 'kept') !== 'kept';
  const isShown = ({ name, instrument }: Field): boolean =>
    view.fields.has(name) && view.forms.has(instrument);
  const firstForm = fields.find(({ instrument }) => view.forms.has(instrument))?.instrument;
  return fields
    .filter((field) => field === idField || isShown(field))
    .map((field) => {
      const instrument = view.forms.has(field.instrument)
        ? field.instrument
        : (firstForm ?? field.instrument);
      const shown = { ...withoutHidden(field, hidden), instrument };
      if (field === idField) return isIdChanged ? { ...shown, ...PLAIN_TEXT } : shown;
      return { ...shown, ...changesOf(field, view.deidentify?.rules.get(field.name)) };
    });
}

const PLAIN_TEXT = { type: 'text', validationType: '', validationMin: '', validationMax: '' } as const;

/** A changed value has other limits, and may have another form: a year is a whole number. */
function changesOf(field: Field, rule: CellRule | undefined): Partial<Field> {
  switch (rule?.kind) {
    case undefined:
      return {};
    case 'shift':
      return { validationMin: '', validationMax: '' };
    case 'year':
      return { ...PLAIN_TEXT, validationType: 'integer' };
    case 'age':
      // The formula of a calculated age would lead to another one.
      return field.type === 'calc'
        ? { ...PLAIN_TEXT, validationType: 'number', choicesOrCalculations: '' }
        : {};
    case 'zip':
      return PLAIN_TEXT;
  }
}

function withoutHidden(field: Field, hidden: HiddenNames): Field {
  const logic = (text: string): string => (hidden.isIn(text) ? '' : text);
  const text = (label: string): string => hidden.withoutIn(label);
  return {
    ...field,
    ...typeOf(field, hidden),
    sectionHeader: text(field.sectionHeader),
    label: text(field.label),
    note: text(field.note),
    validationMin: logic(field.validationMin),
    validationMax: logic(field.validationMax),
    branchingLogic: logic(field.branchingLogic),
    annotation: text(withoutTags(field.annotation, hidden)),
  };
}

/** The choices of a field are texts; those of a calculated field its formula, and those of an sql field its query. */
function typeOf(
  { type, choicesOrCalculations: text }: Field,
  hidden: HiddenNames,
): Pick<Field, 'type' | 'choicesOrCalculations'> {
  if (type === 'calc') {
    return hidden.isIn(text)
      ? { type: 'text', choicesOrCalculations: '' }
      : { type, choicesOrCalculations: text };
  }
  if (type === 'sql') return { type, choicesOrCalculations: hidden.isWordOf(text) ? '' : text };
  return { type, choicesOrCalculations: hidden.withoutIn(text) };
}

/** An action tag, up to its argument: `@CALCTEXT(` or `@DEFAULT='`. */
const TAG = /@[A-Z][A-Z0-9-]*/g;

/** What stands between a tag and its argument. */
const LEAD = /\s*=?\s*/y;

/** The argument behind an equals sign: a text in quotes, or a word. */
const VALUE = /'[^']*'?|"[^"]*"?|\S*/y;

/** What is in parentheses: texts in quotes, which hide parentheses, and those themselves. */
const IN_PARENTHESES = /'[^']*'|"[^"]*"|[()]/g;

/**
 * Drops the action tags whose argument reads something hidden. A tag within the argument of another has part of what was
 * looked at already, so that each character is looked at once.
 */
function withoutTags(annotation: string, hidden: HiddenNames): string {
  let kept = '';
  let from = 0;
  let readTo = 0;
  for (const { 0: tag, index } of annotation.matchAll(TAG)) {
    if (index < readTo) continue;
    readTo = endOfArgument(annotation, index + tag.length);
    if (!hidden.isIn(annotation.slice(index, readTo))) continue;
    kept += annotation.slice(from, index);
    from = readTo;
  }
  return from === 0 ? annotation : (kept + annotation.slice(from)).trim();
}

/** Returns where the argument of a tag ends: at its closing parenthesis or quote, or at the end of its word. */
function endOfArgument(text: string, start: number): number {
  const lead = matchAt(LEAD, text, start);
  const begin = start + lead.length;
  if (text[begin] === '(') return endOfParentheses(text, begin);
  return lead.includes('=') ? begin + matchAt(VALUE, text, begin).length : start;
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

/** What is not closed goes on to the end. */
function endOfParentheses(text: string, start: number): number {
  const tokens = new RegExp(IN_PARENTHESES);
  tokens.lastIndex = start;
  let depth = 0;
  for (let found = tokens.exec(text); found !== null; found = tokens.exec(text)) {
    if (found[0] === '(') depth += 1;
    if (found[0] === ')') depth -= 1;
    if (depth === 0) return tokens.lastIndex;
  }
  return text.length;
}

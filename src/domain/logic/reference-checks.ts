import { say, type Sentence } from '../errors/sentences.js';
import type { DataDictionary } from '../dictionary/data-dictionary.js';
import { formStatusName } from '../dictionary/export-column.js';
import type { Field } from '../dictionary/field.js';
import { describeChoice } from '../dictionary/value-rules.js';
import type { FindingList, LogicProject, SuggestionBudget } from './logic-project.js';
import { EVENT_VARIABLES } from './references.js';
import type { Reference } from './syntax.js';

/** Looks up the event, the field and the choice that a reference names. */
export function checkReference(reference: Reference, project: LogicProject, found: FindingList): void {
  checkEvent(reference, project, found);
  const { dictionary } = project;
  const name = reference.field.toLowerCase();
  const column = dictionary.column(name);
  const field = dictionary.field(name);
  const at = reference.start + 1;
  if (field === undefined && column?.field !== undefined) {
    // `sites___2` is the name of an export column. In REDCap's logic it is `[sites(2)]`.
    const { field: checkbox, choice } = column;
    const logic = `${checkbox.name}(${choice?.code ?? ''})`;
    found.errors.push({ at, ...say('logic_column', { name, logic }) });
  } else if (field === undefined && column === undefined) {
    if (isSystemField(name, dictionary)) found.notes.push({ at, ...say('logic_name', { name }) });
    else found.errors.push({ at, ...unknownField(name, dictionary, found.suggestions) });
  } else {
    checkChoice(reference, field, dictionary, found);
  }
}

/** @returns the field that a reference names, or its form status; undefined if the project has neither */
export function columnOf(
  { field }: Reference,
  dictionary: DataDictionary,
): Field | 'form status' | undefined {
  const name = field.toLowerCase();
  const known = dictionary.field(name);
  if (known !== undefined) return known;
  const column = dictionary.column(name);
  return column !== undefined && column.field === undefined ? 'form status' : undefined;
}

function unknownField(
  name: string,
  { fields, instruments }: DataDictionary,
  suggestions: SuggestionBudget,
): Sentence {
  const meant = suggestions.nearest(name, () => [
    ...fields.map((field) => field.name),
    ...instruments.map(formStatusName),
  ]);
  return say('logic_field', { name, meant });
}

/** Columns that REDCap itself adds to exports. Some versions may accept them in logic. */
function isSystemField(name: string, { instruments }: DataDictionary): boolean {
  if (name.startsWith('redcap_')) return true;
  const [, instrument] = /^(.+)_(?:timestamp|return_code)$/.exec(name) ?? [];
  return instrument !== undefined && instruments.includes(instrument);
}

function checkEvent({ event, start }: Reference, { events }: LogicProject, found: FindingList): void {
  if (event === undefined || EVENT_VARIABLES.has(event)) return;
  const at = start + 1;
  if (events === undefined) {
    found.notes.push({ at, ...say('logic_event_unread', { name: event }) });
    return;
  }
  // Inside REDCap, a classic project has this one event.
  const known = events.length === 0 ? ['event_1_arm_1'] : events;
  if (known.includes(event.toLowerCase())) return;
  if (events.length === 0) {
    found.errors.push({ at, ...say('logic_no_events', { name: event }) });
    return;
  }
  const meant = found.suggestions.nearest(event, () => known);
  found.errors.push({ at, ...say('logic_event', { name: event, meant }) });
}

function checkChoice(
  { code, field: name, start }: Reference,
  field: Field | undefined,
  dictionary: DataDictionary,
  found: FindingList,
): void {
  const at = start + 1;
  if (field?.type !== 'checkbox') {
    if (code === undefined) return;
    found.errors.push({ at, ...say('logic_no_checkbox', { name: name.toLowerCase() }) });
    return;
  }
  const choices = dictionary.choices(field);
  if (code === undefined) {
    const [first] = choices;
    found.notes.push({ at, ...say('logic_choice_needed', { name: field.name, code: first?.code }) });
    return;
  }
  if (choices.some((choice) => choice.code === code)) return;
  const codes = choices.slice(0, MAX_CHOICES_SHOWN).map(describeChoice);
  const more = Math.max(0, choices.length - MAX_CHOICES_SHOWN);
  found.errors.push({ at, ...say('logic_choice', { name: field.name, codes, more }) });
}

const MAX_CHOICES_SHOWN = 8;

import { say, type Sentence } from '../errors/sentences.js';
import type { DataDictionary } from '../dictionary/data-dictionary.js';
import { formStatusName } from '../dictionary/export-column.js';
import type { Field } from '../dictionary/field.js';
import { describeChoice } from '../dictionary/value-rules.js';
import { nearestName } from '../identifiers/nearest-name.js';
import { problemOfComparison } from './comparison-checks.js';
import { unknownDates } from './date-functions.js';
import { FUNCTIONS } from './functions.js';
import type { LogicProblem } from './logic-problem.js';
import { parseLogic } from './parser.js';
import { EVENT_VARIABLES, KNOWN_SMART_VARIABLES } from './references.js';
import { nodesOf, type Chain, type LogicNode, type Reference } from './syntax.js';

/** The names of a project that its logic can use. */
export interface LogicProject {
  readonly dictionary: DataDictionary;
  /** Unique event names; empty in a classic project, undefined if they could not be read. */
  readonly events?: readonly string[] | undefined;
  /** Undefined if they could not be read. An unknown code may then be one of them. */
  readonly missingDataCodes?: readonly string[] | undefined;
  /** How many unknown names may still get a suggestion; ten for each text by default. */
  readonly suggestions?: SuggestionBudget | undefined;
}

/** Limits the suggestions, because each unknown name is compared with all the names of a project. */
export class SuggestionBudget {
  #left = 10;

  /** @returns the name that was probably meant; undefined if there is none, or the limit is reached */
  nearest(name: string, candidates: () => Iterable<string>): string | undefined {
    if (this.#left === 0) return undefined;
    this.#left -= 1;
    return nearestName(name, candidates());
  }
}

/** Collects findings. */
interface FindingList {
  readonly suggestions: SuggestionBudget;
  readonly errors: LogicProblem[];
  readonly notes: LogicProblem[];
}

/** The findings in a logic text. */
export interface LogicFindings {
  /** Undefined if the text could not be parsed. */
  readonly tree?: LogicNode | undefined;
  /** Certain errors. */
  readonly errors: readonly LogicProblem[];
  /** What could not be checked, or is likely a mistake. REDCap decides on these. */
  readonly notes: readonly LogicProblem[];
}

/**
 * Checks logic against a project. Errors are an unclosed bracket or quote, an unknown field, event or choice, and a
 * comparison that can never be true. Anything this grammar does not know is a note, never an error.
 */
export function checkLogic(source: string, project: LogicProject): LogicFindings {
  const parsed = parseLogic(source);
  if ('problem' in parsed) {
    const { problem, isBroken } = parsed;
    return isBroken ? { errors: [problem], notes: [] } : { errors: [], notes: [problem] };
  }
  return { tree: parsed.tree, ...checkTree(parsed.tree, project) };
}

/** Checks parsed logic. */
export function checkTree(tree: LogicNode, project: LogicProject): Omit<LogicFindings, 'tree'> {
  const { suggestions = new SuggestionBudget() } = project;
  const found: FindingList = { errors: [], notes: [], suggestions };
  for (const node of nodesOf(tree)) checkNode(node, project, found);
  const inOrder = (a: LogicProblem, b: LogicProblem): number => a.at - b.at;
  return { errors: found.errors.sort(inOrder), notes: found.notes.sort(inOrder) };
}

function checkNode(node: LogicNode, project: LogicProject, found: FindingList): void {
  switch (node.kind) {
    case 'reference':
      return checkReference(node, project, found);
    case 'chain':
      return checkComparison(node, project, found);
    case 'smart':
      if (KNOWN_SMART_VARIABLES.has(node.name)) return;
      found.notes.push({ at: node.start + 1, ...say('logic_name', { name: node.name }) });
      return;
    case 'call': {
      const { name, start } = node;
      for (const date of unknownDates(node))
        found.notes.push({ at: date.start + 1, ...say('logic_date_order') });
      const sentence = problemOfCall(name, node.arguments.length);
      if (sentence !== undefined) found.notes.push({ at: start + 1, ...sentence });
      return;
    }
    default:
  }
}

function checkComparison(chain: Chain, project: LogicProject, found: FindingList): void {
  const problem = problemOfComparison(chain, project);
  // Any field can contain a missing data code. If these are not known, there is no certain error.
  if (problem !== undefined)
    (project.missingDataCodes === undefined ? found.notes : found.errors).push(problem);
}

function problemOfCall(name: string, given: number): Sentence | undefined {
  const [least, most] = FUNCTIONS.get(name)?.arity ?? [];
  if (least === undefined || most === undefined) return say('logic_function', { name });
  if (given >= least && given <= most) return undefined;
  return say('logic_arguments', { name, least, most: most === Infinity ? null : most });
}

/** Looks up the event, the field and the choice that a reference names. */
function checkReference(reference: Reference, project: LogicProject, found: FindingList): void {
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

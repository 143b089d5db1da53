import { formStatusName, type ExportColumn } from '../dictionary/export-column.js';
import type { Field } from '../dictionary/field.js';
import type { ProjectStructure } from '../dictionary/project-structure.js';
import { InvalidRequestError, NotInPolicyError } from '../errors/caller-errors.js';
import { sentenceOf, type FieldProblem } from '../errors/field-problem.js';
import { UpstreamRejectedError } from '../errors/upstream-errors.js';
import type { RecordSelection } from '../gateways/redcap/crf-client.js';
import { FUNCTIONS } from '../logic/function-table.js';
import { parseLogic } from '../logic/parser.js';
import { KNOWN_SMART_VARIABLES } from '../logic/references.js';
import { nodesOf, type LogicNode } from '../logic/syntax.js';
import type { ProjectView } from './project-view.js';

/** What a caller asked for of a view, by names that the whole project has. */
export interface VisibleSelection {
  /** All visible fields and form statuses. */
  readonly visible: readonly string[];
  /** The visible ones that were asked for: never empty. */
  readonly names: readonly string[];
  /** The columns of the names. */
  readonly columns: readonly ExportColumn[];
  /** Whether no field and no form was named. */
  readonly isWhole: boolean;
  readonly hasId: boolean;
  /** Whether a visible form repeats at a visible event; the columns of instances are there only then. */
  readonly hasRepeats: boolean;
  /** Undefined for all events. */
  readonly events: readonly string[] | undefined;
}

/**
 * Reads a selection in a view. A hidden name is refused as REDCap refuses an unknown one.
 *
 * @param structure that of the whole project
 * @throws {UpstreamRejectedError} a name is not one of the view
 * @throws {InvalidRequestError} an option tells of what is hidden, or the filter has a part that cannot be checked
 */
export function selectVisible(
  structure: ProjectStructure,
  view: ProjectView,
  selection: RecordSelection,
): VisibleSelection {
  const { dictionary } = structure;
  const [idField] = dictionary.fields;
  if (idField === undefined) throw new NotInPolicyError();
  const forms = dictionary.instruments.filter((form) => view.forms.has(form));
  const isShown = (field: Field): boolean =>
    field === idField || (view.fields.has(field.name) && view.forms.has(field.instrument));
  // The record id is on the first form that is visible.
  const formOf = (field: Field): string =>
    field === idField && !view.forms.has(field.instrument) ? (forms[0] ?? '') : field.instrument;
  const visible = new Map<string, string>([
    ...dictionary.fields.filter(isShown).map((field) => [field.name, formOf(field)] as const),
    ...forms.map((form) => [formStatusName(form), form] as const),
  ]);

  refuseUnknown('fields', selection.fields, (name) => visible.has(name), 'is not a field of this project');
  refuseUnknown(
    'forms',
    selection.forms,
    (name) => view.forms.has(name),
    'is not an instrument of this project',
  );
  const { events } = view;
  if (events !== undefined)
    refuseUnknown('events', selection.events, (name) => events.has(name), 'is not an event of this project');
  refuseDateRange(selection);
  checkFilter(selection.filterLogic, view, visible);

  const isWhole = selection.fields === undefined && selection.forms === undefined;
  const asked = new Set(selection.fields);
  for (const [name, form] of visible) if (isWhole || selection.forms?.includes(form)) asked.add(name);
  return {
    visible: [...visible.keys()],
    names: [...asked],
    columns: dictionary.exportColumns().filter(({ name, field }) => asked.has(field?.name ?? name)),
    isWhole,
    hasId: asked.has(idField.name),
    hasRepeats: structure.eventNames.some(
      (event) =>
        (events === undefined || events.has(event)) &&
        forms.some(
          (form) =>
            structure.stands(form, event) &&
            (structure.repeatsInstrument(event, form) || structure.repeatsEvent(event)),
        ),
    ),
    events: selection.events ?? (events && [...events]),
  };
}

function refuseUnknown(
  parameter: string,
  names: readonly string[] = [],
  isKnown: (name: string) => boolean,
  message: string,
): void {
  const errors = names.flatMap((name, index) =>
    isKnown(name) ? [] : [{ field: `${parameter}[${index}]`, message }],
  );
  if (errors.length > 0)
    throw new UpstreamRejectedError(sentenceOf(errors, 'A parameter is not valid.'), { errors });
}

/** When a record was changed tells of changes that are hidden. */
function refuseDateRange({ dateRangeBegin, dateRangeEnd }: RecordSelection): void {
  const message = 'cannot be used under a policy, because it also tells of changes that the policy hides';
  const sent = { dateRangeBegin, dateRangeEnd };
  const errors = Object.entries(sent).flatMap(([field, value]) =>
    value === undefined ? [] : [{ field, message }],
  );
  if (errors.length > 0) throw new InvalidRequestError(errors);
}

/**
 * Admits a filter only if all that it reads is visible: REDCap evaluates it on the whole project. What the check of a
 * filter only notes, such as an unknown function, is refused.
 */
function checkFilter(
  filterLogic: RecordSelection['filterLogic'],
  view: ProjectView,
  visible: ReadonlyMap<string, string>,
): void {
  if (filterLogic === undefined) return;
  const parsed = parseLogic(filterLogic.toString());
  const rule =
    'problem' in parsed
      ? 'cannot be checked, as a policy requires it'
      : [...nodesOf(parsed.tree)].map((node) => ruleBrokenBy(node, view, visible)).find((found) => found);
  if (rule !== undefined) throw new InvalidRequestError([{ field: 'filterLogic', message: rule }]);
}

function ruleBrokenBy(
  node: LogicNode,
  { events }: ProjectView,
  visible: ReadonlyMap<string, string>,
): string | undefined {
  // The neighbours of an event may be hidden.
  const isOfNeighbour = (name: string): boolean =>
    events !== undefined && name !== 'event-name' && /-event-name$/.test(name);
  switch (node.kind) {
    case 'reference': {
      if (!visible.has(node.field.toLowerCase())) return 'has a name that is not a field of this project';
      if (node.event === undefined || events === undefined) return undefined;
      const event = node.event.toLowerCase();
      const isSeen = event === 'event-name' || (events.has(event) && !isOfNeighbour(event));
      return isSeen ? undefined : 'has a name that is not an event of this project';
    }
    case 'smart':
      return KNOWN_SMART_VARIABLES.has(node.name) && !isOfNeighbour(node.name)
        ? undefined
        : 'has a smart variable that cannot be used under a policy';
    case 'call':
      return FUNCTIONS.has(node.name) ? undefined : 'has a function that cannot be used under a policy';
    default:
      return undefined;
  }
}

/** Refuses options of an export by name. @throws {InvalidRequestError} if there are any */
export function refuseOptions(names: readonly string[], message: string): void {
  const errors: FieldProblem[] = names.map((field) => ({ field, message }));
  if (errors.length > 0) throw new InvalidRequestError(errors);
}

import { formStatusName, type ExportColumn } from '../domain/dictionary/export-column.js';
import type { ProjectStructure } from '../domain/dictionary/project-structure.js';
import { NotInPolicyError } from '../domain/errors/access-errors.js';
import { InvalidRequestError } from '../domain/errors/caller-errors.js';
import { type FieldProblem, itemOf } from '../domain/errors/field-problem.js';
import type { NameKind } from '../domain/errors/sentences.js';
import { unknownName } from '../domain/identifiers/nearest-name.js';
import type { RecordSelection } from '../gateways/redcap/crf-client.js';
import { FUNCTIONS } from '../domain/logic/functions.js';
import { parseLogic } from '../domain/logic/parser.js';
import { KNOWN_SMART_VARIABLES } from '../domain/logic/references.js';
import { nodesOf, type LogicNode } from '../domain/logic/syntax.js';
import type { ProjectView } from './project-view.js';

/** What a caller asked for of a view. */
export interface VisibleSelection {
  /** All visible fields and form statuses. */
  readonly visible: readonly string[];
  /**
   * The visible ones that were asked for, at least one, in the order of EAV: as they were named, and the others as in the
   * dictionary; without names with the calculated fields last.
   *
   * @see docs/protocol/redcap.md 4.5 (choice)
   */
  readonly names: readonly string[];
  /** Whether no field and no form was named. */
  readonly isWhole: boolean;
  readonly hasId: boolean;
}

/**
 * Reads a selection in a view. A hidden name is refused as REDCap refuses an unknown one.
 *
 * @param shown the structure of the view
 * @throws {InvalidRequestError} a name is not one of the view, an option tells of what is hidden, or the filter has a
 *   part that cannot be checked
 */
export function selectVisible(
  { dictionary, isLongitudinal, eventNames }: ProjectStructure,
  view: ProjectView,
  selection: RecordSelection,
): VisibleSelection {
  const { recordIdField: idField, instruments, fields } = dictionary;
  if (idField === undefined) throw new NotInPolicyError();
  const visible = new Set([...fields.map(({ name }) => name), ...instruments.map(formStatusName)]);
  refuseUnknown('fields', 'field', selection.fields, [...visible]);
  refuseUnknown('forms', 'instrument', selection.forms, instruments);
  if (isLongitudinal) refuseUnknown('events', 'event', selection.events, eventNames);
  refuseDateRange(selection);
  checkFilter(selection.filterLogic, view, visible);

  const isWhole = selection.fields === undefined && selection.forms === undefined;
  const rest = dictionary
    .exportColumns()
    .filter(({ instrument }) => isWhole || selection.forms?.includes(instrument));
  const calculated = rest.filter(({ field }) => field?.type === 'calc');
  // Of a name that is there twice, the last place counts.
  const named = selection.fields && [...new Set([...selection.fields].reverse())].reverse();
  const inOrder = named ?? rest.filter((column) => !calculated.includes(column)).map(nameOf);
  const names = new Set([...inOrder, ...(selection.fields ? rest : calculated).map(nameOf)]);
  return { visible: [...visible], names: [...names], isWhole, hasId: names.has(idField.name) };
}

/** Returns the name by which a column is asked for. */
export function nameOf({ name, field }: ExportColumn): string {
  return field?.name ?? name;
}

function refuseUnknown(
  parameter: string,
  kind: NameKind,
  names: readonly string[] = [],
  known: readonly string[],
): void {
  const visible = new Set(known);
  const errors = names.flatMap((name, index) =>
    visible.has(name) ? [] : [unknownName(kind, itemOf(parameter, names, index), name)],
  );
  if (errors.length > 0) throw new InvalidRequestError(errors);
}

/** When a record was changed tells of changes that are hidden. */
function refuseDateRange({ from, until }: RecordSelection): void {
  const message = 'cannot be used under a policy, because it also tells of changes that the policy hides';
  const sent = { from, until };
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
  visible: ReadonlySet<string>,
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
  visible: ReadonlySet<string>,
): string | undefined {
  // The neighbours of an event may be hidden.
  const isOfNeighbour = (name: string): boolean =>
    events !== undefined && name !== 'event-name' && /-event-name$/.test(name);
  switch (node.kind) {
    case 'reference': {
      if (!visible.has(node.field.toLowerCase())) return 'has a name that is not a field of this project';
      const event = node.event?.toLowerCase();
      if (event === undefined) return undefined;
      const isSeen =
        events === undefined || event === 'event-name' || (events.has(event) && !isOfNeighbour(event));
      // What follows a field in brackets is an instance.
      return isSeen && !visible.has(event) ? undefined : 'has a name that is not an event of this project';
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

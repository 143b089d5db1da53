import { setImmediate } from 'node:timers/promises';
import { checkboxColumnName } from '../../domain/dictionary/export-column.js';
import type { Field } from '../../domain/dictionary/field.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import { compileLogic, type Evaluator } from '../../domain/logic/evaluator.js';
import { parseLogic } from '../../domain/logic/parser.js';
import { nodesOf, type LogicNode, type Reference } from '../../domain/logic/syntax.js';
import type { Cells } from './chosen-records.js';

/** Tells whether a field is shown on a row; undefined if this cannot be determined. */
export type IsShown = (cells: Cells) => boolean | undefined;

/** By name of the field: its branching logic, or undefined if it cannot be parsed. Others have none. */
export type BranchingLogic = ReadonlyMap<string, CompiledLogic | undefined>;

interface CompiledLogic {
  readonly tree: LogicNode;
  readonly evaluator: Evaluator;
}

const ALWAYS: IsShown = () => true;
const UNKNOWN: IsShown = () => undefined;

/** Compiles the branching logic of a project. Lets other work run in between, because it can have 10,000 fields. */
export async function compileBranchingLogic({
  dictionary,
  missingDataCodes,
}: ProjectStructure): Promise<BranchingLogic> {
  const compiled = new Map<string, CompiledLogic | undefined>();
  for (const [index, { name, branchingLogic }] of dictionary.fields.entries()) {
    if (index % FIELDS_PER_TURN === FIELDS_PER_TURN - 1) await setImmediate();
    if (branchingLogic.trim() === '') continue;
    const parsed = parseLogic(branchingLogic);
    const logic =
      'tree' in parsed
        ? { tree: parsed.tree, evaluator: compileLogic(parsed.tree, { missingDataCodes }) }
        : undefined;
    compiled.set(name, logic);
  }
  return compiled;
}

/** A few milliseconds of work. */
const FIELDS_PER_TURN = 200;

/**
 * Evaluates the branching logic of a field as far as possible on a single row, with the other fields on the same rows
 * of the same event. Logic that refers to other events, instances or rows remains undecided.
 *
 * @param sharesRows whether another instrument has its values on the same rows as the field
 */
export function shownRule(
  { name: fieldName }: Field,
  branchingLogic: BranchingLogic,
  { dictionary }: ProjectStructure,
  columnAt: ReadonlyMap<string, number>,
  sharesRows: (instrument: string) => boolean,
): IsShown {
  if (!branchingLogic.has(fieldName)) return ALWAYS;
  const logic = branchingLogic.get(fieldName);
  if (logic === undefined) return UNKNOWN;
  const { tree, evaluator } = logic;

  const places = new Map<Reference, number>();
  for (const node of nodesOf(tree)) {
    if (node.kind !== 'reference' || node.event !== undefined || node.instance !== undefined) continue;
    const other = dictionary.field(node.field.toLowerCase());
    const name =
      other === undefined
        ? node.field.toLowerCase()
        : node.code === undefined
          ? other.name
          : checkboxColumnName(other.name, node.code);
    const instrument = other?.instrument ?? dictionary.column(name)?.instrument;
    const place = columnAt.get(name);
    if (place !== undefined && instrument !== undefined && sharesRows(instrument)) places.set(node, place);
  }
  return (cells) =>
    evaluator.isTrue({
      value: (reference) => {
        const place = places.get(reference);
        return place === undefined ? undefined : cells[place];
      },
      smart: () => undefined,
    });
}

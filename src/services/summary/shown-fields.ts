import { checkboxColumnName } from '../../dictionary/export-column.js';
import type { Field } from '../../dictionary/field.js';
import type { ProjectStructure } from '../../dictionary/project-structure.js';
import { compileLogic, type Evaluator } from '../../logic/evaluator.js';
import { parseLogic } from '../../logic/parser.js';
import { nodesOf, type Reference } from '../../logic/syntax.js';
import type { RowCells } from './row-cells.js';

/** Tells whether a field is shown on a row; undefined if this cannot be determined. */
export type IsShown = (cells: RowCells) => boolean | undefined;

const ALWAYS: IsShown = () => true;
const UNKNOWN: IsShown = () => undefined;

/**
 * Evaluates the branching logic of a field as far as possible on a single row, with the other fields on the same rows
 * of the same event. Logic that refers to other events, instances or rows remains undecided.
 *
 * @param sharesRows whether another instrument has its values on the same rows as the field
 */
export function shownRule(
  field: Field,
  { dictionary, missingDataCodes }: Pick<ProjectStructure, 'dictionary' | 'missingDataCodes'>,
  columnAt: ReadonlyMap<string, number>,
  sharesRows: (instrument: string) => boolean,
): IsShown {
  if (field.branchingLogic.trim() === '') return ALWAYS;
  const parsed = parseLogic(field.branchingLogic);
  if (!('tree' in parsed)) return UNKNOWN;

  const places = new Map<Reference, number>();
  for (const node of nodesOf(parsed.tree)) {
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
  const evaluator: Evaluator = compileLogic(parsed.tree, { missingDataCodes });
  return (cells) =>
    evaluator.isTrue({
      value: (reference) => {
        const place = places.get(reference);
        return place === undefined ? undefined : cells.text(place);
      },
      smart: () => undefined,
    });
}

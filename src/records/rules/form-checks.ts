import { setImmediate } from 'node:timers/promises';
import type { DataDictionary } from '../../dictionary/data-dictionary.js';
import { formStatusName, type ExportColumn } from '../../dictionary/export-column.js';
import type { Field } from '../../dictionary/field.js';
import type { ProjectStructure } from '../../dictionary/project-structure.js';
import { kindOf } from '../../dictionary/typed-values.js';
import type { ValueRule } from '../../dictionary/value-rules.js';
import { checkTree } from '../../logic/checker.js';
import { readsClock } from '../../logic/date-functions.js';
import { compileLogic, type Evaluator } from '../../logic/evaluator.js';
import { describeProblem } from '../../logic/logic-problem.js';
import { SuggestionBudget, type LogicProject } from '../../logic/logic-project.js';
import { parseLogic } from '../../logic/parser.js';

/** A column with the rule for its values. */
export interface ColumnCheck extends ExportColumn {
  readonly rule: ValueRule | undefined;
}

/** A field with its columns and its logic, compiled once for all records. */
export interface FieldCheck {
  readonly field: Field;
  readonly columns: readonly ColumnCheck[];
  /** The columns of a checkbox field for missing data codes. */
  readonly missingColumns: readonly string[];
  /** Whether the field has no branching logic. */
  readonly isAlwaysShown: boolean;
  /** Undefined for a field that is always shown, and if its logic cannot be parsed. */
  readonly isShown: Evaluator | undefined;
  /** The formula of a calculated field, unless its result depends on the day. */
  readonly calculation: Evaluator | undefined;
  /** Why its logic is not evaluated, as the ends of sentences that begin with the field. Empty if it is. */
  readonly notChecked: readonly string[];
}

/** The fields of one form, in order, except those that hold no data. */
export interface FormChecks {
  readonly instrument: string;
  /** The column of the form status. */
  readonly statusColumn: string;
  readonly fields: readonly FieldCheck[];
}

/**
 * Compiles the logic of a project's fields. Lets other work run in between, because there can be 10,000 of them.
 *
 * @param clock provides the date of `'today'` in logic
 */
export async function compileForms(
  structure: ProjectStructure,
  clock: () => Date,
): Promise<readonly FormChecks[]> {
  const { dictionary } = structure;
  const project: LogicProject = {
    dictionary,
    events: structure.events.map(({ uniqueName }) => uniqueName),
    missingDataCodes: [...structure.missingDataCodes],
    suggestions: new SuggestionBudget(),
  };
  const columns = columnsByField(dictionary);
  const forms = new Map<string, FieldCheck[]>(dictionary.instruments.map((name) => [name, []]));
  for (const [index, field] of dictionary.fields.entries()) {
    if (index % FIELDS_PER_TURN === FIELDS_PER_TURN - 1) await setImmediate();
    const own = columns.get(field.name);
    if (own === undefined) continue;
    forms.get(field.instrument)?.push(compileField(field, own, structure, project, clock));
  }
  return [...forms].map(([instrument, fields]) => ({
    instrument,
    statusColumn: formStatusName(instrument),
    fields,
  }));
}

/** A few milliseconds of work. */
const FIELDS_PER_TURN = 200;

function columnsByField(dictionary: DataDictionary): ReadonlyMap<string, readonly ExportColumn[]> {
  const columns = new Map<string, ExportColumn[]>();
  for (const column of dictionary.exportColumns()) {
    if (column.field === undefined) continue;
    const own = columns.get(column.field.name);
    if (own === undefined) columns.set(column.field.name, [column]);
    else own.push(column);
  }
  return columns;
}

function compileField(
  field: Field,
  columns: readonly ExportColumn[],
  structure: ProjectStructure,
  project: LogicProject,
  clock: () => Date,
): FieldCheck {
  const notChecked: string[] = [];
  const read = (source: string, what: string, isStored = false): Evaluator | undefined => {
    if (source.trim() === '') return undefined;
    const parsed = parseLogic(source);
    if ('problem' in parsed) {
      notChecked.push(`${what} cannot be read here ${describeProblem(parsed.problem)}`);
      return undefined;
    }
    if (isStored && readsClock(parsed.tree)) {
      notChecked.push(OF_ITS_DAY);
      return undefined;
    }
    const { errors, notes } = checkTree(parsed.tree, project);
    const problems = [...errors, ...notes].map(describeProblem);
    if (problems.length > 0) notChecked.push(`${what} is not known in all parts ${problems.join('; ')}`);
    return compileLogic(parsed.tree, { clock, missingDataCodes: structure.missingDataCodes });
  };
  return {
    field,
    columns: columns.map((column) => ({ ...column, rule: structure.dictionary.valueRule(column.name) })),
    missingColumns: structure.missingDataColumnsOf(field),
    isAlwaysShown: field.branchingLogic.trim() === '',
    isShown: read(field.branchingLogic, 'has branching logic that'),
    calculation: isNumericCalculation(field)
      ? read(field.choicesOrCalculations, 'has a calculation that', true)
      : undefined,
    notChecked,
  };
}

/** REDCap calculates when a form is saved, so that all such values would differ on any other day. */
const OF_ITS_DAY =
  'has a calculation with today or now: its stored values are those of the days on which they were saved, and are not compared';

/**
 * Returns whether the formula is evaluated here. `@CALCTEXT` and `@CALCDATE` compute text fields by rules that are not
 * supported.
 */
function isNumericCalculation(field: Field): boolean {
  return field.type === 'calc' && kindOf(field) === 'number';
}

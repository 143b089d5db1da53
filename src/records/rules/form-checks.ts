import { setImmediate } from 'node:timers/promises';
import { say, type Sentence } from '../../domain/errors/sentences.js';
import { formStatusName, groupBy, type ExportColumn } from '../../domain/dictionary/export-column.js';
import type { Field } from '../../domain/dictionary/field.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import { isCalculatedByTag } from '../../domain/dictionary/typed-values.js';
import type { ValueRule } from '../../domain/dictionary/value-rules.js';
import { checkTree, SuggestionBudget, type LogicProject } from '../../domain/logic/checker.js';
import { readsClock } from '../../domain/logic/date-functions.js';
import { compileLogic, type Evaluator } from '../../domain/logic/evaluator.js';
import { parseLogic } from '../../domain/logic/parser.js';

/** A column with the rule for its values. */
export interface ColumnCheck extends ExportColumn {
  readonly rule: ValueRule | undefined;
}

/** A field with its columns and its logic, compiled once for all records. */
export interface FieldCheck {
  readonly field: Field;
  readonly columns: readonly ColumnCheck[];
  /** Whether REDCap computes its values. */
  readonly isCalculated: boolean;
  /** The columns of a checkbox field for missing data codes. */
  readonly missingColumns: readonly string[];
  /** Whether the field has no branching logic. */
  readonly isAlwaysShown: boolean;
  /** Undefined for a field that is always shown, and if its logic cannot be parsed. */
  readonly isShown: Evaluator | undefined;
  /** The formula of a calculated field, unless its result depends on the day. */
  readonly calculation: Evaluator | undefined;
  /** Why its logic is not evaluated. Empty if it is. */
  readonly notChecked: readonly Sentence[];
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
  const columns = groupBy(dictionary.exportColumns(), ({ field }) => field?.name ?? '');
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

function compileField(
  field: Field,
  columns: readonly ExportColumn[],
  structure: ProjectStructure,
  project: LogicProject,
  clock: () => Date,
): FieldCheck {
  const notChecked: Sentence[] = [];
  const read = (
    source: string,
    part: 'branching logic' | 'a calculation',
    isStored = false,
  ): Evaluator | undefined => {
    if (source.trim() === '') return undefined;
    const parsed = parseLogic(source);
    if ('problem' in parsed) {
      notChecked.push(say('logic_unread', { part, problems: [parsed.problem] }));
      return undefined;
    }
    if (isStored && readsClock(parsed.tree)) {
      notChecked.push(say('calculation_of_its_day'));
      return undefined;
    }
    const { errors, notes } = checkTree(parsed.tree, project);
    const problems = [...errors, ...notes];
    if (problems.length > 0) notChecked.push(say('logic_unknown', { part, problems }));
    return compileLogic(parsed.tree, { clock, missingDataCodes: structure.missingDataCodes });
  };
  const isByTag = isCalculatedByTag(field);
  if (isByTag) notChecked.push(say('calculation_of_tag'));
  const checked = columns.map((column) => ({ ...column, rule: structure.dictionary.valueRule(column.name) }));
  for (const { rule } of checked) if (rule?.unevaluated !== undefined) notChecked.push(rule.unevaluated);
  return {
    field,
    isCalculated: field.type === 'calc' || isByTag,
    columns: checked,
    missingColumns: structure.missingDataColumnsOf(field),
    isAlwaysShown: field.branchingLogic.trim() === '',
    isShown: read(field.branchingLogic, 'branching logic'),
    calculation:
      field.type === 'calc' && !isByTag
        ? read(field.choicesOrCalculations, 'a calculation', true)
        : undefined,
    notChecked,
  };
}

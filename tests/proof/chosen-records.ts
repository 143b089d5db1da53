import { fillProject } from '../../src/sandbox/redcap/records/load-rows.js';
import { ProjectRegistry } from '../../src/sandbox/redcap/project-registry.js';
import { scopeOf } from '../../src/sandbox/redcap/records/logic-scope.js';
import type { Study } from '../../src/sandbox/redcap/study.js';
import { wordsIn } from './smaller-texts.js';

/** What a policy says, as plain data: the properties of the policy file. */
export interface Rules {
  readonly records:
    | 'all'
    | 'none'
    | { readonly dag: string }
    | {
        readonly own: {
          readonly field: string;
          readonly event?: string | readonly string[] | undefined;
          readonly equals: '$session.email';
        };
      }
    | { readonly where: string };
  readonly events?: readonly string[] | undefined;
  readonly forms: Readonly<Record<string, 'read' | 'write' | 'none'>>;
  readonly fields?:
    | { readonly hide?: readonly string[] | undefined; readonly read?: readonly string[] | undefined }
    | undefined;
  readonly create?: false | 'auto' | { readonly prefix: string };
  readonly files?: 'none' | 'read' | 'write';
  readonly reports?: readonly number[] | undefined;
  readonly log?: 'none' | 'read';
  readonly deidentify?: 'none' | 'remove-identifiers' | 'limited' | 'safe-harbor' | undefined;
  readonly transform?:
    | {
        readonly record_id?: 'pseudonym' | 'random' | undefined;
        readonly dates?: 'shift' | 'year' | undefined;
        readonly age?: { readonly top: number; readonly fields?: readonly string[] | undefined } | undefined;
        readonly zip?: { readonly keep: 3; readonly fields?: readonly string[] | undefined } | undefined;
      }
    | undefined;
}

/** What is known of a caller, by which a rule may choose records. */
export interface Person {
  readonly group: string;
  readonly email: string;
}

type Row = Study['rows'][number];

/** The time at which everything is played. */
export const NOW = new Date('2026-03-01T12:00:00Z');

/** The ids of the records that a rule chooses. */
export function recordsOf(study: Study, { records }: Rules, { group, email }: Person): Set<string> {
  const { rows, fields } = study;
  const idName = fields[0]?.name ?? '';
  const idsOf = (isChosen: (row: Row) => boolean): Set<string> =>
    new Set(rows.filter(isChosen).map((row) => row[idName] ?? ''));
  if (records === 'all') return idsOf(() => true);
  if (records === 'none') return new Set();
  const named = groupOf({ records }, { group });
  if ('dag' in records) return idsOf((row) => row.redcap_data_access_group === named);
  if ('where' in records) return recordsWhere(study, records.where);
  const { field, event } = records.own;
  const isAt = (place = ''): boolean => event === undefined || [event].flat().includes(place);
  const own = idsOf(
    (row) => isAt(row.redcap_event_name) && row[field]?.toLowerCase() === email && email !== '',
  );
  return own.size === 1 ? own : new Set();
}

/** The group of whose records the rule is; undefined for another rule. */
export function groupOf(
  { records }: Pick<Rules, 'records'>,
  { group }: Pick<Person, 'group'>,
): string | undefined {
  if (typeof records !== 'object' || !('dag' in records)) return undefined;
  return records.dag === '$caller.dag' ? group : records.dag;
}

/** The records of which a row satisfies a condition, as the sandbox evaluates it, which is not what a service does. */
function recordsWhere(study: Study, where: string): Set<string> {
  const project = new ProjectRegistry(() => NOW).add(study);
  fillProject(project, study);
  const logic = project.structure.compileLogic(where);
  const chosen = project.records
    .inOrder()
    .filter((record) => [...record.rows].some((row) => logic.isTrue(scopeOf(project, record, row))));
  return new Set(chosen.map(({ id }) => id));
}

/** Whether a condition is satisfied where nothing was entered, so that a blank row is a reason to choose a record. */
export function choosesBlank(study: Study, { records }: Rules): boolean {
  if (typeof records !== 'object' || !('where' in records)) return false;
  const fields = new Set(study.fields.map(({ name }) => name));
  return new ProjectRegistry(() => NOW)
    .add(study)
    .structure.compileLogic(records.where)
    .isTrue({
      value: ({ field, code }) => (code === undefined && fields.has(field) ? '' : '0'),
      smart: () => '',
    });
}

/** The fields, and the statuses of forms, that decide about the records, directly or by a calculation. */
export function decidingOf({ fields }: Pick<Study, 'fields'>, { records }: Rules): Set<string> {
  if (typeof records !== 'object' || 'dag' in records) return new Set();
  const deciding = new Set('own' in records ? [records.own.field] : wordsIn(records.where));
  // A set is iterated over what is added meanwhile, too.
  for (const name of deciding) {
    const field = fields.find((each) => each.name === name);
    const isCalculated = field?.type === 'calc' || /@CALC(TEXT|DATE)/.test(field?.annotation ?? '');
    if (field === undefined || !isCalculated) continue;
    for (const word of wordsIn(`${field.choicesOrCalculations} ${field.annotation}`)) deciding.add(word);
  }
  return deciding;
}

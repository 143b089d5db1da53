import type { Field } from '../../domain/dictionary/field.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import { withoutTags } from '../../domain/dictionary/without-tags.js';
import { spreadsheetCell } from '../formats/csv-formula-guard.js';

/** The kinds of fields in which a check finds a mistake of their own. */
const KINDS = [
  (field: Field) => ['integer', 'number'].includes(field.validationType),
  (field: Field) => ['radio', 'dropdown'].includes(field.type),
  (field: Field) => /^date_/.test(field.validationType),
] as const;

/** Returns a CSV file for a project, with one mistake of each kind: to see what a check says. */
export function exampleFile(structure: ProjectStructure): string {
  const { dictionary, isLongitudinal } = structure;
  const [event = '', [number, choice, date]] = placeOf(structure);
  const [first, second = first] = choice === undefined ? [] : dictionary.choices(choice);
  const misspelt = number === undefined ? 'not_in_the_project' : `${number.name}s`;
  const good = { number: '47', choice: first?.code, date: '2026-03-01', misspelt: '' };
  const rows = [
    { id: ID, ...good, number: 'forty' },
    { id: `${ID}2`, ...good, choice: withoutTags(second?.label ?? ''), date: '2026-02-30' },
    { id: 'P-3', ...good },
    { id: `${ID}4`, ...good, misspelt: '47' },
  ];
  const columns = [
    { key: 'id', header: dictionary.recordIdField?.name ?? 'record_id' },
    isLongitudinal && { key: 'event', header: 'redcap_event_name' },
    number && { key: 'number', header: number.name },
    choice && { key: 'choice', header: choice.name },
    date && { key: 'date', header: date.name },
    { key: 'misspelt', header: misspelt },
  ].filter((column) => typeof column === 'object') as readonly {
    readonly key: keyof typeof good | 'id' | 'event';
    readonly header: string;
  }[];
  const cells = rows.map((row) => ({ ...row, event }));
  const table = [
    columns.map(({ header }) => header),
    ...cells.map((row) => columns.map(({ key }) => row[key] ?? '')),
  ];
  return table.map((row) => `${row.map(spreadsheetCell).join(',')}\r\n`).join('');
}

/** Nobody has it, and it is as long as an id has to be. */
const ID = 'EXAMPLE-2026-PARTICIPANT-0901';

/** Returns the first event with fields of the most kinds, and these fields. */
function placeOf(structure: ProjectStructure): readonly [string | undefined, readonly (Field | undefined)[]] {
  const places = structure.eventNames.map((event) => [event, fieldsAt(structure, event)] as const);
  const count = (fields: readonly unknown[]): number => fields.filter((field) => field !== undefined).length;
  const most = Math.max(0, ...places.map(([, fields]) => count(fields)));
  return places.find(([, fields]) => count(fields) === most) ?? [undefined, []];
}

/** Returns a field of each kind at an event, where nothing repeats and nothing is hidden or calculated. */
function fieldsAt(structure: ProjectStructure, event: string): readonly (Field | undefined)[] {
  const [, ...fields] = structure.dictionary.fields.filter(
    ({ instrument, branchingLogic }) =>
      structure.stands(instrument, event) && !structure.repeats(instrument) && branchingLogic === '',
  );
  return KINDS.map((isOfKind) => fields.find(isOfKind));
}

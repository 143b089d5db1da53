import type { ContentCall } from '../content.js';
import type { SandboxProject } from '../project.js';
import { writePdf } from '../files/write-pdf.js';
import type { Answer } from '../../../wire/answer.js';
import { invalidParameter } from '../../../wire/api-failure.js';
import { isOnRow } from '../records/export-values.js';
import { findRecord } from '../records/record-actions.js';
import type { StoredRecord, StoredRow } from '../records/record-store.js';

/** Forms as PDF, blank or filled in with a record's data. @see docs/protocol/redcap.md 11.4 (client), 20 (client) */
export function exportPdf(call: ContentCall): Answer {
  const { project, parameters, caller } = call;
  // `allRecords` ignores `instrument` and `event`. @see docs/protocol/redcap.md 20 (doc)
  const isEverything = parameters.has('allRecords');
  const instruments = instrumentsOf(project, isEverything ? '' : parameters.text('instrument'));
  // A classic project ignores `event`. @see docs/protocol/redcap.md 11.4 (choice)
  const event = isEverything || !project.isLongitudinal ? '' : parameters.text('event');
  if (event !== '' && project.event(event) === undefined) throw invalidParameter('event');
  const lines = recordsOf(call).flatMap((record) =>
    rowsOf(call, record, event, instruments).flatMap((row) => [
      ...(record === undefined ? [] : [`Record ${record.id}`]),
      ...instruments
        .filter((name) => row === undefined || isOnRow(project, name, row))
        .flatMap((name) => linesOf(call, name, row)),
      '',
    ]),
  );
  const title = project.study.project.title;
  const bytes = writePdf([title, `Exported by ${caller.username}`, '', ...lines]);
  // REDCap declares it as HTML and sends no file name. @see docs/protocol/redcap.md 20 (client)
  return { kind: 'bytes', bytes, type: 'text/html', fileName: undefined };
}

/** Returns the instruments to write. @param only the one that is requested, or empty for all */
function instrumentsOf(project: SandboxProject, only: string): string[] {
  if (only === '') return project.study.instruments.map(({ name }) => name);
  if (project.instrument(only) === undefined) throw invalidParameter('instrument');
  return [only];
}

/**
 * Selects the records. `allRecords` counts if it is present, whatever its value. (doc)
 *
 * @returns one `undefined` for blank forms
 */
function recordsOf(call: ContentCall): (StoredRecord | undefined)[] {
  const { project, parameters, caller } = call;
  if (parameters.has('allRecords')) return project.records.inOrder().filter((record) => caller.sees(record));
  const id = parameters.text('record');
  return [id === '' ? undefined : findRecord(call, id)];
}

/** Returns the rows of a record that have one of the forms; undefined if none has, for blank forms. */
function rowsOf(
  { parameters, project }: ContentCall,
  record: StoredRecord | undefined,
  event: string,
  instruments: readonly string[],
): (StoredRow | undefined)[] {
  const instance = parameters.text('repeat_instance');
  const rows = [...(record?.rows ?? [])].filter(
    (row) =>
      (event === '' || row.event === event) &&
      (instance === '' || row.instance === 0 || String(row.instance) === instance) &&
      instruments.some((name) => isOnRow(project, name, row)),
  );
  return rows.length > 0 ? rows : [undefined];
}

/**
 * Writes a form. The compact display has no blank lines and, for a record, no blank fields.
 *
 * @see docs/protocol/redcap.md 20 (client)
 */
function linesOf(
  { project, caller, parameters }: ContentCall,
  instrument: string,
  row: StoredRow | undefined,
): string[] {
  const isCompact = parameters.flag('compactDisplay');
  const columns = project.structure.columns.filter((column) => column.instrument === instrument);
  const mayRead = caller.exportRight(instrument) === 1;
  const lines = columns.flatMap(({ name, field, choice }) => {
    const value = mayRead ? (row?.values.get(name) ?? '') : '';
    const isBlank = value === '' || (choice !== undefined && value === '0');
    if (isCompact && row !== undefined && isBlank) return [];
    const label =
      choice === undefined ? (field?.label ?? 'Complete?') : `${field?.label ?? ''}: ${choice.label}`;
    return [`${label}: ${value === '' && !isCompact ? '______' : value}`.trimEnd()];
  });
  const title = project.instrument(instrument)?.label ?? instrument;
  return isCompact ? [title, ...lines] : ['', title, '', ...lines];
}

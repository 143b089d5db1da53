import type { SandboxProject } from '../project.js';
import { applyRows } from '../records/apply-rows.js';
import { dateOrderOf } from '../records/import-dates.js';
import { placeEavRows, placeFlatRows, type PlacedRow } from '../records/import-rows.js';
import { faultsOf, writeFaults } from '../records/import-validation.js';
import { parseImport } from '../records/parse-import.js';
import { ApiFailure, type Answer, type Format } from '../wire/answer.js';
import type { Parameters } from '../wire/parameters.js';
import { csvCell, toJson } from '../wire/write-answer.js';
import { nextRecordName } from './record-names.js';

/**
 * `content=record`, import: all of it or, with any error, nothing.
 *
 * @throws {ApiFailure} 400 with the lines of every faulty cell
 * @see protocol reference 5 (client, wire)
 */
export function importRecords(
  project: SandboxProject,
  parameters: Parameters,
  format: Format,
  returnFormat: Format,
): Answer {
  const data = parseImport(parameters, format);
  if (data === undefined) return counted([], parameters, returnFormat, []);

  const rows = parameters.text('type') === 'eav' ? placeEavRows(project, data) : placeFlatRows(project, data);
  const dateOrder = dateOrderOf(parameters.text('dateFormat'));
  const faults = rows.flatMap((row) => faultsOf(project, row, dateOrder));
  if (faults.length > 0) throw new ApiFailure(400, writeFaults(faults));

  const renamed = parameters.flag('forceAutoNumber') ? renumber(project, rows) : [];
  const isOverwrite = parameters.text('overwriteBehavior') === 'overwrite';
  const ids = applyRows(project, rows, { isOverwrite, dateOrder });
  if (parameters.flag('backgroundProcess')) return { kind: 'written', body: toJson({ success: true }) };
  return counted(ids, parameters, returnFormat, renamed);
}

/** Names that were given only group rows. @returns pairs of the new name and the one that was sent */
function renumber(project: SandboxProject, rows: readonly PlacedRow[]): [string, string][] {
  const names = new Map<string, string>();
  let next = Number(nextRecordName(project));
  for (const row of rows) {
    const name = names.get(row.record) ?? String(next++);
    names.set(row.record, name);
    row.record = name;
  }
  return [...names].map(([sent, name]) => [name, sent]);
}

/** @see protocol reference 5.6 (client): the count is of records, not of rows */
function counted(
  ids: readonly string[],
  parameters: Parameters,
  format: Format,
  renamed: readonly (readonly [string, string])[],
): Answer {
  switch (parameters.text('returnContent')) {
    case 'nothing':
      return { kind: 'written', body: '' };
    case 'ids':
      return { kind: 'written', body: writeIds(ids, format) };
    case 'auto_ids':
      return {
        kind: 'written',
        body: writeIds(
          renamed.map((pair) => pair.join(',')),
          format,
        ),
      };
    default:
      return { kind: 'written', body: writeCount(ids.length, format) };
  }
}

function writeCount(count: number, format: Format): string {
  if (format === 'json') return toJson({ count });
  return format === 'csv' ? String(count) : `<?xml version="1.0" encoding="UTF-8" ?><count>${count}</count>`;
}

function writeIds(ids: readonly string[], format: Format): string {
  if (format === 'json') return toJson(ids);
  if (format === 'csv') return ['id', ...ids.map((id) => csvCell(id))].join('\n');
  const items = ids.map((id) => `<id>${id.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</id>`);
  return `<?xml version="1.0" encoding="UTF-8" ?><ids>${items.join('')}</ids>`;
}

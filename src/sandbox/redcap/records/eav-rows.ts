import { checkboxColumnName } from '../../../domain/dictionary/export-column.js';
import type { SandboxProject } from '../project.js';
import { ApiFailure } from '../wire/api-failure.js';
import { placeFlatRows, type PlacedRow } from './import-rows.js';
import type { ImportedRow } from './imported-row.js';

const PLACE = ['redcap_event_name', 'redcap_repeat_instrument', 'redcap_repeat_instance'] as const;

/**
 * Reads the rows of an EAV import, which have one value each. The values of one place become one row.
 *
 * @throws {ApiFailure} 400 as for flat rows, and for the instance `new`, which only flat imports support
 * @see docs/protocol/redcap.md 5.3 (doc, client)
 */
export function placeEavRows(project: SandboxProject, rows: readonly ImportedRow[]): PlacedRow[] {
  const places = new Map<string, Map<string, string>>();
  for (const row of rows) {
    const cell = (name: string): string => (row.get(name) ?? '').trim();
    if (cell('redcap_repeat_instance') === 'new') {
      throw new ApiFailure(400, 'The value "new" of redcap_repeat_instance is not valid with type=eav');
    }
    const place = PLACE.map((name) => [name, cell(name)] as const).filter(([, value]) => value !== '');
    const key = JSON.stringify([cell('record'), ...place]);
    const flat = places.get(key) ?? new Map([[project.idField, cell('record')], ...place]);
    places.set(key, flat);
    if (cell('field_name') !== project.idField) {
      flat.set(...eavValue(project, cell('field_name'), row.get('value') ?? ''));
    }
  }
  return placeFlatRows(project, [...places.values()]);
}

/**
 * Returns the column and the value of an EAV row. A checkbox choice is given as `f___code` with 0 or 1, or as in an export: the
 * field name with a checked code.
 */
function eavValue(project: SandboxProject, name: string, value: string): [string, string] {
  const field = project.dictionary.field(name);
  if (field?.type !== 'checkbox') return [name, value];
  const choices = [...project.dictionary.choices(field), ...project.missingCodes];
  const isChecked = choices.some(({ code }) => code === value);
  return isChecked ? [checkboxColumnName(name, value), '1'] : [name, value];
}

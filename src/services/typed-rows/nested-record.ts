import { formStatusName } from '../../dictionary/export-column.js';
import type { ProjectStructure } from '../../dictionary/project-structure.js';
import type { OutputRow } from '../row-output/row-bytes.js';

/** The values of a form: its fields and its status. */
export type NestedForm = Readonly<Record<string, unknown>>;

/** One record as a document. */
export interface NestedRecord {
  readonly record: string;
  /**
   * By unique event name; a classic project has one, `event_1_arm_1`, as inside REDCap. Below it, by instrument: the values of
   * the form, or a list of instances where it repeats.
   */
  readonly events: Readonly<Record<string, Readonly<Record<string, NestedForm | readonly NestedForm[]>>>>;
}

const CLASSIC_EVENT = 'event_1_arm_1';

/**
 * Arranges the rows of one record: events → instruments → instances. Each value stands once, on its form; the instance stands
 * in its form as `redcap_repeat_instance`.
 *
 * @param rows raw or typed, all of one record
 */
export function nestRecord(
  structure: ProjectStructure,
  record: string,
  rows: readonly OutputRow[],
): NestedRecord {
  const events: Record<string, Record<string, NestedForm | NestedForm[]>> = {};
  for (const row of rows) {
    const event = textOf(row['redcap_event_name']);
    const repeating = textOf(row['redcap_repeat_instrument']);
    const instance = row['redcap_repeat_instance'];
    const forms = (events[event === '' ? CLASSIC_EVENT : event] ??= {});
    const there = repeating === '' ? structure.instrumentsAt(event) : [repeating];
    for (const instrument of there) {
      const isRepeated = structure.repeatsInstrument(event, instrument);
      // The base row has the columns of a repeating instrument too, and nothing in them.
      if (isRepeated && repeating === '') continue;
      const values = valuesOf(structure, instrument, row);
      if (!isRepeated && !structure.repeatsEvent(event)) {
        forms[instrument] = values;
        continue;
      }
      const instances = forms[instrument];
      const form = { redcap_repeat_instance: Number(instance), ...values };
      if (Array.isArray(instances)) instances.push(form);
      else forms[instrument] = [form];
    }
  }
  return { record, events };
}

function valuesOf({ dictionary }: ProjectStructure, instrument: string, row: OutputRow): NestedForm {
  const values: Record<string, unknown> = {};
  const id = dictionary.recordIdField?.name;
  for (const { name, field, instrument: own } of dictionary.exportColumns()) {
    if (own !== instrument || field === undefined || name === id) continue;
    if (Object.hasOwn(row, name)) values[name] = row[name];
    else if (Object.hasOwn(row, field.name)) values[field.name] = row[field.name];
  }
  const status = formStatusName(instrument);
  if (Object.hasOwn(row, status)) values[status] = row[status];
  return values;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

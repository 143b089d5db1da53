import type { ExportColumn } from '../../../domain/dictionary/export-column.js';
import type { Caller } from '../caller.js';
import type { SandboxProject } from '../project.js';
import type { PlacedRow } from './import-rows.js';
import { eventLabel } from './export-values.js';

/** An invalid cell of an import. */
interface CellFault {
  readonly record: string;
  readonly field: string;
  readonly value: string;
  readonly message: string;
}

const LOCKED =
  'This field is located on a form that is locked. You must first unlock this form for this record.';
const NOT_REPEATING =
  'redcap_repeat_instrument must be the unique form name of a Repeating Instrument. It currently does not match the unique form name of any Repeating Instruments.  Please fix this in the data import file and try again.';
const FORMAT =
  'The value you provided could not be validated because it does not follow the expected format. Please try again.';

interface ValidationOptions {
  readonly dateOrder: DateOrder;
  /** Undefined when a study is loaded. */
  readonly caller?: Caller;
  /** Whether all records are new, because they get new names: a given name means no stored record then. */
  readonly isNew?: boolean;
}

/**
 * Returns all invalid cells of a row, not just the first. Minimum and maximum are soft limits: values outside are
 * stored.
 *
 * @see docs/protocol/redcap.md 5.5 (wire, client)
 */
export function faultsOf(
  project: SandboxProject,
  row: PlacedRow,
  { dateOrder, caller, isNew = false }: ValidationOptions,
): CellFault[] {
  const structural = structuralFault(project, row) ?? groupFault(project, row, caller, isNew);
  if (structural !== undefined) return [{ record: row.record, ...structural }];
  return [...row.values]
    .filter(([, value]) => value !== '')
    .flatMap(([name, value]) => {
      const column = project.column(name);
      const message = column === undefined ? undefined : cellFault(project, row, column, value, dateOrder);
      return message === undefined ? [] : [{ record: row.record, field: name, value, message }];
    });
}

/** Writes the error message: one line per cell with four quoted values. (wire) */
export function writeFaults(faults: readonly CellFault[]): string {
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  return faults
    .map(({ record, field, value, message }) => [record, field, value, message].map(quoted).join(','))
    .join('\n');
}

/**
 * Checks the data access group. It must exist, and only callers without a group can assign one. Callers with a group
 * cannot change records of others.
 *
 * @see docs/protocol/redcap.md 5.2 (doc, client); the server's actual message is unknown (choice)
 */
function groupFault(
  project: SandboxProject,
  { record, group = '' }: PlacedRow,
  caller: Caller | undefined,
  isNew: boolean,
): Omit<CellFault, 'record'> | undefined {
  const known = isNew ? undefined : project.records.get(record);
  if (caller !== undefined && known !== undefined && !caller.sees(known)) {
    const message = 'This record belongs to a Data Access Group to which you do not have access.';
    return { field: project.idField, value: record, message };
  }
  const mayAssign = caller === undefined || caller.group === '';
  if (group === '' || (project.group(group) !== undefined && mayAssign)) return undefined;
  const field = 'redcap_data_access_group';
  return { field, value: group, message: `The value is not a valid category for ${field}` };
}

function structuralFault(
  project: SandboxProject,
  { event, instrument, instance }: PlacedRow,
): Omit<CellFault, 'record'> | undefined {
  if (instrument !== '' && !project.isRepeatingInstrument(event, instrument))
    return { field: 'redcap_repeat_instrument', value: instrument, message: NOT_REPEATING };
  const doesRepeat = instrument !== '' || project.isRepeatingEvent(event);
  const isInstance = instance === 'new' || /^[1-9]\d{0,4}$/.test(instance);
  if (doesRepeat ? isInstance : instance === '') return undefined;
  const message = doesRepeat
    ? 'redcap_repeat_instance must be a whole number from 1 on, or new.'
    : 'redcap_repeat_instance cannot have a value since this instrument or event is not a repeating instrument or repeating event, respectively.  The redcap_repeat_instance field must be left blank for this row of data.';
  return { field: 'redcap_repeat_instance', value: instance, message };
}

function cellFault(
  project: SandboxProject,
  row: PlacedRow,
  column: ExportColumn,
  value: string,
  dateOrder: DateOrder,
): string | undefined {
  const { name, instrument, field } = column;
  if (project.records.isLocked(row.record, instrument)) return LOCKED;
  if (!project.isMapped(row.event, instrument))
    return `This field ('${name}') exists on an instrument that is not designated for the event named '${eventLabel(project, row.event)}'. You are not allowed to import data for this field into this event.`;
  if (row.instrument === '' && project.isRepeatingInstrument(row.event, instrument)) {
    const label = project.instrument(instrument)?.label ?? instrument;
    return `This field ('${name}') exists on a Repeating Instrument named '${label}'. However, the fields 'redcap_repeat_instance' and/or 'redcap_repeat_instrument' for this row of data have no value, which are both required. You are not allowed to import data for this field into a non-repeating instrument.`;
  }
  if (row.instrument !== '' && row.instrument !== instrument)
    return `This field ('${name}') does not exist on the Repeating Instrument of this row of data.`;
  if (field !== undefined && field.type !== 'checkbox' && project.isMissingCode(value)) return undefined;
  switch (field?.type) {
    case 'checkbox':
      return value === '0' || value === '1' ? undefined : `The value is not a valid category for ${name}`;
    case 'calc': // ignored and computed again (choice)
    case 'file': // ignored. @see docs/protocol/redcap.md 20 (client)
      return undefined;
    case 'text':
    case 'slider': {
      const isDate = field.validationType.startsWith('date');
      const stored = isDate ? normaliseDate(value, dateOrder) : value;
      return project.dictionary.validateValue(name, stored) === undefined ? undefined : FORMAT;
    }
    default:
      return project.dictionary.validateValue(name, value) === undefined
        ? undefined
        : `The value is not a valid category for ${name}`;
  }
}

/** The order of day, month and year in an import. @see docs/protocol/redcap.md 5.1 (doc) */
export type DateOrder = 'YMD' | 'MDY' | 'DMY';

/**
 * Converts a date to the stored form `YYYY-MM-DD` and keeps a time after it. A value that is not a date in the given
 * order is returned in a form that fails validation.
 *
 * @see docs/protocol/redcap.md 5.1 (doc), 5.2 (client): both separators are accepted
 */
export function normaliseDate(value: string, order: DateOrder): string {
  // `2022-01-21` is accepted with every order. @see docs/protocol/redcap.md 20 (client)
  if (order === 'YMD' || /^\d{4}-\d{2}-\d{2}/.test(value))
    return value.replace(/^(\d{4})\/(\d{2})\/(\d{2})/, '$1-$2-$3');
  const [, first, second, year, rest = ''] = /^(\d{1,2})[-/](\d{1,2})[-/](\d{4})(.*)$/.exec(value) ?? [];
  if (first === undefined || second === undefined || year === undefined) return `not ${order}: ${value}`;
  const [month, day] = order === 'MDY' ? [first, second] : [second, first];
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${rest}`;
}

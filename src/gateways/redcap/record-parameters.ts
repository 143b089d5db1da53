import { ExistingRecordId } from '../../identifiers/record-id.js';
import { InvalidRequestError } from '../../errors/caller-errors.js';
import { EventName } from '../../identifiers/event-name.js';
import { FieldName } from '../../identifiers/field-name.js';
import { InstrumentName } from '../../identifiers/instrument-name.js';
import { optionalMoment, refuseReversed } from './contents/checked-values.js';
import { narrowingList, narrowingLogic } from './contents/named-list.js';
import type { RecordSelection } from './record-export-options.js';
import type { WireParameters } from './wire-parameters.js';

/**
 * Returns the parameters of a record export.
 *
 * @throws {InvalidIdentifierError} a field, instrument, event or record id is not valid
 * @throws {InvalidRequestError} a list is empty, the logic is blank or has control characters, or a date is invalid
 * @see docs/protocol/redcap.md 4.1
 */
export function toExportParameters(selection: RecordSelection): WireParameters {
  const dateRangeBegin = optionalMoment('dateRangeBegin', selection.dateRangeBegin);
  const dateRangeEnd = optionalMoment('dateRangeEnd', selection.dateRangeEnd);
  refuseReversed(['dateRangeBegin', dateRangeBegin], ['dateRangeEnd', dateRangeEnd]);
  return {
    content: 'record',
    action: 'export',
    type: selection.type ?? 'flat',
    records: narrowingList('records', selection.records)?.map(ExistingRecordId),
    fields: narrowingList('fields', selection.fields)?.map(FieldName),
    forms: narrowingList('forms', selection.forms)?.map(InstrumentName),
    events: narrowingList('events', selection.events)?.map(EventName),
    filterLogic: checkedLogic(selection.filterLogic),
    rawOrLabel: selection.rawOrLabel,
    rawOrLabelHeaders: selection.rawOrLabelHeaders,
    exportCheckboxLabel: selection.exportCheckboxLabel,
    exportSurveyFields: selection.exportSurveyFields,
    exportDataAccessGroups: selection.exportDataAccessGroups,
    dateRangeBegin,
    dateRangeEnd,
    csvDelimiter: selection.csvDelimiter,
    decimalCharacter: selection.decimalCharacter,
    exportBlankForGrayFormStatus: selection.exportBlankForGrayFormStatus,
    combineCheckboxOptions: selection.combineCheckboxOptions,
  };
}

function checkedLogic(given: RecordSelection['filterLogic']): string | undefined {
  const logic = narrowingLogic(given);
  if (logic === undefined || !/[^\P{Cc}\t\r\n]/u.test(logic)) return logic;
  throw new InvalidRequestError([{ field: 'filterLogic', message: 'must not have control characters' }]);
}

import type { RecordSelection } from './record-export-options.js';
import type { WireParameters } from './wire-parameters.js';

/** Returns the parameters of a record export. @see docs/protocol/redcap.md 4.1 */
export function toExportParameters(selection: RecordSelection): WireParameters {
  return {
    content: 'record',
    action: 'export',
    type: selection.type ?? 'flat',
    records: selection.records,
    fields: selection.fields,
    forms: selection.forms,
    events: selection.events,
    filterLogic: selection.filterLogic?.toString(),
    rawOrLabel: selection.rawOrLabel,
    rawOrLabelHeaders: selection.rawOrLabelHeaders,
    exportCheckboxLabel: selection.exportCheckboxLabel,
    exportSurveyFields: selection.exportSurveyFields,
    exportDataAccessGroups: selection.exportDataAccessGroups,
    dateRangeBegin: selection.dateRangeBegin,
    dateRangeEnd: selection.dateRangeEnd,
    csvDelimiter: selection.csvDelimiter,
    decimalCharacter: selection.decimalCharacter,
    exportBlankForGrayFormStatus: selection.exportBlankForGrayFormStatus,
    combineCheckboxOptions: selection.combineCheckboxOptions,
  };
}

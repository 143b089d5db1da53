import type { Readable } from 'node:stream';
import type { CallOptions } from '../call-options.js';
import type { CsvDelimiter } from '../csv-delimiter.js';
import { openExport } from '../open-export.js';
import { RecordRows, type RecordRow } from '../record-row.js';
import type { RedcapWire } from '../redcap-wire.js';
import type { WireParameters } from '../wire-parameters.js';
import { callOf, positiveInteger, type ContentCalls } from './content-calls.js';

/** How a report is written. Which fields and records it has is a matter of the report. */
export interface ReportForm {
  /** Codes of choices, or their labels. `raw` by default. */
  readonly rawOrLabel?: 'raw' | 'label' | undefined;
  /** Names or labels in the header; CSV only. */
  readonly rawOrLabelHeaders?: 'raw' | 'label' | undefined;
  /** With labels: the choice's label, or nothing, instead of `Checked` and `Unchecked`. */
  readonly exportCheckboxLabel?: boolean | undefined;
  /** CSV only. */
  readonly csvDelimiter?: CsvDelimiter | undefined;
  /** How numbers are written; as stored when not given. */
  readonly decimalCharacter?: ',' | '.' | undefined;
}

export interface OpenReportOptions extends ReportForm, CallOptions {
  /** The form of the bytes. */
  readonly format: 'json' | 'csv';
}

/** `content=report`: the rows of a report that was defined in REDCap. @see docs/protocol/redcap.md 13.1 (client, inferred) */
export class Reports {
  constructor(
    private readonly wire: RedcapWire,
    private readonly calls: ContentCalls,
  ) {}

  /** All rows at once. @throws {UpstreamRejectedError} no such report, or the token's user may not see it */
  async export(reportId: number, options: ReportForm & CallOptions = {}): Promise<RecordRow[]> {
    return this.calls.ask(toParameters(reportId, options), RecordRows, options);
  }

  /**
   * REDCap's own bytes: a JSON array, or CSV, which is empty when there are no rows. Rejects before the first byte when
   * the answer is no report; destroys the stream when it breaks off later.
   *
   * @throws {UpstreamRejectedError} no such report, or the token's user may not see it
   */
  async open(reportId: number, options: OpenReportOptions): Promise<Readable> {
    const parameters = { ...toParameters(reportId, options), format: options.format };
    return openExport(this.wire, parameters, callOf(options));
  }
}

function toParameters(reportId: number, form: ReportForm): WireParameters {
  return {
    content: 'report',
    action: 'export',
    report_id: positiveInteger('reportId', reportId),
    rawOrLabel: form.rawOrLabel,
    rawOrLabelHeaders: form.rawOrLabelHeaders,
    exportCheckboxLabel: form.exportCheckboxLabel,
    csvDelimiter: form.csvDelimiter,
    decimalCharacter: form.decimalCharacter,
  };
}

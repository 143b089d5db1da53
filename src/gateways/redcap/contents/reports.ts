import type { Readable } from 'node:stream';
import { FORM, FORMAT, type CsvForm, type ValueForm } from '../record-export-options.js';
import {
  argument,
  only,
  options,
  strictObject,
  type Shape,
  type OrUndefined,
} from '../../../domain/identifiers/check-options.js';
import { positiveInteger } from './argument-values.js';
import { CALL, type CallOptions } from '../call-options.js';
import { RecordRows, type RecordRow } from '../record-row.js';
import type { WireParameters } from '../wire-parameters.js';
import { content, type ContentCalls } from './content-calls.js';

/**
 * The number of a report.
 * @isInt
 * @minimum 1
 * @maximum 2147483647
 * @example 1
 */
export type ReportNumber = number;

/** How the rows of a report are written. Its fields and records are defined in the report itself. */
export interface ReportForm extends ValueForm, CsvForm {}

/** The format of a report. */
export interface OpenReportOptions extends OrUndefined<ReportForm>, CallOptions {
  /** The format of the bytes. */
  readonly format: 'json' | 'csv';
}

/** `content=report`: the rows of a report defined in REDCap. @see docs/protocol/redcap.md 13.1 (client, inferred) */
export class Reports {
  constructor(private readonly calls: ContentCalls) {}

  /**
   * Returns all rows in one list.
   *
   * @throws {ProblemError} `report_not_found`: no such report, or the token's user cannot see it
   */
  async get(report: number, options: OrUndefined<ReportForm> & CallOptions = {}): Promise<RecordRow[]> {
    return this.calls.ask(toParameters(report, options), RecordRows, options);
  }

  /**
   * Opens REDCap's own bytes, as a JSON array or CSV, which is empty if there are no rows. Rejects before the first
   * byte if the answer is not a report; destroys the stream if it breaks off later.
   *
   * @throws {ProblemError} `report_not_found`: no such report, or the token's user cannot see it
   */
  async open(report: number, options: OpenReportOptions): Promise<Readable> {
    const parameters = { ...toParameters(report, options), format: options.format };
    return this.calls.openRows(parameters, options);
  }
}

function toParameters(report: number, form: OrUndefined<ReportForm>): WireParameters {
  return { content: 'report', action: 'export', report_id: report, ...only(form, FORM) };
}

const REPORT = { ...CALL, ...FORM } satisfies Shape<OrUndefined<ReportForm> & CallOptions>;

const OPEN_REPORT = { ...REPORT, format: FORMAT } satisfies Shape<OpenReportOptions>;

const report = argument('report', positiveInteger);

export const REPORTS = content(Reports, {
  get: [report, options(REPORT)],
  open: [report, argument('options', strictObject(OPEN_REPORT, 'an option'))],
});

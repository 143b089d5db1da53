import type { OrUndefined } from '../../domain/identifiers/check-options.js';
import type { CrfClient, ReportForm } from '../../gateways/redcap/crf-client.js';
import type { AuditedOptions } from '../../records/audit-notes.js';
import type { ReaderPaceOptions } from '../../records/streaming/reader-pace.js';
import {
  checkRowsForm,
  rowsAnswer,
  rowsNoted,
  upstreamFormat,
  type RowsForm,
} from '../../records/formats/rows-answer.js';
import type { StreamedAnswer } from '../../records/streaming/streamed-answer.js';

/** Options for exporting a report. */
export interface ReportRequest extends OrUndefined<ReportForm>, RowsForm {
  readonly csvDelimiter?: RowsForm['csvDelimiter'];
}

/** Exports reports of any size in constant memory, in the same forms as records. */
export class ReportExporter {
  readonly #reports: Pick<CrfClient['reports'], 'open'>;
  readonly #pace: ReaderPaceOptions;

  /** @param pace minimum speed of a reader whose progress is known; none by default */
  constructor(
    client: { readonly reports: Pick<CrfClient['reports'], 'open'> },
    pace: ReaderPaceOptions = { minBytesPerSecond: 0 },
  ) {
    this.#reports = client.reports;
    this.#pace = pace;
  }

  /**
   * Opens a report once its first bytes have arrived and look like one; as NDJSON, once its first row is whole.
   *
   * @throws {InvalidRequestError} an option belongs to another format
   * @throws {ProblemError} `report_not_found`: there is no such report, or the token's user may not see it
   */
  async open(
    reportId: number,
    request: ReportRequest,
    { audit, ...call }: AuditedOptions,
  ): Promise<StreamedAnswer> {
    checkRowsForm(request);
    const {
      format: _format,
      trailer: _trailer,
      spreadsheetSafe: _safe,
      hasEnvelope: _envelope,
      onRows: _onRows,
      ...form
    } = request;
    const body = await this.#reports.open(reportId, { ...form, ...call, format: upstreamFormat(request) });
    const onRows = rowsNoted(request, audit);
    return rowsAnswer({ ...request, onRows }, body, this.#pace);
  }
}

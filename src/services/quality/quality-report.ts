import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import type { CallOptions } from '../../gateways/redcap/crf-client.js';
import type { ReaderPaceOptions } from '../../records/streaming/reader-pace.js';
import type { RecordsBody } from '../../records/formats/rows-answer.js';
import { openRowBody } from '../../records/formats/row-body.js';
import type { RowFormat } from '../../records/formats/row-format.js';
import type { QualityFinding } from '../../records/rules/quality-finding.js';
import type { QualityRequest, QualityService } from './quality-service.js';
import { QualityTally, type QualitySummary } from './quality-tally.js';

/** Selects findings and the form of the report. */
export interface QualityReportRequest extends QualityRequest {
  readonly format: RowFormat;
  /** NDJSON only: adds a last line which states that the report is complete, with its summary. */
  readonly trailer?: boolean | undefined;
  readonly spreadsheetSafe?: boolean | undefined;
  /** JSON only: `true` (the default) wraps the findings as `{"data":[…],"summary":{…}}`. */
  readonly hasEnvelope?: boolean | undefined;
  /** Called with the number of findings written so far. */
  readonly onRows?: ((rows: number) => void) | undefined;
  /** Called with the summary once all findings are written. */
  readonly onSummary?: ((summary: QualitySummary) => void) | undefined;
}

/** The columns of a report as CSV. */
export const FINDING_COLUMNS: readonly (keyof QualityFinding)[] = [
  'record',
  'event',
  'instrument',
  'instance',
  'field',
  'rule',
  'message',
];

/** Writes any number of findings as JSON, NDJSON or CSV. */
export class QualityReport {
  constructor(
    private readonly quality: QualityService,
    private readonly pace?: ReaderPaceOptions,
  ) {}

  /**
   * Opens the findings. The summary follows them, in JSON and in the NDJSON trailer.
   *
   * @throws {InvalidRequestError} `trailer` is given without NDJSON, or `spreadsheetSafe` without CSV
   * @throws {CrfError} errors of `QualityService.findings` before the first bytes
   */
  open(request: QualityReportRequest, call: CallOptions = {}): Promise<RecordsBody> {
    const { format, trailer, spreadsheetSafe, hasEnvelope, onRows } = request;
    if (trailer && format !== 'ndjson') throw refused('trailer', 'is for NDJSON only');
    if (spreadsheetSafe && format !== 'csv') throw refused('spreadsheetSafe', 'is for CSV only');
    const columns = FINDING_COLUMNS;
    const tally = new QualityTally(request.rules);
    const options = {
      format,
      columns,
      spreadsheetSafe,
      hasEnvelope,
      hasTrailerLine: trailer,
      trailer: () => ({ summary: tally.summary }),
      onRows,
      pace: this.pace,
    };
    return openRowBody((inner) => this.#rows(request, tally, inner), options, call);
  }

  /** Yields each finding as a plain record of cells, because an interface type cannot be assigned to one. */
  async *#rows(
    request: QualityReportRequest,
    tally: QualityTally,
    call: CallOptions,
  ): AsyncGenerator<Record<string, unknown>> {
    const onRecords = (records: number): void => {
      tally.setRecords(records);
      request.onRecords?.(records);
    };
    for await (const finding of this.quality.findings({ ...request, onRecords }, call)) {
      tally.add(finding);
      yield { ...finding };
    }
    request.onSummary?.(tally.summary);
  }
}

function refused(field: string, message: string): InvalidRequestError {
  return new InvalidRequestError([{ field, message }]);
}

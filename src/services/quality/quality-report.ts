import { InvalidRequestError } from '../../errors/caller-errors.js';
import type { CallOptions } from '../../gateways/redcap/crf-client.js';
import type { ReaderPaceOptions } from '../record-export/reader-pace.js';
import type { RecordsBody } from '../record-export/record-exporter.js';
import { openRowBody } from '../row-output/row-body.js';
import type { RowFormat } from '../row-output/row-format.js';
import type { QualityFinding } from './quality-finding.js';
import type { QualityRequest, QualityService } from './quality-service.js';
import { QualityTally, type QualitySummary } from './quality-tally.js';

/** Which findings, and how they are written. */
export interface QualityReportRequest extends QualityRequest {
  readonly format: RowFormat;
  /** NDJSON only: a last line that says that the report is complete, with its summary. */
  readonly trailer?: boolean | undefined;
  readonly spreadsheetSafe?: boolean | undefined;
  /** JSON only: `{"data":[…],"summary":{…}}`; `true` by default. */
  readonly hasEnvelope?: boolean | undefined;
  /** Hears of the findings in numbers, once they are all written. */
  readonly onSummary?: ((summary: QualitySummary) => void) | undefined;
}

/** The cells of a report as CSV. */
export const FINDING_COLUMNS: readonly (keyof QualityFinding)[] = [
  'record',
  'event',
  'instrument',
  'instance',
  'field',
  'rule',
  'message',
];

/** Findings of any number as a body of JSON, NDJSON or CSV. */
export class QualityReport {
  constructor(
    private readonly quality: QualityService,
    private readonly pace?: ReaderPaceOptions,
  ) {}

  /**
   * Opens the findings; the summary stands behind them, in JSON and in the trailer of NDJSON.
   *
   * @throws {InvalidRequestError} `trailer` without NDJSON, `spreadsheetSafe` without CSV
   * @throws {CrfError} what `QualityService.findings` throws before the first bytes
   */
  open(request: QualityReportRequest, call: CallOptions = {}): Promise<RecordsBody> {
    const { format, trailer, spreadsheetSafe, hasEnvelope } = request;
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
      pace: this.pace,
    };
    return openRowBody((inner) => this.#rows(request, tally, inner), options, call);
  }

  /** A finding is a row of named cells, which an interface does not say to the compiler. */
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

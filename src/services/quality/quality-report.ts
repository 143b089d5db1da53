import { InvalidRequestError } from '../../errors/caller-errors.js';
import type { CallOptions } from '../../gateways/redcap/crf-client.js';
import type { ReaderPaceOptions } from '../record-export/reader-pace.js';
import type { RecordsBody } from '../record-export/record-exporter.js';
import { openRowBody } from '../row-output/row-body.js';
import type { QualityFinding } from './quality-finding.js';
import type { QualityRequest, QualityService } from './quality-service.js';

/** Which findings, and how they are written. */
export interface QualityReportRequest extends QualityRequest {
  readonly format: 'json' | 'ndjson' | 'csv';
  /** NDJSON only: a last line that says that the report is complete. */
  readonly trailer?: boolean | undefined;
  readonly spreadsheetSafe?: boolean | undefined;
  /** JSON only: `{"data":[…]}`; `true` by default. */
  readonly hasEnvelope?: boolean | undefined;
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
   * @throws {InvalidRequestError} `trailer` without NDJSON, `spreadsheetSafe` without CSV
   * @throws {CrfError} what `QualityService.findings` throws before the first bytes
   */
  open(request: QualityReportRequest, call: CallOptions = {}): Promise<RecordsBody> {
    const { format, trailer, spreadsheetSafe, hasEnvelope } = request;
    if (trailer && format !== 'ndjson') throw refused('trailer', 'is for NDJSON only');
    if (spreadsheetSafe && format !== 'csv') throw refused('spreadsheetSafe', 'is for CSV only');
    const columns = FINDING_COLUMNS;
    const options = {
      format,
      columns,
      spreadsheetSafe,
      hasEnvelope,
      hasTrailerLine: trailer,
      pace: this.pace,
    };
    return openRowBody((signal) => rowsOf(this.quality.findings(request, signal)), options, call);
  }
}

/** A finding is a row of named cells, which an interface does not say to the compiler. */
async function* rowsOf(findings: AsyncIterable<QualityFinding>): AsyncGenerator<Record<string, unknown>> {
  for await (const finding of findings) yield { ...finding };
}

function refused(field: string, message: string): InvalidRequestError {
  return new InvalidRequestError([{ field, message }]);
}

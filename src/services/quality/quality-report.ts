import type { OrUndefined } from '../../domain/identifiers/check-options.js';
import type { CallOptions } from '../../gateways/redcap/crf-client.js';
import type { LimitQuery } from '../../records/export/page-query.js';
import type { ReaderPaceOptions } from '../../records/streaming/reader-pace.js';
import { checkRowsForm, type RecordsBody, type RowsForm } from '../../records/formats/rows-answer.js';
import { openRowBody } from '../../records/formats/row-body.js';
import { type QualityFinding, QUALITY_RULES, type QualityRule } from '../../records/rules/quality-finding.js';
import type { QualityRequest, QualityService } from './quality-service.js';

/** Selects findings and the form of the report. */
export interface QualityReportRequest
  extends QualityRequest, Omit<RowsForm, 'csvDelimiter'>, OrUndefined<LimitQuery> {
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
    checkRowsForm(request);
    const { format, trailer, spreadsheetSafe, hasEnvelope, onRows } = request;
    const tally = new QualityTally(request.rules);
    const options = {
      format,
      columns: FINDING_COLUMNS,
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
    let left = request.limit ?? Infinity;
    for await (const finding of this.quality.findings({ ...request, onRecords }, call)) {
      tally.add(finding);
      if (left-- > 0) yield { ...finding };
    }
    request.onSummary?.(tally.summary);
  }
}

/** The number of findings. */
export interface QualitySummary {
  /**
   * The number of records that were checked.
   * @isInt
   */
  readonly records: number;
  /** @isInt */
  readonly findings: number;
  /** The number of findings for each rule that was checked. */
  readonly rules: QualityCounts;
}

/** The number of findings by rule. A rule that was not requested is absent. */
export interface QualityCounts {
  /** @isInt */
  readonly invalid_value?: number;
  /** @isInt */
  readonly out_of_range?: number;
  /** @isInt */
  readonly required_empty?: number;
  /** @isInt */
  readonly hidden_value?: number;
  /** @isInt */
  readonly stale_calculation?: number;
  /** @isInt */
  readonly contradicting_status?: number;
  /** @isInt */
  readonly not_checked?: number;
}

/** Counts findings by rule as they pass. */
export class QualityTally {
  readonly #rules: Map<QualityRule, number>;
  #records = 0;

  /** @param rules the rules that are checked; all by default */
  constructor(rules: readonly QualityRule[] = QUALITY_RULES) {
    this.#rules = new Map(QUALITY_RULES.filter((rule) => rules.includes(rule)).map((rule) => [rule, 0]));
  }

  add({ rule }: Pick<QualityFinding, 'rule'>): void {
    this.#rules.set(rule, (this.#rules.get(rule) ?? 0) + 1);
  }

  /** Sets the number of records checked so far; see `QualityRequest.onRecords`. */
  setRecords(records: number): void {
    this.#records = records;
  }

  get summary(): QualitySummary {
    const findings = [...this.#rules.values()].reduce((sum, count) => sum + count, 0);
    return { records: this.#records, findings, rules: Object.fromEntries(this.#rules) };
  }
}

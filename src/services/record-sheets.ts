import type { Field } from '../domain/dictionary/field.js';
import type { CallOptions, CrfClient, FieldSource } from '../gateways/redcap/crf-client.js';
import type { RecordDocument } from '../gateways/redcap/record-document.js';
import type { QualityFinding } from '../records/rules/quality-finding.js';
import type { LogReader, ReadLogEntry } from './log/log-reader.js';
import type { QualityService } from './quality/quality-service.js';
import type { ListedForm } from './summary/listed-forms.js';
import type { StudyLists } from './summary/study-lists.js';

/** What is known of one record. */
export interface RecordSheet {
  readonly forms: readonly ListedForm[];
  readonly findings: readonly QualityFinding[];
  /** Its values by event and instrument, codes with their labels. */
  readonly values: RecordDocument;
  /** The fields by name. */
  readonly fields: ReadonlyMap<string, Field>;
  /** What happened to it, newest first; undefined if it was not asked for. */
  readonly log: readonly ReadLogEntry[] | undefined;
}

/** The number of log entries on a sheet. */
const MOST_ENTRIES = 100;

/** Puts together what is known of single records. */
export class RecordSheets {
  constructor(
    private readonly client: FieldSource & Pick<CrfClient, 'getRecord'>,
    private readonly lists: Pick<StudyLists, 'formsOf'>,
    private readonly quality: Pick<QualityService, 'findings'>,
    private readonly log: Pick<LogReader, 'read'>,
  ) {}

  /**
   * @param hasLog whether to read the log, of which REDCap takes note in the log
   * @throws {ProblemError} `record_not_found`: the project has no such record
   * @throws {CrfError} errors of the client
   */
  async sheetOf(record: string, hasLog: boolean, call: CallOptions = {}): Promise<RecordSheet> {
    const forms = await this.lists.formsOf(record, call); // first: nothing else is asked of a record that is not there
    const findings: QualityFinding[] = [];
    for await (const finding of this.quality.findings({ records: [record] }, call))
      if (finding.record === record) findings.push(finding);
    const [values, fields, log] = await Promise.all([
      this.client.getRecord(record, { ...call, labels: true }),
      this.client.fields.list(call),
      hasLog ? this.#logOf(record, call) : undefined,
    ]);
    return { forms, findings, values, fields: new Map(fields.map((field) => [field.name, field])), log };
  }

  async #logOf(record: string, call: CallOptions): Promise<ReadLogEntry[]> {
    const entries: ReadLogEntry[] = [];
    for await (const entry of this.log.read({ record, limit: MOST_ENTRIES }, call)) entries.push(entry);
    return entries;
  }
}

import type { OrUndefined } from '../../domain/identifiers/check-options.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import { type MomentText, ServerTime } from '../../domain/dictionary/server-time.js';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { itemOf } from '../../domain/errors/field-problem.js';
import { unknownName } from '../../domain/identifiers/nearest-name.js';
import type { InstrumentNameText } from '../../domain/identifiers/names.js';
import type { RecordIdText } from '../../domain/identifiers/record-id.js';
import type { CallOptions, CrfCalls, StreamRecordsOptions } from '../../gateways/redcap/crf-client.js';
import { loadProjectStructure } from '../../records/load-project-structure.js';
import { streamRecords } from '../../records/export/stream-records.js';
import { checkRecord } from '../../records/rules/check-record.js';
import { compileForms, type FormChecks } from '../../records/rules/form-checks.js';
import type { QualityFinding, QualityRule } from '../../records/rules/quality-finding.js';
import { RecordView } from '../../records/rules/record-view.js';
import { recordsOf } from '../../records/rules/records-of.js';
import { changedAmong, readRecentChanges } from './recent-changes.js';

/** Selects findings; all by default. */
export interface FindingQuery {
  /** Only these records. */
  readonly records?: readonly RecordIdText[];
  /** Only findings on these instruments. */
  readonly forms?: readonly InstrumentNameText[];
  /** Only findings for these rules. */
  readonly rules?: readonly QualityRule[];
  /**
   * Only findings on what was entered or changed from this time on: on a field that was, or on a form whose status was,
   * according to REDCap's log. Requires `log:read`.
   */
  readonly from?: MomentText;
  /**
   * The number of records per call to REDCap; 500 by default.
   * @isInt
   * @minimum 1
   * @maximum 10000
   */
  readonly batchSize?: number;
}

/** Selects findings. Whole records are read for them, because logic may refer to other forms. */
export interface QualityRequest extends OrUndefined<FindingQuery> {
  /** Called with the number of records checked so far. */
  readonly onRecords?: ((records: number) => void) | undefined;
}

const DEFAULT_BATCH_SIZE = 500;

/** Checks stored records against the rules of their project. */
export class QualityService {
  constructor(
    private readonly source: CrfCalls,
    private readonly time = new ServerTime(),
  ) {}

  /**
   * Checks all or the selected records one by one. Memory: a batch of records. No call to REDCap is made while the
   * reader consumes nothing.
   *
   * @returns findings in export order, starting with those about the project (`not_checked`)
   * @throws {InvalidRequestError} an instrument does not exist, or `from` is refused by `ServerTime.periodOf` or
   *   `readRecentChanges`
   * @throws {CrfError} errors of `streamRecords` and of the log
   */
  async *findings(
    request: QualityRequest = {},
    call: CallOptions = {},
  ): AsyncGenerator<QualityFinding, void, undefined> {
    const structure = await loadProjectStructure(this.source, call);
    const isChosen = chosen(request, structure);
    const forms = (await compileForms(structure, () => new Date())).filter(isChosen);
    const { from } = this.time.periodOf({ from: request.from });
    const recent =
      from === undefined ? undefined : await readRecentChanges(this.source, structure, { from }, call);
    const isWanted = (finding: QualityFinding): boolean =>
      (request.rules === undefined || request.rules.includes(finding.rule)) && recent?.has(finding) !== false;

    yield* findingsOfProject(forms).filter(isWanted);
    const asked = recent === undefined ? request.records : changedAmong(request.records, recent);
    if (recent !== undefined && asked?.length === 0) return; // no names would mean every record
    let records = 0;
    const exported = streamRecords(this.source, selectionOf({ ...request, records: asked }, call));
    for await (const [id, rows] of recordsOf(exported, structure)) {
      if (recent?.records.has(id) === false) continue;
      const view = new RecordView(structure, id, rows);
      for (const finding of checkRecord(view, forms, structure)) if (isWanted(finding)) yield finding;
      request.onRecords?.(++records);
    }
  }
}

function selectionOf(
  { records, batchSize = DEFAULT_BATCH_SIZE }: QualityRequest,
  call: CallOptions,
): StreamRecordsOptions {
  return { records, batchSize, exportBlankForGrayFormStatus: true, ...call };
}

/** @throws {InvalidRequestError} an instrument is not part of the project */
function chosen({ forms }: QualityRequest, { dictionary }: ProjectStructure): (form: FormChecks) => boolean {
  if (forms === undefined) return () => true;
  const { instruments } = dictionary;
  const unknown = forms.findIndex((name) => !instruments.includes(name));
  if (unknown !== -1) {
    const field = itemOf('forms', forms, unknown);
    throw new InvalidRequestError([unknownName('instrument', field, forms[unknown], instruments)]);
  }
  return ({ instrument }) => forms.includes(instrument);
}

/** Returns what is not checked, which is about the project and no record. */
export function findingsOfProject(forms: readonly FormChecks[]): QualityFinding[] {
  return forms.flatMap(({ instrument, fields }) =>
    fields.flatMap(({ field, notChecked: reasons }) =>
      reasons.map((reason) => ({
        record: '',
        event: '',
        instrument,
        instance: null,
        field: field.name,
        rule: 'not_checked' as const,
        ...reason,
      })),
    ),
  );
}

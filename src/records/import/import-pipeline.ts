import { InsufficientScopeError } from '../../domain/errors/access-errors.js';
import type { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { InvalidRecordsError } from '../../domain/errors/caller-errors.js';
import { refusal } from '../../domain/errors/refusal.js';
import type { CallOptions, CrfClient, ImportChange } from '../../gateways/redcap/crf-client.js';
import { CallReview, type StoredSource } from './call-review.js';
import { ChunkSender, type SpareCalls } from './chunk-sender.js';
import { ChangeList } from './import-changes.js';
import { decodeInput } from './decode-input.js';
import { EventLoopShare } from './event-loop-share.js';
import { importFailure } from './import-failure.js';
import type { ImportJournal } from './import-journal.js';
import {
  DEFAULT_CHUNK_BYTES,
  DEFAULT_BATCH_SIZE,
  checkOptions,
  type ImportLimits,
  type ImportOutcome,
  type ImportRequest,
  type ProblemListener,
} from './import-request.js';
import { InputErrors } from './input-errors.js';
import { MAX_HELD_BYTES, MAX_HELD_ROWS, MAX_ROW_BYTES } from './input-limits.js';
import type { InputRow } from './input-item.js';
import { inputParser } from './input-parser.js';
import type { RecordSource } from './known-records.js';
import { ImportedProject, type ProjectSource } from './imported-project.js';
import { ImportRemarks } from './import-remarks.js';
import { ProblemList } from './problem-list.js';
import { RowChecker, type CheckedRow } from './row-checker.js';
import { VerificationList } from './read-back.js';
import type { RecordLeases } from './record-leases.js';
import { RowChunker, type RowChunk } from './row-chunker.js';
import type { Seen } from './seen-changes.js';
import type { ImportWarning } from './warnings/import-warning.js';
import { WarningList } from './warnings/warning-list.js';

/** The operations of REDCap that an import needs. */
export interface ImportClient extends ProjectSource, Pick<CrfClient, 'importData' | 'checkImport'> {}

/** What the caller of an import hears of it, and decides about it. */
export interface ImportListeners {
  /**
   * Called for each problem of a row as it is found. With a listener all rows are checked; without one, the import
   * stops at a hundred problems.
   */
  readonly onProblem?: ProblemListener | undefined;
  /** Called for each warning. */
  readonly onWarning?: ((warning: ImportWarning) => void) | undefined;
  /** Called for each change, including those that the outcome does not list, if changes were asked for. */
  readonly onChange?: ((change: ImportChange) => void) | undefined;
  /** Called after each piece of the body with the number of rows read so far. */
  readonly onRows?: ((rows: number) => void) | undefined;
  /** The changes that may be stored, with `changes`; all by default. */
  readonly seen?: Seen | undefined;
  /** Keeps what the import replaces, for an undo. */
  readonly journal?: ImportJournal | undefined;
  /** False for somebody who may store nothing: then a dry run does not say what storing would refuse. */
  readonly mayStore?: boolean | undefined;
}

export interface ImportPipelineOptions extends ImportListeners {
  readonly limits: ImportLimits;
  readonly call: CallOptions;
  /** Whether the import has an Idempotency-Key. Only then may a failed call be repeated. */
  readonly isKeyed: boolean;
  /** Concurrent calls beyond the first of each import, shared by all imports. */
  readonly spareCalls: SpareCalls;
  /** Lists the records of the project, for ids that are too short for a new record. */
  readonly records?: RecordSource | undefined;
  /** Source of the stored records that the rows of a dry run are compared with. No warnings without it. */
  readonly stored?: StoredSource | undefined;
  /** Held for the records of each call; none if the caller holds them. */
  readonly leases?: RecordLeases | undefined;
  /** Called with the records of each chunk before it is sent, or counted as valid; not for records to be numbered. */
  readonly onRecords?: ((records: Iterable<string>) => Promise<void>) | undefined;
  /** Decides when other work may run. */
  readonly share?: EventLoopShare | undefined;
}

/**
 * One import as a pipeline: decode → parse → check → chunk → send. Each stage has its own state and does not know the
 * others. The pipeline passes items from stage to stage and yields to the event loop in between. Checked chunks are held
 * until the input has ended, or until they are too much to hold: nothing of an input of ordinary size is sent before
 * every row has passed the checks.
 */
export class ImportPipeline {
  readonly #share: EventLoopShare;
  readonly #chunker: RowChunker;
  readonly #chunkBytes: number;
  /** The checked chunks, until the first is sent. */
  #held: RowChunk[] | undefined = [];
  #heldBytes = 0;
  #heldRows = 0;
  #rows = 0;
  /** The number of the last row read, whether it is imported or not. */
  #lastRow = 0;
  /** Undefined before the first row. */
  #stages: Stages | undefined;
  #changes: ChangeList | undefined;
  #review: CallReview | undefined;
  #verification: VerificationList | undefined;
  readonly #warningList: WarningList;

  constructor(
    private readonly client: ImportClient,
    private readonly request: ImportRequest,
    private readonly options: ImportPipelineOptions,
  ) {
    this.#share = options.share ?? new EventLoopShare();
    this.#warningList = new WarningList(options.onWarning);
    this.#chunkBytes = options.limits.chunkBytes ?? DEFAULT_CHUNK_BYTES;
    const { batchSize = DEFAULT_BATCH_SIZE } = options.limits;
    this.#chunker = new RowChunker({ rows: batchSize, bytes: this.#chunkBytes });
  }

  /** Processes the whole input and returns what was stored. @throws {CrfError} see `RecordWriter.write` */
  async run(pieces: AsyncIterable<Buffer>): Promise<ImportOutcome> {
    try {
      const errors = new InputErrors(this.request.inputName);
      const maxRowBytes = Math.min(this.#chunkBytes, MAX_ROW_BYTES);
      const parser = inputParser(this.request, maxRowBytes, errors);
      for await (const piece of decodeInput(pieces, this.request.encoding, errors)) {
        await this.#takeAll(parser.push(piece));
        this.options.onRows?.(this.#lastRow);
        if (this.#share.hasSpent(piece.length)) await this.#share.pause();
      }
      await this.#takeAll(parser.end());
      return await this.#finish();
    } catch (error) {
      throw await this.#failureOf(error);
    }
  }

  async #failureOf(error: unknown): Promise<unknown> {
    if (this.#stages === undefined) return error;
    const { sender } = this.#stages;
    await sender.settle();
    const { failures, progress } = sender;
    const sent = this.request.dryRun ? { ...progress, batches: 0 } : progress;
    return importFailure(failures.length === 0 ? [error] : failures, sent);
  }

  /** Awaits only if necessary: nearly every row is passed on synchronously. */
  async #takeAll(rows: Iterable<InputRow>): Promise<void> {
    for (const row of rows) {
      this.#lastRow = row.place.row;
      if (this.#stages === undefined) await this.#open();
      const waiting = this.#takeRow(row);
      if (waiting !== undefined) await waiting;
    }
  }

  async #open(): Promise<void> {
    checkOptions(this.request);
    const { call, records } = this.options;
    const project = await ImportedProject.open(this.client, this.request, call, records);
    const remarks = new ImportRemarks(this.#warningList);
    const problems = new ProblemList(this.options.onProblem);
    const { recordIdMinLength } = this.options.limits;
    const checker = new RowChecker(project, this.request, remarks, problems, recordIdMinLength);
    this.#openReview();
    const sender = new ChunkSender(this.client, this.request, { ...this.options, review: this.#review });
    this.#stages = { project, checker, sender };
  }

  /** Prepares what looks at the stored records, if anything does. */
  #openReview(): void {
    const { stored, call, seen, journal } = this.options;
    const { dryRun, changes, verify } = this.request;
    if (stored === undefined) {
      if (changes || verify) throw new InsufficientScopeError(['records:read']);
      return;
    }
    if (changes) this.#changes = new ChangeList(this.options.onChange);
    if (verify) this.#verification = new VerificationList();
    if (dryRun || changes || verify || journal !== undefined)
      this.#review = new CallReview(stored, this.request, {
        ...{ call, seen, journal, warnings: this.#warningList, share: this.#share },
        ...{ changes: this.#changes, verification: this.#verification, graceMs: this.options.limits.graceMs },
      });
  }

  #takeRow(row: InputRow): Promise<void> | undefined {
    this.#opened.sender.throwFailure();
    if (row.place.row < (this.request.fromRow ?? 1)) return undefined;
    this.#rows++;
    return this.#checkRow(row);
  }

  #checkRow(row: InputRow): Promise<void> | undefined {
    const { checker, project } = this.#opened;
    const checked = checker.check(row);
    if (checker.doubt !== undefined) return project.load(checker.doubt).then(() => this.#checkRow(row));
    return this.#pass(row, checked);
  }

  /** @param checked the row to send, if any */
  #pass(row: InputRow, checked: CheckedRow | undefined): Promise<void> | undefined {
    const { problems } = this.#opened.checker;
    if (problems.isFull) throw new InvalidRecordsError(problems.problems);
    // After the first problem the remaining rows are only checked, not sent.
    if (checked === undefined || problems.count > 0) return undefined;
    const chunks = this.#chunker.add(checked, row.place);
    return chunks.length === 0 ? undefined : this.#hold(chunks);
  }

  async #hold(chunks: readonly RowChunk[]): Promise<void> {
    for (const chunk of chunks) {
      this.#opened.sender.admit(chunk);
      this.#held?.push(chunk);
      this.#heldBytes += chunk.data.length;
      this.#heldRows += chunk.places.length;
    }
    if (this.#held === undefined) await this.#send(chunks);
    else if (this.#heldBytes > MAX_HELD_BYTES || this.#heldRows > MAX_HELD_ROWS) await this.#release();
  }

  async #release(): Promise<void> {
    const held = this.#held ?? [];
    this.#held = undefined;
    // A single call is refused before anything is stored.
    if (!this.request.dryRun && held.length > 1) for (const chunk of held) await this.#refuseForbidden(chunk);
    await this.#send(held);
  }

  async #send(chunks: readonly RowChunk[]): Promise<void> {
    const { dryRun, forceAutoNumber } = this.request;
    const { onRecords, mayStore = true } = this.options;
    const { sender } = this.#opened;
    for (const chunk of chunks) {
      if (!forceAutoNumber) await onRecords?.(chunk.records);
      const changed = dryRun ? await this.#review?.preview(chunk) : undefined;
      if (dryRun && mayStore) await sender.check(chunk, changed && (() => changed));
      await sender.send(chunk);
    }
  }

  /** @throws {CrfError} the call would be refused before REDCap is asked, as by a policy */
  async #refuseForbidden(chunk: RowChunk): Promise<void> {
    const { seen } = this.options;
    const review = this.#changes && this.#review;
    // What of the changes nobody has seen is not sent: that is known only when their turn comes.
    if (review !== undefined && seen !== undefined) return;
    await this.#opened.sender.check(chunk, review && (() => review.toSend(chunk)));
  }

  get #opened(): Stages {
    if (this.#stages === undefined) throw new Error('The stages are made before the first row is passed on.');
    return this.#stages;
  }

  async #finish(): Promise<ImportOutcome> {
    if (this.#rows === 0) throw noRows(this.request.fromRow);
    const { checker, sender } = this.#opened;
    const { problems, count } = checker.problems;
    if (count > 0) throw new InvalidRecordsError(problems, { total: count });
    const rest = this.#chunker.rest();
    if (rest !== undefined) await this.#hold([rest]);
    await this.#release();
    await sender.settle();
    sender.throwFailure();
    return this.#outcome();
  }

  #outcome(): ImportOutcome {
    const { checker, project, sender } = this.#opened;
    const { returnContent = 'count', dryRun } = this.request;
    const { stored, batches } = sender.progress;
    const { ignored, repeated } = checker.remarks;
    const { notChecked } = project;
    const warnings = this.#warningList.list;
    const conflicts = this.#review?.conflicts;
    return {
      count: stored,
      ...(returnContent !== 'count' && !dryRun && { ids: sender.ids }),
      batches,
      ...(dryRun && { dryRun: true as const }),
      ...(ignored.length > 0 && { ignored }),
      ...(repeated.count > 0 && { repeated }),
      ...(notChecked.length > 0 && { notChecked }),
      ...(warnings && { warnings }),
      ...(this.#changes && { changes: this.#changes.changes }),
      ...(this.#verification && { verified: this.#verification.verification }),
      ...(conflicts && { conflicts }),
    };
  }
}

/** The stages that depend on the options. */
interface Stages {
  readonly project: ImportedProject;
  readonly checker: RowChecker;
  readonly sender: ChunkSender;
}

function noRows(fromRow = 1): InvalidRequestError {
  if (fromRow > 1) return refusal('from-row', 'must not be after the last row');
  return refusal('records', 'must not be empty');
}

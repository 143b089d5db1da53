import { parseChoices } from '../../dictionary/choices.js';
import { DataDictionary } from '../../dictionary/data-dictionary.js';
import { CrfError } from '../../errors/crf-error.js';
import type { RecordProblem } from '../../errors/field-problem.js';
import type { CallOptions, CrfClient } from '../../gateways/redcap/crf-client.js';
import { isRefusal } from '../../gateways/redcap/is-refusal.js';
import { ImportRemarks } from './import-remarks.js';
import type { ImportRequest, ProblemListener } from './import-request.js';
import type { InputRow } from './input-item.js';
import { KnownRecords, type RecordSource } from './known-records.js';
import { ProblemList } from './problem-list.js';
import type { WarningList } from './warnings/warning-list.js';
import { RowChecker, type CheckedRow, type CheckedSettings } from './row-checker.js';

/** Provides the structure and settings of a project. */
export type ProjectSource = Pick<CrfClient, 'getMetadata' | 'getProjectInfo'>;

export interface ProjectCheckerOptions {
  readonly recordIdMinLength: number | undefined;
  /** Lists the records of the project. Without it, all records are taken for new. */
  readonly records?: RecordSource | undefined;
  readonly call: CallOptions;
  readonly onProblem?: ProblemListener | undefined;
  /** Receives the warnings about values. */
  readonly warnings?: WarningList | undefined;
}

/**
 * The checking stage of an import: compares its rows with the project and collects the problems. The settings of the
 * project (missing data codes, auto-numbering) are requested only when the first row looks wrong, and the ids of its
 * records only when an id would be too short for a new record, so most imports do without these calls.
 */
export class ProjectChecker {
  readonly remarks: ImportRemarks;
  #checker: RowChecker;
  /**
   * Problems are not passed to the listener until the settings are known, because they may turn out to be none.
   */
  #problems = new ProblemList();
  #settings: CheckedSettings | undefined;
  #records: KnownRecords | undefined;

  /** @throws {CrfError} what `CrfClient.getMetadata` throws */
  static async open(
    source: ProjectSource,
    request: ImportRequest,
    options: ProjectCheckerOptions,
  ): Promise<ProjectChecker> {
    const dictionary = DataDictionary.of(await source.getMetadata(options.call));
    return new ProjectChecker(source, dictionary, request, options);
  }

  private constructor(
    private readonly source: ProjectSource,
    private readonly dictionary: DataDictionary,
    private readonly request: ImportRequest,
    private readonly options: ProjectCheckerOptions,
  ) {
    this.remarks = new ImportRemarks(options.warnings);
    const { recordIdMinLength } = options;
    this.#checker = new RowChecker(dictionary, request, this.remarks, { recordIdMinLength });
  }

  /** One entry per faulty cell, in row order: the first hundred. */
  get problems(): readonly RecordProblem[] {
    return this.#problems.problems;
  }

  /** The number of faulty cells found. */
  get problemCount(): number {
    return this.#problems.count;
  }

  /** Whether the maximum number of problems has been reached. */
  get isFull(): boolean {
    return this.#problems.isFull;
  }

  /** Whether the last row depends on something that is not known yet. `checkAgain` decides. */
  get isInDoubt(): boolean {
    return this.#checker.doubt !== undefined;
  }

  /** @returns the row to send; undefined if nothing of it is sent, or if `problems` has grown */
  check(item: InputRow): CheckedRow | undefined {
    return this.#checker.check(item, this.#problems);
  }

  /** Requests what the check of a row depends on, and checks it again. */
  async checkAgain(item: InputRow): Promise<CheckedRow | undefined> {
    if (this.#settings === undefined) {
      this.#settings = await this.#requestSettings();
      this.#problems = new ProblemList(this.options.onProblem);
    } else this.#records = await this.#listRecords();
    this.#checker = new RowChecker(this.dictionary, this.request, this.remarks, {
      recordIdMinLength: this.options.recordIdMinLength,
      settings: this.#settings,
      records: this.#records,
    });
    const checked = this.check(item);
    return this.isInDoubt ? this.checkAgain(item) : checked;
  }

  async #listRecords(): Promise<KnownRecords> {
    const { records, call } = this.options;
    const idField = this.dictionary.recordIdField?.name;
    if (records === undefined || idField === undefined) return new KnownRecords();
    const known = await KnownRecords.load(records, idField, call, this.request.only === undefined);
    if (this.#settings?.isNumbering !== true)
      known.nextId = await records.records?.nextId(call).catch((error: unknown) => {
        // Only some projects and callers have such an id.
        if (error instanceof CrfError) return undefined;
        throw error;
      });
    return known;
  }

  /** @see docs/protocol/redcap.md 4.2, item 10, and 8.3 (doc) */
  async #requestSettings(): Promise<CheckedSettings> {
    try {
      const { missingDataCodes, recordAutonumberingEnabled } = await this.source.getProjectInfo(
        this.options.call,
      );
      return {
        missingCodes: new Set(parseChoices(missingDataCodes).map(({ code }) => code)),
        isNumbering: recordAutonumberingEnabled,
      };
    } catch (error) {
      // The token may not read the project settings, so the rows are checked without them.
      if (isRefusal(error)) return { missingCodes: new Set(), isNumbering: false };
      throw error;
    }
  }
}

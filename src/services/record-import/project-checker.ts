import { parseChoices } from '../../dictionary/choices.js';
import { DataDictionary } from '../../dictionary/data-dictionary.js';
import type { RecordProblem } from '../../errors/field-problem.js';
import type { CallOptions, CrfClient } from '../../gateways/redcap/crf-client.js';
import { isRefusal } from '../../gateways/redcap/is-refusal.js';
import type { CsvCells } from './csv-cells.js';
import { ImportRemarks } from './import-remarks.js';
import type { ImportRequest, ProblemListener } from './import-request.js';
import type { InputRow, RowPlace } from './input-item.js';
import { ProblemList } from './problem-list.js';
import { RowChecker, type CheckedRow } from './row-checker.js';

/** Provides the structure and settings of a project. */
export type ProjectSource = Pick<CrfClient, 'getMetadata' | 'getProjectInfo'>;

export interface ProjectCheckerOptions {
  readonly recordIdMinLength: number | undefined;
  readonly call: CallOptions;
  readonly onProblem?: ProblemListener | undefined;
}

/**
 * The checking stage of an import: compares its rows with the project and collects the problems. The missing data codes
 * of the project are requested only when the first value looks wrong, so most imports do without this call.
 */
export class ProjectChecker {
  readonly remarks = new ImportRemarks();
  readonly #source: ProjectSource;
  readonly #dictionary: DataDictionary;
  readonly #request: ImportRequest;
  readonly #options: ProjectCheckerOptions;
  #checker: RowChecker;
  /**
   * Problems are not passed to the listener until the missing data codes are known, because they may turn out to be
   * none.
   */
  #problems = new ProblemList();
  #header: { readonly cells: CsvCells; readonly place: RowPlace } | undefined;
  #areCodesKnown = false;

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
    source: ProjectSource,
    dictionary: DataDictionary,
    request: ImportRequest,
    options: ProjectCheckerOptions,
  ) {
    this.#source = source;
    this.#dictionary = dictionary;
    this.#request = request;
    this.#options = options;
    this.#checker = new RowChecker(dictionary, request, this.remarks, options);
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

  /** Whether a value looks wrong but may be a missing data code. `checkAgain` decides. */
  get isInDoubt(): boolean {
    return this.#problems.count > 0 && !this.#areCodesKnown;
  }

  /** Reads the header of a CSV. @throws {MalformedRequestError} a name is reserved or occurs twice */
  readHeader(cells: CsvCells, place: RowPlace): void {
    this.#header = { cells: cells.copy(), place };
    this.#checker.readHeader(cells, place);
  }

  /** @see RowChecker.read */
  read(bytes: Buffer, from: number): number {
    return this.#checker.read(bytes, from);
  }

  /** @returns the row to send; undefined if nothing of it is sent, or if `problems` has grown */
  check(item: InputRow): CheckedRow | undefined {
    return this.#checker.check(item, this.#problems);
  }

  /** Requests the missing data codes and checks the row again with them. */
  async checkAgain(item: InputRow): Promise<CheckedRow | undefined> {
    const missingCodes = await this.#missingCodes();
    this.#areCodesKnown = true;
    this.#problems = new ProblemList(this.#options.onProblem);
    this.#checker = new RowChecker(this.#dictionary, this.#request, this.remarks, {
      ...this.#options,
      missingCodes,
    });
    if (this.#header !== undefined) this.#checker.readHeader(this.#header.cells, this.#header.place);
    return this.check(item);
  }

  /** @see docs/protocol/redcap.md 4.2, item 10, and 8.3 (doc) */
  async #missingCodes(): Promise<ReadonlySet<string>> {
    try {
      const { missingDataCodes } = await this.#source.getProjectInfo(this.#options.call);
      return new Set(parseChoices(missingDataCodes).map(({ code }) => code));
    } catch (error) {
      // The token may not read the project settings, so the rows are checked without missing data codes.
      if (isRefusal(error)) return new Set();
      throw error;
    }
  }
}

import { parseChoices } from '../../dictionary/choices.js';
import { DataDictionary } from '../../dictionary/data-dictionary.js';
import type { RecordProblem } from '../../errors/field-problem.js';
import {
  UpstreamForbiddenError,
  UpstreamRefusedError,
  UpstreamRejectedError,
} from '../../errors/upstream-errors.js';
import type { CallOptions, CrfClient } from '../../gateways/redcap/crf-client.js';
import type { CsvCells } from './csv-cells.js';
import { ImportRemarks } from './import-remarks.js';
import type { ImportRequest, ProblemListener } from './import-request.js';
import type { InputRow, RowPlace } from './input-item.js';
import { ProblemList } from './problem-list.js';
import { RowChecker, type CheckedRow } from './row-checker.js';

/** Where a project is asked what it may hold. */
export type ProjectSource = Pick<CrfClient, 'getMetadata' | 'getProjectInfo'>;

export interface ProjectCheckerOptions {
  readonly recordIdMinLength: number | undefined;
  readonly call: CallOptions;
  readonly onProblem?: ProblemListener | undefined;
}

/**
 * The second stage of an import: holds its rows against the project, and gathers what is wrong. The missing data codes of
 * the project are asked for when the first value looks wrong: most imports need no second call.
 */
export class ProjectChecker {
  readonly remarks = new ImportRemarks();
  readonly #source: ProjectSource;
  readonly #dictionary: DataDictionary;
  readonly #request: ImportRequest;
  readonly #options: ProjectCheckerOptions;
  #checker: RowChecker;
  /** Until the codes are known nobody hears of a problem: it may be none. */
  #problems = new ProblemList();
  #header: { readonly cells: CsvCells; readonly place: RowPlace } | undefined;
  #areCodesKnown = false;

  /** @throws {CrfError} what `CrfClient.getMetadata` throws */
  static async open(
    source: ProjectSource,
    request: ImportRequest,
    options: ProjectCheckerOptions,
  ): Promise<ProjectChecker> {
    const dictionary = new DataDictionary(await source.getMetadata(options.call));
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

  /** One entry a faulty cell, in the order of the rows: the first hundred. */
  get problems(): readonly RecordProblem[] {
    return this.#problems.problems;
  }

  /** All faulty cells that were met. */
  get problemCount(): number {
    return this.#problems.count;
  }

  /** Whether there are as many problems as are reported. */
  get isFull(): boolean {
    return this.#problems.isFull;
  }

  /** Whether something looks wrong that may be a missing data code: `checkAgain` decides. */
  get isInDoubt(): boolean {
    return this.#problems.count > 0 && !this.#areCodesKnown;
  }

  /** Takes the header of a CSV. @throws {MalformedRequestError} a name is reserved, or stands twice */
  readHeader(cells: CsvCells, place: RowPlace): void {
    this.#header = { cells: cells.copy(), place };
    this.#checker.readHeader(cells, place);
  }

  /** @see RowChecker.read */
  read(bytes: Buffer, from: number): number {
    return this.#checker.read(bytes, from);
  }

  /** @returns the row as it is sent; undefined when nothing of it is, or when `problems` has grown */
  check(item: InputRow): CheckedRow | undefined {
    return this.#checker.check(item, this.#problems);
  }

  /** Asks for the missing data codes, and checks the row with them. */
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
      // The token lacks the right to ask: the rows are described without the answer.
      if (REFUSALS.some((Refusal) => error instanceof Refusal)) return new Set();
      throw error;
    }
  }
}

const REFUSALS = [UpstreamForbiddenError, UpstreamRefusedError, UpstreamRejectedError];

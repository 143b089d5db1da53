import { parseChoices } from '../../dictionary/choices.js';
import { DataDictionary } from '../../dictionary/data-dictionary.js';
import type { RecordProblem } from '../../errors/field-problem.js';
import { UpstreamRefusedError } from '../../errors/upstream-refused-error.js';
import { UpstreamRejectedError } from '../../errors/upstream-rejected-error.js';
import type { CallOptions, CrfClient } from '../../gateways/redcap/crf-client.js';
import type { SentRow } from './import-event.js';
import type { ImportRequest } from './import-request.js';
import { ProblemList } from './problem-list.js';
import { RowChecker, type CheckedRow } from './row-checker.js';

/** Where a project is asked what it may hold. */
export type ProjectSource = Pick<CrfClient, 'getMetadata' | 'getProjectInfo'>;

export interface ProjectCheckerOptions {
  readonly recordIdMinLength: number | undefined;
  readonly call: CallOptions;
}

/**
 * Holds the rows of one import against the project, and gathers what is wrong. The missing data codes of the project are
 * asked for when the first value looks wrong: most imports need no second call.
 */
export class ProjectChecker {
  readonly #source: ProjectSource;
  readonly #dictionary: DataDictionary;
  readonly #request: ImportRequest;
  readonly #options: ProjectCheckerOptions;
  #checker: RowChecker;
  #problems = new ProblemList();
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
    this.#checker = new RowChecker(dictionary, request, options);
  }

  /** One entry a faulty cell, in the order of the rows. */
  get problems(): readonly RecordProblem[] {
    return this.#problems.problems;
  }

  /** Whether there are as many problems as are told. */
  get isFull(): boolean {
    return this.#problems.isFull;
  }

  /**
   * @param position the row's number in the input, from 1
   * @returns the row as it is sent; undefined when nothing of it is, or when `problems` has grown
   */
  async check(row: SentRow, position: number): Promise<CheckedRow | undefined> {
    const checked = this.#checker.check(row, position, this.#problems);
    if (this.#problems.isEmpty || this.#areCodesKnown) return checked;

    this.#areCodesKnown = true;
    const missingCodes = await this.#missingCodes();
    if (missingCodes.size === 0) return checked;
    this.#problems = new ProblemList();
    this.#checker = new RowChecker(this.#dictionary, this.#request, { ...this.#options, missingCodes });
    return this.#checker.check(row, position, this.#problems);
  }

  /** @see protocol reference 4.2, item 10, and 8.3 (doc) */
  async #missingCodes(): Promise<ReadonlySet<string>> {
    try {
      const { missingDataCodes } = await this.#source.getProjectInfo(this.#options.call);
      return new Set(parseChoices(missingDataCodes).map(({ code }) => code));
    } catch (error) {
      // A token that may not ask: the rows are told as they look without.
      if (error instanceof UpstreamRefusedError || error instanceof UpstreamRejectedError) return new Set();
      throw error;
    }
  }
}

import { parseChoices } from '../../domain/dictionary/choices.js';
import { DataDictionary } from '../../domain/dictionary/data-dictionary.js';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { CrfError } from '../../domain/errors/crf-error.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import type { RecordProblem } from '../../domain/errors/field-problem.js';
import type {
  CallOptions,
  CrfClient,
  DataAccessGroup,
  Instrument,
} from '../../gateways/redcap/crf-client.js';
import { isRefusal } from '../../gateways/redcap/call-errors.js';
import { ImportRemarks } from './import-remarks.js';
import type { ImportRequest, ProblemListener } from './import-request.js';
import type { InputRow } from './input-item.js';
import { loadProjectStructure, type StructureSource } from '../load-project-structure.js';
import { KnownRecords, type RecordSource } from './known-records.js';
import { ProblemList } from './problem-list.js';
import type { WarningList } from './warnings/warning-list.js';
import { RowChecker, type CheckedRow, type CheckedSettings } from './row-checker.js';

/** Provides the structure, the settings and the groups of a project. */
export interface ProjectSource extends StructureSource {
  readonly instruments: StructureSource['instruments'] & Pick<CrfClient['instruments'], 'export'>;
  readonly dags: Pick<CrfClient['dags'], 'export'>;
}

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
 * The checking stage of an import: compares its rows with the project and collects the problems. The ids of the records
 * are requested only when an id would be too short for a new record, the groups when a row names one.
 */
export class ProjectChecker {
  readonly remarks: ImportRemarks;
  readonly #problems: ProblemList;
  #checker: RowChecker;
  #records: KnownRecords | undefined;
  #groups: readonly DataAccessGroup[] | 'unread' | undefined;
  #instruments: readonly Instrument[] | undefined;

  /** @throws {CrfError} what the calls of the source throw, except a refusal of all but the dictionary */
  static async open(
    source: ProjectSource,
    request: ImportRequest,
    options: ProjectCheckerOptions,
  ): Promise<ProjectChecker> {
    const dictionary = DataDictionary.of(await source.getMetadata(options.call));
    const info = await unlessRefused(source.getProjectInfo(options.call));
    const structure = info && (await unlessRefused(loadProjectStructure(source, options.call)));
    const settings = {
      missing: parseChoices(info?.missingDataCodes ?? ''),
      isNumbering: info?.recordAutonumberingEnabled ?? false,
    };
    if (request.forceAutoNumber && info?.recordAutonumberingEnabled === false)
      throw new InvalidRequestError([{ field: 'forceAutoNumber', message: NOT_NUMBERING }]);
    const checker = new ProjectChecker(source, dictionary, request, options, settings, structure);
    if (request.rawOrLabel === 'label') await checker.#loadLabels();
    return checker;
  }

  /** Reads what has labels besides fields and events. */
  async #loadLabels(): Promise<void> {
    const { call } = this.options;
    this.#instruments = await unlessRefused(this.source.instruments.export(call));
    this.#groups = (await unlessRefused(this.source.dags.export(call))) ?? 'unread';
    this.#checker = this.#newChecker();
  }

  private constructor(
    private readonly source: ProjectSource,
    private readonly dictionary: DataDictionary,
    private readonly request: ImportRequest,
    private readonly options: ProjectCheckerOptions,
    private readonly settings: CheckedSettings,
    private readonly structure: ProjectStructure | undefined,
  ) {
    this.remarks = new ImportRemarks(options.warnings);
    this.#problems = new ProblemList(options.onProblem);
    this.#checker = this.#newChecker();
  }

  /** What of the rows was not checked, because the token may not read what that needs. */
  get notChecked(): readonly ('places' | 'groups')[] {
    const isUnread = this.#groups === 'unread';
    return [
      ...(this.structure === undefined ? ['places' as const] : []),
      ...(isUnread ? ['groups' as const] : []),
    ];
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
    if (this.#checker.doubt === 'groups')
      this.#groups = (await unlessRefused(this.source.dags.export(this.options.call))) ?? 'unread';
    else this.#records = await this.#listRecords();
    this.#checker = this.#newChecker();
    const checked = this.check(item);
    return this.isInDoubt ? this.checkAgain(item) : checked;
  }

  #newChecker(): RowChecker {
    return new RowChecker(this.dictionary, this.request, this.remarks, {
      recordIdMinLength: this.options.recordIdMinLength,
      settings: this.settings,
      records: this.#records,
      structure: this.structure,
      groups: this.#groups,
      instruments: this.#instruments,
    });
  }

  async #listRecords(): Promise<KnownRecords> {
    const { records, call } = this.options;
    const idField = this.dictionary.recordIdField?.name;
    if (records === undefined || idField === undefined) return new KnownRecords();
    const known = await KnownRecords.load(records, idField, call, this.request.only === undefined);
    if (!this.settings.isNumbering)
      known.nextId = await records.records?.nextId(call).catch((error: unknown) => {
        // Only some projects and callers have such an id.
        if (error instanceof CrfError) return undefined;
        throw error;
      });
    return known;
  }
}

/** REDCap would keep the ids that are sent, and change the records that have them. @see docs/protocol/redcap.md 5.2 */
const NOT_NUMBERING =
  'needs a project in which REDCap numbers the records; in this one the ids are those of the file';

/** @returns undefined if the token may not read it */
async function unlessRefused<Read>(reading: Promise<Read>): Promise<Read | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

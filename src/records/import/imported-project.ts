import { parseChoices, type Choice } from '../../domain/dictionary/choices.js';
import { DataDictionary } from '../../domain/dictionary/data-dictionary.js';
import { refusal } from '../../domain/errors/refusal.js';
import { CrfError } from '../../domain/errors/crf-error.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import type {
  CallOptions,
  CrfClient,
  DataAccessGroup,
  Instrument,
} from '../../gateways/redcap/crf-client.js';
import { isRefusal } from '../../gateways/redcap/call-errors.js';
import type { ImportRequest } from './import-request.js';
import { loadProjectStructure, type StructureSource } from '../load-project-structure.js';
import { KnownRecords, type RecordSource } from './known-records.js';

/** Provides the structure, the settings and the groups of a project. */
export interface ProjectSource extends StructureSource {
  readonly instruments: Pick<CrfClient['instruments'], 'list'>;
  readonly dags: Pick<CrfClient['dags'], 'list'>;
}

/** What the rows of an import are compared with. */
export interface ProjectFacts {
  readonly dictionary: DataDictionary;
  /** The codes with which any field may mark a value as missing. */
  readonly missing: readonly Choice[];
  /** Whether REDCap numbers the records, so that nobody invents their ids. */
  readonly isNumbering: boolean;
  /** Where rows may go; undefined if the token may not read it: then their places are not checked. */
  readonly structure?: ProjectStructure | undefined;
  /** The instruments of the project, if their labels are imported and can be read. */
  readonly instruments?: readonly Instrument[] | undefined;
  /** The groups of the project; undefined until a row names one. */
  readonly dags?: readonly DataAccessGroup[] | 'unread' | undefined;
  /** The records of the project; undefined until a row depends on them. */
  readonly records?:
    (Pick<KnownRecords, 'has' | 'nextId'> & Partial<Pick<KnownRecords, 'areNumbers'>>) | undefined;
}

/** What of a project is read when a row depends on it. */
export type LateFact = 'records' | 'dags';

/**
 * The project of one import. The ids of its records are requested only when an id would be too short for a new record,
 * the groups when a row names one.
 */
export class ImportedProject implements ProjectFacts {
  instruments: ProjectFacts['instruments'];
  dags: ProjectFacts['dags'];
  records: KnownRecords | undefined;

  /**
   * @param stored lists the records of the project; without it, all records are taken for new
   * @throws {CrfError} what the calls of the source throw, except a refusal of all but the dictionary
   */
  static async open(
    source: ProjectSource,
    request: ImportRequest,
    call: CallOptions,
    stored: RecordSource | undefined,
  ): Promise<ImportedProject> {
    const dictionary = DataDictionary.of(await source.fields.list(call));
    const info = await unlessRefused(source.project.getInfo(call));
    const structure = info && (await unlessRefused(loadProjectStructure(source, call)));
    if (request.forceAutoNumber && info?.recordAutonumberingEnabled === false)
      throw refusal('forceAutoNumber', NOT_NUMBERING);
    const isNumbering = info?.recordAutonumberingEnabled ?? false;
    const missing = parseChoices(info?.missingDataCodes ?? '');
    const project = new ImportedProject(
      source,
      request,
      call,
      stored,
      dictionary,
      missing,
      isNumbering,
      structure,
    );
    if (request.rawOrLabel === 'label') {
      // What has labels besides fields and events.
      project.instruments = await unlessRefused(source.instruments.list(call));
      await project.load('dags');
    }
    return project;
  }

  private constructor(
    private readonly source: ProjectSource,
    private readonly request: ImportRequest,
    private readonly call: CallOptions,
    private readonly stored: RecordSource | undefined,
    readonly dictionary: DataDictionary,
    readonly missing: readonly Choice[],
    readonly isNumbering: boolean,
    readonly structure: ProjectStructure | undefined,
  ) {}

  /** What of the rows was not checked, because the token may not read what that needs. */
  get notChecked(): readonly ('places' | 'dags')[] {
    return [
      ...(this.structure === undefined ? ['places' as const] : []),
      ...(this.dags === 'unread' ? ['dags' as const] : []),
    ];
  }

  /** Requests what the check of a row depends on. */
  async load(fact: LateFact): Promise<void> {
    if (fact === 'dags') this.dags = (await unlessRefused(this.source.dags.list(this.call))) ?? 'unread';
    else this.records = await this.#listRecords();
  }

  async #listRecords(): Promise<KnownRecords> {
    const { stored, call } = this;
    const idField = this.dictionary.recordIdField?.name;
    if (stored === undefined || idField === undefined) return new KnownRecords();
    const known = await KnownRecords.load(stored, idField, call, this.request.only === undefined);
    if (!this.isNumbering)
      known.nextId = await stored.records?.nextId(call).catch((error: unknown) => {
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

import type { CallOptions, CrfClient } from '../gateways/redcap/crf-client.js';
import type { Scope } from '../identifiers/scope.js';

/** The parts of the project that the scopes of the caller allow to show. Missing parts are undefined. */
export interface Overview {
  readonly title: string | undefined;
  readonly version: string | undefined;
  readonly records: number | undefined;
  /** Why something is missing, one sentence each. */
  readonly notes: readonly string[];
}

type Source = Pick<CrfClient, 'getVersion' | 'getProjectInfo' | 'getMetadata' | 'streamRecords'>;

/** How long the number of records is reused: counting requires an export of all ids. */
const COUNT_MAX_AGE_MS = 60_000;

/**
 * The project at a glance, for the dashboard. Errors of REDCap result in missing parts with a note, never in an error
 * page.
 */
export class ProjectOverview {
  readonly #client: Source;
  #counted: { readonly at: number; readonly records: Promise<number> } | undefined;

  constructor(client: Source) {
    this.#client = client;
  }

  /** Returns the title of the project, for the start page. @throws {CrfError} REDCap does not return it */
  async title(options: CallOptions = {}): Promise<string> {
    return (await this.#client.getProjectInfo(options)).title;
  }

  async for(scopes: readonly Scope[], options: CallOptions = {}): Promise<Overview> {
    const notes: string[] = [];
    const ask = async <T>(scope: Scope, what: string, call: () => Promise<T>): Promise<T | undefined> => {
      if (!scopes.includes(scope)) {
        notes.push(`Your sign-in may not see ${what}.`);
        return undefined;
      }
      return call().catch(() => {
        notes.push(`REDCap did not tell ${what}.`);
        return undefined;
      });
    };

    const [info, version, records] = await Promise.all([
      ask('project:read', 'the project', () => this.#client.getProjectInfo(options)),
      ask('project:read', "REDCap's version", () => this.#client.getVersion(options)),
      ask('records:read', 'the number of records', () => this.#countRecords()),
    ]);
    return { title: info?.title, version, records, notes };
  }

  /**
   * Counts the records, or returns the cached count. Not cancelled with a request, because others may wait for the same
   * count.
   */
  #countRecords(): Promise<number> {
    const now = performance.now();
    if (this.#counted === undefined || now - this.#counted.at > COUNT_MAX_AGE_MS) {
      const records = this.#count();
      this.#counted = { at: now, records };
      records.catch(() => (this.#counted = undefined));
    }
    return this.#counted.records;
  }

  async #count(): Promise<number> {
    const [idField] = await this.#client.getMetadata();
    if (idField === undefined) return 0;
    const ids = new Set<string | number | undefined>();
    for await (const row of this.#client.streamRecords({ fields: [idField.name] }))
      ids.add(row[idField.name]);
    return ids.size;
  }
}

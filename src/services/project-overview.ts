import type { CallOptions, CrfClient } from '../gateways/redcap/crf-client.js';
import type { Scope } from './access/scope.js';

/** What may be shown of the project, by the scopes of the caller. What is missing is undefined. */
export interface Overview {
  readonly title: string | undefined;
  readonly version: string | undefined;
  readonly records: number | undefined;
  /** Why something is missing, a sentence each. */
  readonly notes: readonly string[];
}

type Source = Pick<CrfClient, 'getVersion' | 'getProjectInfo' | 'getMetadata' | 'streamRecords'>;

/** How long a count of the records is reused: it costs an export of all ids. */
const COUNT_MAX_AGE_MS = 60_000;

/** A look at the project for the dashboard: REDCap's failures leave gaps with a sentence, never an error page. */
export class ProjectOverview {
  readonly #client: Source;
  #counted: { readonly at: number; readonly records: Promise<number> } | undefined;

  constructor(client: Source) {
    this.#client = client;
  }

  /** The title of the project, for the start page. @throws {CrfError} REDCap does not tell */
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

  /** Not cancelled with a request: others may wait for the same count. */
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

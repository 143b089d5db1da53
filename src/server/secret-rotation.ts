import { hash } from 'node:crypto';
import type { Logger } from 'pino';
import type { ProjectOptions } from '../app/create-app-options.js';
import type { ApiKeySetting } from './config/value-types.js';
import {
  rereadSecret,
  ROTATING,
  type RotatingName,
  type RotatingValue,
  type SecretFile,
} from './config/environment.js';
import type { Settings } from './config/settings.js';
import { ConfigurationError } from '../domain/errors/operator-errors.js';
import type { FieldProblem } from '../domain/errors/field-problem.js';
import { Secret } from '../domain/identifiers/secret.js';
import type { ProjectNumber, Refusal } from './project-number.js';
import { Turns } from '../records/import/turns.js';

/** How often the files are read. Secret stores replace links to them, which events of the file system miss. */
const INTERVAL_MS = 2_000;

/** What is done with a new value. */
interface Use<Value> {
  /** Returns why it must not be used. */
  readonly check?: (value: Value) => Refusal | undefined | Promise<Refusal | undefined>;
  /** Puts it to use. */
  readonly use: (value: Value) => void;
  /** What is said of it when it is in use, besides that. */
  readonly said?: string;
}

export type Uses = { readonly [Name in RotatingName]: Use<RotatingValue<Name>> };

/**
 * Returns how the new values are put to use. The keys that were derived from the first ones (of cookies, links, page
 * cursors, pseudonyms and names in Redis) stay as they are until the process ends.
 *
 * @param apiKeys the list that the application reads, which is changed in place
 * @param project the project of the token; undefined if there are several, each with a rotation of its own
 */
export function usesOf(
  { capture, appwrite, redis }: Settings,
  apiKeys: ApiKeySetting[],
  project: { readonly number: ProjectNumber; readonly options: Pick<ProjectOptions, 'capture'> } | undefined,
): Uses {
  return {
    API_KEYS: {
      // Those of the file of projects name their projects, and stay.
      use: (keys) =>
        void apiKeys.splice(0, apiKeys.length, ...keys, ...apiKeys.filter((key) => 'projects' in key)),
    },
    CAPTURE_API_TOKEN: {
      check: (token) => project?.number.refusalOf(token),
      use: (token) => {
        if (capture?.token instanceof Secret) capture.token.replace(token.reveal());
        project?.options.capture.clearCache();
      },
      said: 'REDCap accepts it, for the same project',
    },
    APPWRITE_API_KEY: { use: (key) => appwrite?.apiKey.replace(key.reveal()) },
    REDIS_URL: {
      check: (url) =>
        redis === undefined || serverOf(redis.url) !== serverOf(url)
          ? { rule: 'names another server: restart the service to use it' }
          : undefined,
      use: (url) => redis?.url.replace(url.reveal()),
    },
  };
}

/** Returns the part of an address that must not change: all but the user name and the password. */
function serverOf(address: Secret): string {
  const { protocol, host, pathname } = new URL(address.reveal());
  return `${protocol}//${host}${pathname}`;
}

/** A value that was read. */
interface Prepared {
  readonly problem?: FieldProblem;
  readonly use: () => void;
}

/** How long a value rests that could not be checked. */
const CHECK_AGAIN_MS = 30_000;

/**
 * Exchanges keys and tokens while the service runs, when the files that they were read from change (OPS-08). A file that
 * is missing, empty or malformed changes nothing, nor does a token of another project, and is reported once.
 *
 * Keeps only digests of what it has read.
 */
export class SecretRotation {
  /** Of what is in use. */
  readonly #digests: Map<string, string>;
  /** Of what was refused last, with the reason that was logged. */
  readonly #refused = new Map<
    string,
    { readonly digest: string; readonly rule: string; readonly checkAt: number }
  >();
  #timer: NodeJS.Timeout | undefined;
  readonly #turns = new Turns();

  /** Begins to watch, if there are files. */
  constructor(
    private readonly files: readonly SecretFile[],
    private readonly uses: Uses,
    private readonly logger: Pick<Logger, 'info' | 'error'>,
  ) {
    this.#digests = new Map(files.map(({ name, digest }) => [name, digest]));
    if (files.length > 0) this.#timer = setInterval(() => void this.reread(), INTERVAL_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Reads all files now, and uses each that can be used. Never rejects. */
  reread(): Promise<void> {
    return this.#turns.take(async () => {
      for (const { use } of await this.#prepare(true)) use();
    });
  }

  /**
   * Reads all files, and puts nothing to use.
   *
   * @returns a function that does, and says so
   * @throws {ConfigurationError} one of them cannot be used
   */
  prepare(): Promise<() => void> {
    return this.#turns.take(async () => {
      const prepared = await this.#prepare(false);
      const problems = prepared.flatMap(({ problem }) => problem ?? []);
      if (problems.length > 0) throw new ConfigurationError(problems);
      return () => {
        for (const { use } of prepared) use();
      };
    });
  }

  async #prepare(isOwnLook: boolean): Promise<Prepared[]> {
    const prepared: Prepared[] = [];
    for (const name of ROTATING) prepared.push(...(await this.#prepareOne(name, isOwnLook)));
    return prepared;
  }

  /** @param isOwnLook whether nobody has asked: then what was refused before is neither checked nor reported again */
  async #prepareOne<Name extends RotatingName>(name: Name, isOwnLook: boolean): Promise<Prepared[]> {
    const file = this.files.find((each) => each.name === name);
    if (file === undefined) return [];
    const read = await rereadSecret(name, file);
    const digest = hash('sha256', read.text);
    if (this.#digests.get(name) === digest) return [];
    const before = this.#refused.get(name);
    if (isOwnLook && before?.digest === digest && Date.now() < before.checkAt) return [];
    const { check, use, said }: Use<RotatingValue<Name>> = this.uses[name];
    const setting = `${name}_FILE`;
    const refusal = 'rule' in read ? read : await check?.(read.value);
    if (refusal === undefined && 'value' in read)
      return [
        {
          use: () => {
            use(read.value);
            this.#digests.set(name, digest);
            this.#refused.delete(name);
            this.logger.info({ setting }, `a secret has changed and is in use${said ? `: ${said}` : ''}`);
          },
        },
      ];
    const { rule = '', isPassing = false }: Partial<Refusal> = refusal ?? {};
    const checkAt = isPassing ? Date.now() + CHECK_AGAIN_MS : Infinity;
    this.#refused.set(name, { digest, rule, checkAt });
    const isSaid = !isOwnLook || (before?.digest === digest && before.rule === rule);
    if (!isSaid)
      this.logger.error(
        { setting, rule },
        'a secret has changed and cannot be used: the previous one is kept',
      );
    return [{ problem: { field: setting, message: rule }, use: () => undefined }];
  }
}

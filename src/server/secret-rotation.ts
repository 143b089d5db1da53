import { hash } from 'node:crypto';
import type { Logger } from 'pino';
import type { ApiKeySetting } from '../config/api-keys.js';
import { rereadSecret, ROTATING, type RotatingName } from '../config/reread-secret.js';
import type { SecretFile } from '../config/secret-files.js';
import type { ParsedEnvironment } from '../config/environment-schema.js';
import type { Settings } from '../config/settings.js';
import { Secret } from '../identifiers/secret.js';

/** How often the files are read. Secret stores replace links to them, which events of the file system miss. */
const INTERVAL_MS = 2_000;

/** Puts a new value to use. @returns the rule that it breaks, if it can only be used after a restart */
type Use<Value> = (value: Value) => string | undefined;

export type Uses = { readonly [Name in RotatingName]: Use<NonNullable<ParsedEnvironment[Name]>> };

/**
 * Returns how the new values are put to use. The keys that were derived from the first ones (of cookies, links, page
 * cursors, pseudonyms and names in Redis) stay as they are until the process ends.
 *
 * @param apiKeys the list that the application reads, which is changed in place
 * @param onToken called when the token has been exchanged
 */
export function usesOf(
  { capture, signIn, redis }: Settings,
  apiKeys: ApiKeySetting[],
  onToken: () => void,
): Uses {
  return {
    API_KEYS: (keys) => {
      // Those of the file of projects name their projects, and stay.
      apiKeys.splice(0, apiKeys.length, ...keys, ...apiKeys.filter((key) => 'projects' in key));
      return undefined;
    },
    CAPTURE_API_TOKEN: (token) => {
      if (capture?.token instanceof Secret) capture.token.replace(token.reveal());
      onToken();
      return undefined;
    },
    APPWRITE_API_KEY: (key) => {
      signIn?.apiKey.replace(key);
      return undefined;
    },
    REDIS_URL: (url) => {
      if (redis === undefined || serverOf(redis.url.reveal()) !== serverOf(url))
        return 'names another server: restart the service to use it';
      redis.url.replace(url);
      return undefined;
    },
  };
}

/** Returns the part of an address that must not change: all but the user name and the password. */
function serverOf(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}

/**
 * Exchanges keys and tokens while the service runs, when the files that they were read from change (OPS-08). A file that
 * is missing, empty or malformed changes nothing, and is reported once.
 *
 * Keeps only digests of what it has read.
 */
export class SecretRotation {
  readonly #digests: Map<string, string>;
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<void> = Promise.resolve();

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

  /** Reads all files now. Never rejects. */
  reread(): Promise<void> {
    return (this.#underWay = this.#underWay.then(async () => {
      for (const name of ROTATING) await this.#rereadOne(name);
    }));
  }

  async #rereadOne<Name extends RotatingName>(name: Name): Promise<void> {
    const file = this.files.find((each) => each.name === name);
    if (file === undefined) return;
    const read = await rereadSecret(name, file);
    const digest = hash('sha256', read.text);
    if (this.#digests.get(name) === digest) return;
    this.#digests.set(name, digest);
    const rule = 'rule' in read ? read.rule : this.uses[name](read.value);
    const setting = `${name}_FILE`;
    if (rule === undefined) this.logger.info({ setting }, 'a secret has changed and is in use');
    else
      this.logger.error(
        { setting, rule },
        'a secret has changed and cannot be used: the previous one is kept',
      );
  }
}

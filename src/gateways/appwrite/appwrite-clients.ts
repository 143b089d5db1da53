import type * as NodeAppwrite from 'node-appwrite';
import type { Account, Client, Query, Users } from 'node-appwrite';
import type { AppwriteConnection } from './appwrite-connection.js';

/** The services for a call with the API key. */
export interface KeyServices {
  readonly client: Client;
  readonly account: Account;
  readonly users: Users;
  readonly query: typeof Query;
}

type Sdk = typeof NodeAppwrite;

/**
 * Creates the SDK's clients: one per call, with either the key or one session, never both. If two requests shared a
 * client, one person could get the other's identity (SESS-05). A client per call opens no extra connection.
 *
 * @see docs/protocol/appwrite.md 3.1 (source), 9.1 (client)
 */
export class AppwriteClients {
  #sdk: Promise<Sdk> | undefined;
  #boundedClient: (new () => Client) | undefined;

  constructor(private readonly connection: AppwriteConnection) {}

  /**
   * @param userAgent the browser's user agent, which Appwrite accepts only from key callers
   * @param language the language of a mail that the call sends
   * @see docs/protocol/appwrite.md 5.2, 5.5 (source)
   */
  async withKey(userAgent?: string, language?: string): Promise<KeyServices> {
    const sdk = await this.#load();
    const client = this.#newClient(sdk).setKey(this.connection.apiKey());
    const forwarded = forwardedUserAgent(userAgent);
    if (forwarded !== undefined) client.setForwardedUserAgent(forwarded);
    if (language !== undefined) client.setLocale(language);
    return { client, account: new sdk.Account(client), users: new sdk.Users(client), query: sdk.Query };
  }

  async withSession(sessionSecret: string): Promise<Account> {
    const sdk = await this.#load();
    return new sdk.Account(this.#newClient(sdk).setSession(sessionSecret));
  }

  #newClient(sdk: Sdk): Client {
    this.#boundedClient ??= boundedClientClass(sdk, this.connection.timeoutMs);
    return new this.#boundedClient()
      .setEndpoint(this.connection.endpoint)
      .setProject(this.connection.projectId);
  }

  /** Imports the SDK on first use: the import takes 130 ms and is not needed for starting. */
  #load(): Promise<Sdk> {
    this.#sdk ??= import('node-appwrite');
    return this.#sdk;
  }
}

/**
 * Returns a client class with a timeout that does not follow redirects. The SDK's own client has no timeout, and on a
 * redirect it sends the key to the other host.
 *
 * @see docs/protocol/appwrite.md 9.2 (client)
 */
function boundedClientClass(sdk: Sdk, timeoutMs: number): new () => Client {
  return class BoundedClient extends sdk.Client {
    override prepareRequest(...request: Parameters<Client['prepareRequest']>) {
      const { uri, options } = super.prepareRequest(...request);
      return {
        uri,
        options: { ...options, signal: AbortSignal.timeout(timeoutMs), redirect: 'error' as const },
      };
    }
  };
}

/**
 * Returns a browser's user agent in a form that can be forwarded: printable ASCII, at most 256 characters; `undefined`
 * if nothing is left.
 *
 * A control character, or one above U+00FF, would make `fetch` throw before anything is sent.
 *
 * @see docs/protocol/appwrite.md 2.2 (client), 10
 */
function forwardedUserAgent(value: string | undefined): string | undefined {
  const clean = value
    ?.slice(0, 4 * LONGEST_USER_AGENT)
    .replace(/[^\u0020-\u007e]/g, '')
    .trim();
  return clean === undefined || clean === '' ? undefined : clean.slice(0, LONGEST_USER_AGENT);
}

const LONGEST_USER_AGENT = 256;

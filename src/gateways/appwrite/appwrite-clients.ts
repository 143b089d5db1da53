import type * as NodeAppwrite from 'node-appwrite';
import type { Account, Client, Query, Users } from 'node-appwrite';
import type { AppwriteConnection } from './appwrite-connection.js';
import { forwardedUserAgent } from './forwarded-user-agent.js';

/** What a call with the API key may use. */
export interface KeyServices {
  readonly client: Client;
  readonly account: Account;
  readonly users: Users;
  readonly query: typeof Query;
}

type Sdk = typeof NodeAppwrite;

/**
 * Makes the SDK's clients: one for each call, with either the key or one session, never both. A client that two
 * requests share would give one person the other's identity (SESS-05); a client of its own costs no connection.
 *
 * @see docs/protocol/appwrite.md 3.1 (source), 9.1 (client)
 */
export class AppwriteClients {
  #sdk: Promise<Sdk> | undefined;
  #boundedClient: (new () => Client) | undefined;

  constructor(private readonly connection: AppwriteConnection) {}

  /** @param userAgent the browser's, honoured for key callers only @see docs/protocol/appwrite.md 5.5 (source) */
  async withKey(userAgent?: string): Promise<KeyServices> {
    const sdk = await this.#load();
    const client = this.#newClient(sdk).setKey(this.connection.apiKey);
    const forwarded = forwardedUserAgent(userAgent);
    if (forwarded !== undefined) client.setForwardedUserAgent(forwarded);
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

  /** The import costs 130 ms and is not needed to start. */
  #load(): Promise<Sdk> {
    this.#sdk ??= import('node-appwrite');
    return this.#sdk;
  }
}

/**
 * The SDK has no timeout, and on a redirect it sends the key along to whatever host it is sent to.
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

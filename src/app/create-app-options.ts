import type { RequestObserver } from '../http/request-observer.js';
import type { Logger } from 'pino';
import type { CrfClient } from '../gateways/redcap/crf-client.js';
import type { ApiKey } from '../services/access/api-key.js';
import type { LimitStoreFactory } from '../middleware/limits/limit-store.js';
import type { IdempotencyStore } from '../services/idempotency/idempotency-store.js';
import type { MailSource } from '../pages/mailbox-router.js';
import type { Scope } from '../services/access/scope.js';
import type { AuditTrail } from '../services/audit/audit-trail.js';
import type { Auth } from '../services/auth/auth-types.js';
import type { CrfServiceOptions } from '../services/crf-service.js';
import type { StudyOptions } from '../services/summary/study-options.js';

/** What an application is made of. Only `capture` is needed; everything that is left out is closed or switched off. */
export interface CreateAppOptions {
  /** The client of the REDCap project that is served. It is the caller's to close. */
  readonly capture: CrfClient;
  /** Who may call. Without any of it, nobody may: deny by default. */
  readonly access?: AccessSettings | undefined;
  /** The authentication service; without it nobody can sign in. */
  readonly auth?: AuthSettings | undefined;
  /** Where users are looked up. */
  readonly users?: CrfServiceOptions | undefined;
  /** The rules of imports. */
  readonly imports?: ImportSettings | undefined;
  /** The rules of uploads. */
  readonly files?: FileSettings | undefined;
  /** The time zone of REDCap's server, as in `Europe/Paris`: with it, times of the log and of surveys say their offset. */
  readonly timeZone?: string | undefined;
  /** Silent by default. */
  readonly logger?: Logger | undefined;
  /**
   * The audit log. With it, every call that reads or changes data is entered before it runs and before it is confirmed, and
   * refused while the log cannot be written. None by default.
   */
  readonly audit?: AuditTrail | undefined;
  /** Makes the pseudonyms of records in the audit log where there is no sign-in; random by default. */
  readonly pseudonymKey?: Buffer | undefined;
  /** Hears of each request; nobody by default. */
  readonly requests?: RequestObserver | undefined;
  /** Serves the reference page at `/docs`; `false` by default. */
  readonly docs?: boolean | undefined;
  /** How many proxies stand in front, or their addresses. None by default: then nobody can choose their own address. */
  readonly trustProxy?: number | readonly string[] | undefined;
  readonly limits?: RequestLimits | undefined;
  /** What several processes share; nothing by default. Counts have a place of their own: `limits.stores`. */
  readonly shared?: SharedStateSettings | undefined;
  /** Seals the cursors of pages, 32 bytes; random by default, so that no other process reads them. */
  readonly cursorKey?: Buffer | undefined;
  /** Asked before each request, `/health` apart: answers 503 while it says yes (OPS-04). Never by default. */
  readonly isOverloaded?: (() => boolean) | undefined;
  /** Says on every answer that it comes from the sandbox, and shows the mails that were not sent. */
  readonly sandbox?: { readonly mailbox?: MailSource | undefined } | undefined;
  /** What the study hopes for, and how its summary is made. */
  readonly study?: StudyOptions | undefined;
  /** Where people find help, `https:` or `mailto:`; stands on the help page and in the footer. */
  readonly helpUrl?: string | undefined;
}

/** What an application shares with others of its kind. */
export interface SharedStateSettings {
  /** Where outcomes of requests with an Idempotency-Key are kept. */
  readonly idempotency: IdempotencyStore;
  /** Resolves when the shared state answers: `/health/ready` reports it. */
  ping(): Promise<unknown>;
}

export interface AccessSettings {
  readonly apiKeys?: readonly ApiKey[] | undefined;
  /**
   * Open mode: nobody is asked for a credential. On the sandbox everybody has every scope; on any other project
   * `project:read`, `records:read`, `records:write` and `users:read`. Never on a network you do not trust.
   */
  readonly allowAnonymous?: boolean | undefined;
  /**
   * Answers requests for `localhost` and loopback addresses alone, 421 for every other host, and 403 for a request that
   * came through a proxy: for an open service on loopback, which a page in this machine's browser must not reach under a
   * name of its own, nor anybody through a proxy. `false` by default.
   */
  readonly isLoopbackOnly?: boolean | undefined;
  /** What a signed-in person may do; `project:read` by default. */
  readonly sessionScopes?: readonly Scope[] | undefined;
}

export interface AuthSettings {
  readonly service: Auth;
  /** Origins from which a browser may send requests that change something: the service's own public one. */
  readonly trustedOrigins: readonly string[];
  /** The sandbox stands in for Appwrite, and no mail is sent: limits are generous then. `false` by default. */
  readonly isSandbox?: boolean | undefined;
}

export interface ImportSettings {
  /** The least length of a record id; 20 by default. */
  readonly recordIdMinLength?: number | undefined;
  /** Rows of one call to REDCap; 1000 by default. */
  readonly chunkRows?: number | undefined;
  /** Bytes of one call to REDCap; 4 MiB by default. */
  readonly chunkBytes?: number | undefined;
  /**
   * Calls to REDCap that one import may have under way at once; 4 by default, and best half of what the client may make at
   * most. Those beside the first are shared by all imports that run.
   */
  readonly concurrency?: number | undefined;
  /** Bytes of one import; 1 GiB by default. */
  readonly limitBytes?: number | undefined;
}

export interface FileSettings {
  /** Bytes of one upload; 128 MiB by default. */
  readonly limitBytes?: number | undefined;
}

export interface RequestLimits {
  /** Bytes of a JSON body, imports apart; 1 MiB by default. */
  readonly bodyBytes?: number | undefined;
  /** How long a JSON body may take to arrive, imports apart; 60 s by default. */
  readonly bodyTimeoutMs?: number | undefined;
  /** Bytes of a URL; 8192 by default. */
  readonly urlBytes?: number | undefined;
  /** Calls a minute of one API key, one person, or one network in open mode; 600 by default, 0 for no limit. */
  readonly callsPerMinute?: number | undefined;
  /** Calls a minute from one network without a valid credential; 60 by default, 0 for no limit. */
  readonly failedAuthPerMinute?: number | undefined;
  /**
   * Where calls and sign-in attempts are counted, for several processes together; in this process's memory by default.
   * While a store fails, signup and login are refused with 503, and all other calls are counted in memory (RATE-06).
   */
  readonly stores?: LimitStoreFactory | undefined;
  /** Bytes a second that the reader of an export has to take, averaged over half a minute; 16 KiB by default, 0 for no floor. */
  readonly exportMinBytesPerSecond?: number | undefined;
  /** What that is averaged over, in milliseconds. */
  readonly exportPaceAveragedOverMs?: number | undefined;
}

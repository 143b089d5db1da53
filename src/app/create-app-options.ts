import type { RequestObserver } from '../http/request-observer.js';
import type { Logger } from 'pino';
import type { CrfClient } from '../gateways/redcap/crf-client.js';
import type { AccessOptions } from '../services/access/access-control.js';
import type { JsonBodyLimits } from '../http/middleware/json-body.js';
import type { ApiLimitsOptions } from '../http/middleware/limits/api-limits.js';
import type { ImportLimits } from '../records/import/import-request.js';
import type { SharedLeases } from '../records/import/record-leases.js';
import type { IdempotencyStore } from '../services/idempotency/idempotency-store.js';
import type { MailSource } from '../pages/mail-source.js';
import type { CallerViews } from '../policy/caller-views.js';
import type { AuditTrail } from '../services/audit/audit-trail.js';
import type { Auth } from '../services/auth/auth-types.js';
import type { SharedHealth } from '../services/health-service.js';
import type { UserFinderOptions } from '../services/user-finder.js';
import type { StudyOptions } from '../services/summary/study-options.js';

/** The options of one project. Only `capture` is required. */
export interface ProjectOptions {
  /** The client of the REDCap project. The caller must close it. */
  readonly capture: CrfClient;
  /** What each caller sees of the project; without it, every caller sees all of it that the scopes allow. */
  readonly policy?: CallerViews | undefined;
  /** Where users are looked up. */
  readonly users?: UserFinderOptions | undefined;
  /** The limits of imports. */
  readonly imports?: ImportSettings | undefined;
  /**
   * The time zone of REDCap's server, such as `Europe/Paris`. With it, times in the log and of surveys have an offset.
   */
  readonly timeZone?: string | undefined;
  /**
   * The audit log; none by default. With it, every call that reads or changes data is logged before it runs and again
   * before it is confirmed, and is refused while the log cannot be written.
   */
  readonly audit?: AuditTrail | undefined;
  /** The key for pseudonyms of records in the audit log if there is no sign-in; random by default. */
  readonly pseudonymKey?: Buffer | undefined;
  /** State shared by several processes; none by default. Rate limits are shared separately, with `limits.stores`. */
  readonly shared?: SharedStateSettings | undefined;
  /** The 32-byte key that encrypts page cursors; random by default, so that no other process can read them. */
  readonly cursorKey?: Buffer | undefined;
  /** The targets of the study, and the options of its summary. */
  readonly study?: StudyOptions | undefined;
  /** The address of REDCap's API as browsers reach it: lists and records link to REDCap's own pages. No links by default. */
  readonly redcapUrl?: string | undefined;
}

/** The options of an application that are not those of a project. Everything is disabled by default. */
interface ServiceOptions {
  /** Who may call the service. By default nobody may. */
  readonly access?: AccessSettings | undefined;
  /** The authentication service. Without it, nobody can sign in. */
  readonly auth?: AuthSettings | undefined;
  /** The limits of uploads. */
  readonly files?: FileSettings | undefined;
  /** The logger; silent by default. */
  readonly logger?: Logger | undefined;
  /** Observes each request; none by default. */
  readonly requests?: RequestObserver | undefined;
  /** Whether to serve the reference page at `/docs`; `false` by default. */
  readonly docs?: boolean | undefined;
  /**
   * Whether to serve REDCap's own API at `/api/`, for clients that send an API key as its token; `false` by default. In open
   * mode it is served on loopback only.
   */
  readonly apiDoor?: boolean | undefined;
  /**
   * The number of proxies in front of the service, or their addresses. None by default, so that clients cannot forge
   * their address.
   */
  readonly trustProxy?: number | readonly string[] | undefined;
  readonly limits?: RequestLimits | undefined;
  /**
   * Called with the number of requests in progress, before each further request except `/health`. While it returns true,
   * requests get a 503 (OPS-04). A single request is never refused. Never by default.
   */
  readonly isOverloaded?: ((running: number) => boolean) | undefined;
  /** Marks every response as coming from the sandbox, and shows the emails that were not sent. */
  readonly sandbox?: { readonly mailbox?: MailSource | undefined } | undefined;
  /** The `https:` or `mailto:` address where people find help, shown on the help page and in the footer. */
  readonly helpUrl?: string | undefined;
}

/** The options of an application of one project. */
export interface CreateAppOptions extends ServiceOptions, ProjectOptions {}

/**
 * The options of an application of several projects. Each has the whole API, and the pages, below `/projects/{name}`;
 * the default has them at the root too. Nothing is shared between projects: each has its own caches, cursors, results of
 * idempotency keys, quotas and audit log.
 */
export interface ProjectsAppOptions extends ServiceOptions {
  /** The projects by name: a lower-case letter, then up to 31 of `a`–`z`, `0`–`9`, `-` and `_`. */
  readonly projects: Readonly<Record<string, ProjectOptions>>;
  /** The project of a path that names none; by default every path has to name one. */
  readonly defaultProject?: string | undefined;
  /** The log of sign-ins, and of refusals before a project was chosen. The calls of a project are in its own log. */
  readonly audit?: AuditTrail | undefined;
  /** The state that the processes share whatever the project, for `/health/ready`. */
  readonly shared?: SharedStateSettings | undefined;
}

/** State that several processes share. */
export interface SharedStateSettings {
  /** Stores the results of requests with an Idempotency-Key. */
  readonly idempotency: IdempotencyStore;
  /** The records that are being changed, so that the replicas change each one after the other; by default each process does. */
  readonly leases?: SharedLeases | undefined;
  /** Shares what `/health/ready` has found about REDCap and Appwrite; by default each process asks them itself. */
  readonly health?: SharedHealth | undefined;
  /** Resolves if the shared state is available, for `/health/ready`. */
  ping(): Promise<unknown>;
}

/** Who may call the application: API keys, the scopes of signed-in people, or everybody. */
export interface AccessSettings extends Omit<AccessOptions, 'openScopes' | 'auth' | 'clock'> {
  /**
   * Accepts only requests for `localhost` and loopback addresses, refuses other hosts with 421, and refuses requests
   * that came through a proxy, and changes by pages of other sites, with 403. This protects an open service on loopback
   * from pages in this machine's browser and from clients of a proxy. `false` by default.
   */
  readonly isLoopbackOnly?: boolean | undefined;
  /** The origins whose pages may call the API with an API key (CORS), such as `https://app.example.org`; none by default. */
  readonly allowedOrigins?: readonly string[] | undefined;
}

/** How people sign in to the application. */
export interface AuthSettings {
  readonly service: Auth;
  /** The origins from which a browser may send requests that change data: the public origin of the service. */
  readonly trustedOrigins: readonly string[];
  /** Whether the sandbox replaces Appwrite and no emails are sent, which raises the limits. `false` by default. */
  readonly isSandbox?: boolean | undefined;
  /** Whether a link can sign in another device by a code, which the help page then explains. `false` by default. */
  readonly takesCodes?: boolean | undefined;
}

/** The limits of imports. Half of the concurrency limit of the client works best as their `concurrency`. */
export type ImportSettings = Omit<ImportLimits, 'pace'>;

export interface FileSettings {
  /** The maximum size of an upload in bytes; 128 MiB by default. */
  readonly limitBytes?: number | undefined;
}

/** The limits of requests: how large, how slow, how many. */
export interface RequestLimits extends JsonBodyLimits, Omit<ApiLimitsOptions, 'callerOf'> {
  /** The maximum length of a URL in bytes; 8192 by default. */
  readonly urlBytes?: number | undefined;
  /**
   * The minimum rate in bytes per second at which an export must be read, averaged over half a minute; 16 KiB by
   * default, 0 for no minimum.
   */
  readonly exportMinBytesPerSecond?: number | undefined;
  /** The time over which this rate is averaged, in milliseconds. */
  readonly exportPaceAveragedOverMs?: number | undefined;
}

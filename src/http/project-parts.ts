import type { CrfCalls } from '../gateways/redcap/crf-client.js';
import type { BoundCaller } from '../policy/caller-views.js';
import type { ProjectView } from '../policy/project-view.js';
import type { AuditTrail } from '../services/audit/audit-trail.js';
import type { CrfService } from '../services/crf-service.js';
import type { SpareCalls } from '../records/import/chunk-sender.js';
import type { RecordLeases } from '../records/import/record-leases.js';
import type { Turns } from '../records/import/turns.js';
import type { IdempotencyStore } from '../services/idempotency/idempotency-store.js';
import type { ProjectCheck } from '../services/project-states.js';

/** The service of what a caller sees. */
export interface ViewService {
  readonly view: ProjectView;
  readonly crf: CrfService;
  /** The calls of REDCap's API, as far as the caller sees the project. */
  readonly calls: CrfCalls;
}

/** The parts of one project: what its requests are answered with and logged in. */
export interface ProjectParts {
  /** The configured name; blank in an application of one project. */
  readonly name: string;
  /** The options that it was made from. */
  readonly source: object;
  /** The service of the whole project, for an application without policies. */
  readonly crf: CrfService;
  /** The calls of REDCap's API, of the whole project. */
  readonly calls: CrfCalls;
  /** The time zone of REDCap's server, such as `Europe/Paris`; undefined if it is not known. */
  readonly timeZone: string | undefined;
  /** Returns the service of what a caller sees, under policies. */
  readonly serviceOf?: ((caller: BoundCaller) => Promise<ViewService>) | undefined;
  /** The audit log; undefined if there is none. */
  readonly audit: AuditTrail | undefined;
  /** Returns the pseudonym of a record in the logs of the project. */
  readonly pseudonymOf: (subject: string) => string;
  readonly check: ProjectCheck;
  /**
   * What all its views share, and what stays when the plan of the study is exchanged: cursors, keys of requests, records,
   * and the turns of what is limited for the project.
   */
  readonly held: {
    readonly cursorKey: Buffer;
    readonly idempotency: IdempotencyStore;
    readonly leases: RecordLeases;
    readonly spareCalls: SpareCalls;
    readonly designTurns: Turns;
  };
}

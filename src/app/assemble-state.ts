import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { AccessControl } from '../services/access/access-control.js';
import { SCOPES } from '../identifiers/scope.js';
import { OPEN_PROJECT_SCOPES } from '../services/access/open-project-scopes.js';
import { CrfService, type CrfServiceOptions } from '../services/crf-service.js';
import { HealthService, type Dependency } from '../services/health-service.js';
import { DEFAULT_MIN_BYTES_PER_SECOND } from '../records/streaming/reader-pace.js';
import { Pseudonyms } from '../services/pseudonyms.js';
import type { CallOptions } from '../gateways/redcap/crf-client.js';
import { apiDocument } from '../openapi/api-document.js';
import type { AppState, ProjectParts } from '../http/app-state.js';
import { ViewServices } from './view-services.js';
import type { CreateAppOptions } from './create-app-options.js';

/** Creates the parts of an application that do not depend on the project. */
export function assembleState(options: CreateAppOptions): AppState {
  const { access, auth } = options;
  return {
    access: new AccessControl({
      ...access,
      openScopes: options.sandbox === undefined ? OPEN_PROJECT_SCOPES : SCOPES,
      auth: auth?.service,
    }),
    auth: auth?.service,
    health: new HealthService(dependencies(options), { shared: options.shared?.health }),
    logger: options.logger ?? pino({ enabled: false }),
    trustedOrigins: auth?.trustedOrigins ?? [],
    isSandbox: options.sandbox !== undefined,
    hasReference: options.docs ?? false,
    helpUrl: options.helpUrl,
  };
}

/** Creates the parts of the project of an application from its options. */
export function assembleProject(options: CreateAppOptions): ProjectParts {
  const { capture, policy, audit } = options;
  const services = serviceOptions(options);
  const views = policy && new ViewServices(capture, policy, services);
  return {
    crf: new CrfService(capture, services),
    serviceOf: views && ((caller) => views.of(caller, { caller: caller.name })),
    audit,
    pseudonymOf: pseudonymsOf(options),
  };
}

function serviceOptions(options: CreateAppOptions): CrfServiceOptions {
  const { users, imports, timeZone, cursorKey, study, limits = {} } = options;
  return {
    users,
    imports,
    fileLimitBytes: options.files?.limitBytes,
    pace: {
      minBytesPerSecond: limits.exportMinBytesPerSecond ?? DEFAULT_MIN_BYTES_PER_SECOND,
      averagedOverMs: limits.exportPaceAveragedOverMs,
    },
    timeZone,
    cursorKey,
    study,
    idempotency: options.shared?.idempotency,
    openApi: () => apiDocument().toString(),
  };
}

/**
 * Uses the pseudonyms of the sign-in if there is one, so that a person has the same pseudonym everywhere. Otherwise the
 * pseudonyms, which are then only for records, have their own key.
 */
function pseudonymsOf({ auth, pseudonymKey }: CreateAppOptions): (subject: string) => string {
  if (auth !== undefined) return (subject) => auth.service.pseudonymOf(subject);
  return new Pseudonyms(pseudonymKey ?? randomBytes(32)).of;
}

/**
 * What readiness checks. While REDCap, Appwrite or Redis is away, a proxy must not remove all replicas at the same time,
 * because pages, errors and everything that does not need it still work. A replica that cannot write its audit log is
 * different: it refuses every call that another replica may serve (docs/decisions/0011-readiness.md).
 */
function dependencies({ capture, auth, shared, audit, policy }: CreateAppOptions): Dependency[] {
  const isAway = { isEssential: false, isCheckedRarely: true };
  return [
    { name: 'redcap', ...isAway, check: (call) => capture.ping(call) },
    ...(auth ? [{ name: 'identity', ...isAway, check: () => auth.service.checkReadiness() } as const] : []),
    ...(policy
      ? [{ name: 'policy', ...isAway, check: (call: CallOptions) => policy.check(call) } as const]
      : []),
    ...(shared
      ? [{ name: 'redis', isEssential: false, isCheckedRarely: false, check: () => shared.ping() } as const]
      : []),
    ...(audit
      ? [
          {
            name: 'audit',
            isEssential: true,
            isCheckedRarely: false,
            check: () => audit.checkWritable(),
          } as const,
        ]
      : []),
  ];
}

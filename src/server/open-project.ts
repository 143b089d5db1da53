import type { ProjectOptions, SharedStateSettings } from '../app/create-app-options.js';
import { createCrfClient } from '../client/create-crf-client.js';
import type { Settings } from './config/settings.js';
import { ConfigurationError } from '../domain/errors/operator-errors.js';
import type { ApiToken } from '../domain/identifiers/api-token.js';
import type { CallObserver } from '../gateways/redcap/observe.js';
import type { ResilienceState } from '../gateways/redcap/resilience/resilience-options.js';
import type { SharedState } from '../gateways/redis/shared-state.js';
import { CallerViews, type PolicyFiles } from '../policy/caller-views.js';
import { transformsOf } from '../policy/deidentify/transforms.js';
import { loadPolicyFiles } from '../policy/load-policy-files.js';
import type { IdempotentResult } from '../services/idempotency/idempotency-store.js';
import { thisProgram } from '../services/this-program.js';
import { cursorKeyFrom, pseudonymKeysOf, viewSecretFrom } from './derived-keys.js';
import type { OpenAudit } from './open-audit.js';
import { openStudy } from './open-study.js';
import { ProjectNumber } from './project-number.js';

/** What a project is opened with, besides its settings. */
interface ProjectSurroundings {
  /** Its REDCap, or the sandbox. */
  readonly capture: { readonly url: string; readonly token: string | ApiToken };
  readonly resilience: ResilienceState;
  readonly shared: SharedState | undefined;
  readonly audit: OpenAudit | undefined;
  readonly observer: CallObserver | undefined;
}

/** A project that an application can serve. Its client has to be closed. */
export interface OpenedProject {
  readonly number: ProjectNumber;
  readonly options: ProjectOptions;
  /** Reads the policy and its lock again. @returns what puts them to use @throws {ConfigurationError} one cannot be used */
  readonly preparePolicy: (() => Promise<() => void>) | undefined;
}

/**
 * Opens a project: its client, its policy, and the options that the application needs.
 *
 * @throws {ConfigurationError} its policy or the file of its study cannot be used
 */
export async function openProject(
  settings: Settings,
  { capture, resilience, shared, audit, observer }: ProjectSurroundings,
): Promise<OpenedProject> {
  const { policyFile, recordKey: pseudonymKey } = settings;
  const clientOf = (token: ApiToken | string) =>
    createCrfClient({ ...capture, token, ...settings.client, shared: resilience, observer });
  const client = clientOf(capture.token);
  try {
    const load = policyFile === undefined ? undefined : () => loadServedPolicy(policyFile, pseudonymKey);
    const viewSecret = viewSecretFrom(settings.capture?.token);
    const policy = load && new CallerViews(client, await load(), viewSecret, { pseudonymKey });
    return {
      options: {
        ...settings.project,
        capture: client,
        policy,
        study: await openStudy(settings),
        redcapUrl: settings.capture?.url,
        audit: audit?.trail,
        pseudonymKey: pseudonymKeysOf(settings)[0],
        cursorKey: settings.capture && cursorKeyFrom(settings.capture.token),
        shared: sharedSettingsOf(shared),
      },
      preparePolicy:
        load &&
        (async () => {
          const files = await load();
          return () => policy?.replace(files);
        }),
      number: new ProjectNumber(client, clientOf),
    };
  } catch (error) {
    client.close();
    throw error;
  }
}

/** Returns what an application, or a project of it, keeps in Redis; undefined without it. */
export function sharedSettingsOf(shared: SharedState | undefined): SharedStateSettings | undefined {
  return (
    shared && {
      idempotency: shared.idempotencyStore<IdempotentResult>(),
      leases: shared.leases(),
      health: shared.keyValueStore('health'),
      ping: () => shared.ping(),
    }
  );
}

/**
 * Reads a policy file and its lock as a service has to have them, which must not start without them.
 *
 * @throws {ConfigurationError} one of them cannot be used, or what they need is not set
 */
export async function loadServedPolicy(path: string, recordKey: Settings['recordKey']): Promise<PolicyFiles> {
  const files = await loadPolicyFiles(path);
  const isNeeded = Object.values(files.set.policies).some((policy) => transformsOf(policy) !== undefined);
  if (isNeeded && recordKey === undefined)
    throw new ConfigurationError([
      {
        field: 'PSEUDONYM_KEY',
        message:
          'is needed by a policy that de-identifies: create one with openssl rand -hex 32, and keep it',
      },
    ]);
  // For manifests: read before an upgrade can put other code there than what runs.
  if (isNeeded) await thisProgram();
  return files;
}

import type { ProjectOptions, SharedStateSettings } from '../app/create-app-options.js';
import { createCrfClient } from '../client/create-crf-client.js';
import { clientOptionsOf } from './config/client-options.js';
import { importConcurrencyOf } from './config/import-concurrency.js';
import type { Settings } from './config/settings.js';
import type { CallObserver } from '../gateways/redcap/observe.js';
import type { ResilienceState } from '../gateways/redcap/resilience/resilience-options.js';
import type { SharedState } from '../gateways/redis/shared-state.js';
import type { ApiToken } from '../domain/identifiers/api-token.js';
import type { IdempotentResult } from '../services/idempotency/idempotency-store.js';
import { cursorKeyFrom, pseudonymKeysOf } from './derived-keys.js';
import type { OpenAudit } from './open-audit.js';
import { openPolicy, type OpenedPolicy } from './open-policy.js';
import { openStudy } from './open-study.js';
import { ProjectNumber } from './project-number.js';

/** What a project is opened with, besides its settings. */
export interface ProjectSurroundings {
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
  readonly policy: OpenedPolicy | undefined;
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
  const { values } = settings;
  const clientOf = (token: ApiToken | string) =>
    createCrfClient({ ...capture, token, ...clientOptionsOf(settings), shared: resilience, observer });
  const client = clientOf(capture.token);
  try {
    const policy = await openPolicy(settings, client);
    const options: ProjectOptions = {
      capture: client,
      policy: policy?.views,
      users: {
        userSource: values.USER_SOURCE,
        userEmailField: values.USER_EMAIL_FIELD,
        userIdField: values.USER_ID_FIELD,
      },
      timeZone: values.CAPTURE_TIME_ZONE,
      imports: {
        recordIdMinLength: values.RECORD_ID_MIN_LENGTH,
        chunkRows: values.IMPORT_CHUNK_ROWS,
        chunkBytes: values.IMPORT_CHUNK_BYTES,
        concurrency: importConcurrencyOf(values),
        limitBytes: values.IMPORT_LIMIT_BYTES,
      },
      study: await openStudy(settings),
      redcapUrl: settings.capture?.url,
      audit: audit?.trail,
      pseudonymKey: pseudonymKeysOf(settings)[0],
      cursorKey: settings.capture && cursorKeyFrom(settings.capture.token),
      shared: sharedSettingsOf(shared),
    };
    return { options, policy, number: new ProjectNumber(client, clientOf) };
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

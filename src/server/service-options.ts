import type { ApiKeySetting } from './config/api-keys.js';
import { callLimitsOf } from './config/call-limits.js';
import type { Settings } from './config/settings.js';
import type { SharedState } from '../gateways/redis/shared-state.js';

/** Returns the options of the application that are settings: of all but its projects, its sign-in and its parts. */
export function serviceOptionsOf(
  settings: Settings,
  apiKeys: readonly ApiKeySetting[],
  shared: SharedState | undefined,
) {
  const { values, access, projects } = settings;
  return {
    access: {
      apiKeys,
      sessions: projects?.sessions,
      allowedOrigins: values.ALLOWED_ORIGINS,
      allowAnonymous: access.isOpen,
      isLoopbackOnly: access.isLoopbackOnly,
      sessionScopes: access.sessionScopes,
    },
    files: { limitBytes: values.FILE_LIMIT_BYTES },
    helpUrl: values.HELP_URL,
    docs: values.DOCS === 'auto' ? values.NODE_ENV !== 'production' : values.DOCS === 'on',
    trustProxy: values.TRUST_PROXY,
    limits: {
      bodyBytes: values.BODY_LIMIT_BYTES,
      urlBytes: values.URL_LIMIT_BYTES,
      exportMinBytesPerSecond: values.EXPORT_MIN_BYTES_PER_SECOND,
      ...callLimitsOf(settings),
      stores: shared?.limitStore,
    },
  };
}

/** Returns the limits of the HTTP server. */
export function serverLimitsOf({ values }: Settings) {
  return {
    headersTimeoutMs: values.SERVER_HEADERS_TIMEOUT_MS,
    idleTimeoutMs: values.SERVER_IDLE_TIMEOUT_MS,
    keepAliveTimeoutMs: values.SERVER_KEEP_ALIVE_MS,
    maxConnections: values.SERVER_MAX_CONNECTIONS,
    maxConnectionsPerNetwork: values.SERVER_MAX_CONNECTIONS_PER_NETWORK,
  };
}

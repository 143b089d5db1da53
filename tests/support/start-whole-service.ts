import { loadSettings } from '../../src/server/config/settings.js';
import { startServer, type RunningServer } from '../../src/server/start-server.js';
import { NO_LOAD_SHEDDING } from './no-load-shedding.js';

/** Starts the service with its sandboxes like `npm start`, on a free port. */
export function startWholeService(
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  return startServer(loadSettings({ PORT: '0', LOG_LEVEL: 'silent', ...NO_LOAD_SHEDDING, ...environment }));
}

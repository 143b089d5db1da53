import { LAST_DAY } from '../../src/sandbox/demo-study/made-up.js';
import { loadSettings } from '../../src/server/config/settings.js';
import { startServer, type RunningServer } from '../../src/server/start-server.js';
import { NO_LOAD_SHEDDING } from './no-load-shedding.js';

/** Starts the service with its sandboxes like `npm start`, on a free port, with studies that always end on one day. */
export function startWholeService(
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const settings = { PORT: '0', LOG_LEVEL: 'silent', SANDBOX_UNTIL: LAST_DAY, ...NO_LOAD_SHEDDING };
  return startServer(loadSettings({ ...settings, ...environment }));
}

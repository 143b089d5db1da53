import request from 'supertest';
import { createCrfClient } from '../../src/client/create-crf-client.js';
import { DEMO_TOKEN } from '../../src/sandbox/demo-study/demo-study.js';
import { startRedcapSandbox } from '../../src/sandbox/redcap/redcap-sandbox.js';
import type { Study } from '../../src/sandbox/redcap/study.js';
import type { CreateAppOptions } from '../../src/app/create-app-options.js';
import { startService } from './start-service.js';

/** Calls the service with a key that has every scope. A body is sent as JSON. */
export type Send = (
  method: 'get' | 'post' | 'put' | 'patch' | 'delete',
  path: string,
  body?: object,
) => request.Test;

/**
 * Starts the service with a sandbox of one study, and returns a function to call it. Close it in the same suite.
 *
 * @param options.token of the user as whom the service calls REDCap; the data manager's by default
 */
export async function startStudyService(
  study: Study,
  { token = DEMO_TOKEN, ...options }: Partial<CreateAppOptions> & { readonly token?: string } = {},
) {
  const sandbox = await startRedcapSandbox({ study });
  const service = await startService({
    capture: createCrfClient({ url: sandbox.url, token, resilience: { callsPerMinute: 0 } }),
    ...options,
  });
  const agent = request(service.server);
  const send: Send = (method, path, body) => {
    const call = agent[method](`/api/v1${path}`).set('Authorization', service.authorization);
    return body === undefined ? call : call.send(body);
  };
  return {
    ...service,
    /** The address of the sandbox, for tests that change it without the service. */
    redcapUrl: sandbox.url,
    /** The project of the sandbox, without the limits of a user's rights. */
    project: sandbox.project,
    send,
    close: async () => {
      await service.close();
      await sandbox.close();
    },
  };
}

export type StudyService = Awaited<ReturnType<typeof startStudyService>>;

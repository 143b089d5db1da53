import type { CreateAppOptions } from '../../src/app/create-app-options.js';
import type { AuthServiceConfig } from '../../src/services/auth/auth-settings.js';
import { startAuth, type TestAuth } from './start-auth.js';
import { SignInClient } from './sign-in-client.js';
import { startService, type TestService } from './start-service.js';

/** The service over HTTP with a simulated identity backend and clock. */
export interface ServiceWithAuth {
  readonly auth: TestAuth;
  readonly service: TestService;
  /** Returns a browser without cookies. */
  browser(): SignInClient;
  /** Returns a browser in which the user `<id>@example.org` has signed in with a link. */
  signedIn(id: string): Promise<SignInClient>;
  /** Advances the time. */
  travel(milliseconds: number): void;
  close(): Promise<void>;
}

export async function startServiceWithAuth(
  overrides: Partial<AuthServiceConfig> = {},
  options: Partial<CreateAppOptions> = {},
): Promise<ServiceWithAuth> {
  const auth = await startAuth(overrides);
  const service = await startService({
    auth: { service: auth.service, trustedOrigins: ['https://app.example.org'] },
    ...options,
  });
  let links = 0;
  const browser = () => new SignInClient(service.url);
  return {
    auth,
    service,
    browser,
    signedIn: async (id) => {
      const client = browser();
      links += 1;
      await client.send(`/login?userId=${id}&secret=link-${links}`);
      return client;
    },
    travel: (milliseconds) => {
      auth.now = new Date(auth.now.getTime() + milliseconds);
    },
    close: async () => {
      await service.close();
      await auth.server.stop();
    },
  };
}

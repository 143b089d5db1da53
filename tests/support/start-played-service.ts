import type { CreateAppOptions } from '../../src/app/create-app-options.js';
import type { AuthServiceConfig } from '../../src/services/auth/auth-settings.js';
import { playIdentity, type PlayedIdentity } from './play-identity.js';
import { SignInClient } from './sign-in-client.js';
import { startService, type TestService } from './start-service.js';

/** The service over HTTP with a simulated identity backend and clock. */
export interface PlayedService {
  readonly played: PlayedIdentity;
  readonly service: TestService;
  /** Returns a browser without cookies. */
  browser(): SignInClient;
  /** Returns a browser in which the user `<id>@example.org` has signed in with a link. */
  signedIn(id: string): Promise<SignInClient>;
  /** Advances the time. */
  travel(milliseconds: number): void;
  close(): Promise<void>;
}

export async function startPlayedService(
  overrides: Partial<AuthServiceConfig> = {},
  options: Partial<CreateAppOptions> = {},
): Promise<PlayedService> {
  const played = await playIdentity(overrides);
  const service = await startService({
    auth: { service: played.auth, trustedOrigins: ['https://app.example.org'] },
    ...options,
  });
  let links = 0;
  const browser = () => new SignInClient(service.url);
  return {
    played,
    service,
    browser,
    signedIn: async (id) => {
      const client = browser();
      links += 1;
      await client.send(`/login?userId=${id}&secret=link-${links}`);
      return client;
    },
    travel: (milliseconds) => {
      played.now = new Date(played.now.getTime() + milliseconds);
    },
    close: async () => {
      await service.close();
      await played.server.stop();
    },
  };
}

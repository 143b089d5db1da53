import { expect } from 'chai';
import {
  startAppwriteSandbox,
  type AppwriteSandbox,
} from '../../../src/sandbox/appwrite/appwrite-sandbox.js';
import { encodeSessionSecret } from '../../../src/sandbox/appwrite/identity-caller.js';
import type { RunningServer } from '../../../src/server/start-server.js';
import { SignInClient } from '../../support/sign-in-client.js';
import { startWholeService } from '../../support/start-whole-service.js';
import { until } from '../../support/until.js';

const ADA = 'ada@example.org';
const ME = '/api/v1/auth/me';

describe('An account that somebody has registered at Appwrite for the address of another person', () => {
  let appwrite: AppwriteSandbox;
  let service: RunningServer;
  let ada: SignInClient;
  let planted: string;

  beforeEach(async () => {
    appwrite = await startAppwriteSandbox();
    service = await startWholeService({
      APPWRITE_ENDPOINT: appwrite.endpoint,
      APPWRITE_PROJECT_ID: appwrite.projectId,
      APPWRITE_API_KEY: appwrite.apiKey,
      LOGIN_URL: 'http://localhost/login',
      ALLOWED_DOMAINS_REGEXP: 'example\\.org',
      ALLOW_ANONYMOUS: 'false',
    });
    ada = new SignInClient(service.url);
    planted = openSessionElsewhere();
  });
  afterEach(async () => {
    await service.stop();
    await appwrite.close();
  });

  /** Opens a session that this service knows nothing of, as a password would. @returns its secret */
  function openSessionElsewhere(): string {
    const { id } = appwrite.store.addUser('planted', ADA);
    return encodeSessionSecret(id, appwrite.store.addSession(id, '').secret);
  }

  /** What the holder of that session is answered, in whatever cookie or header the secret is sent. */
  async function answersToHolder(): Promise<number[]> {
    const names = ['crf_session', '__Host-crf_session', `a_session_${appwrite.projectId}`];
    const cookies = names.map((name) => ({ cookie: `${name}=${encodeURIComponent(planted)}` }));
    const all = [...cookies, { authorization: `Bearer ${planted}` }, { 'x-appwrite-session': planted }];
    return Promise.all(all.map(async (headers) => (await fetch(service.url + ME, { headers })).status));
  }

  async function signIn(): Promise<void> {
    const mails = appwrite.mails.length;
    expect((await ada.post('/api/v1/auth/signup', { email: ADA })).status).to.equal(200);
    const { link } = await until(() => appwrite.mails[mails]);
    const { pathname, search } = new URL(link);
    expect(await ada.status(pathname + search)).to.equal(302);
  }

  it('LOGIN-14: grants no access here, neither before nor after the address is proved', async () => {
    expect(new Set(await answersToHolder())).to.deep.equal(new Set([401]));
    await signIn();

    expect(await ada.status(ME)).to.equal(200);
    expect(new Set(await answersToHolder())).to.deep.equal(new Set([401]));
  });

  it('LOGIN-14: shows its older sessions to the person, who can end them', async () => {
    await signIn();
    const list = async () =>
      (
        (await (await ada.send('/api/v1/auth/sessions')).json()) as {
          data: { id: string; isCurrent: boolean }[];
        }
      ).data;
    const older = (await list()).find(({ isCurrent }) => !isCurrent);

    expect(older).to.not.equal(undefined);
    const ended = await ada.send(`/api/v1/auth/sessions/${older?.id}`, {
      method: 'DELETE',
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    expect(ended.status).to.equal(200);
    expect(await list()).to.have.length(1);
    expect(appwrite.store.sessionsOf('planted')).to.have.length(1);
  });
});

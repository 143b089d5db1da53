import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { startServiceWithAuth, type ServiceWithAuth } from '../../support/start-service-with-auth.js';
import { PREFIX } from '../../support/start-service.js';

/** The name of each field of the file in the inventory. */
const WORDS: Readonly<Record<string, string>> = {
  email: 'email address',
  isEmailVerified: 'whether it is verified',
  isEnabled: 'the account enabled',
  authenticatedAt: 'of this session alone',
  isCurrent: 'of this session alone',
  createdAt: 'beginning',
  expiresAt: 'end',
  device: 'device',
  country: 'country',
};

describe("A person's own data", () => {
  let running: ServiceWithAuth;
  beforeEach(async () => {
    running = await startServiceWithAuth();
  });
  afterEach(() => running.close());

  it('ACCT-05: is a file with everything in the inventory that Appwrite stores, without secrets', async () => {
    const ada = await running.signedIn('ada');

    const answer = await ada.send('/dashboard/my-data');
    const text = await answer.text();
    const data = JSON.parse(text) as { account: object; sessions: object[] };

    expect(answer.headers.get('content-disposition')).to.include('attachment');
    expect(answer.headers.get('cache-control')).to.equal('no-store');
    expect(data.account).to.include({
      ...{ id: 'ada', email: 'ada@example.org' },
      ...{ isEnabled: true, isEmailVerified: true },
    });
    expect(data.sessions).to.have.length(2);
    expect(data.sessions[0]).to.have.all.keys(
      'id',
      'isCurrent',
      'createdAt',
      'expiresAt',
      'device',
      'country',
    );
    expect(text).to.not.include('c0ffee');
  });

  it('ACCT-04, ACCT-05: has a field for exactly the data in the inventory that Appwrite stores', async () => {
    const inventory = readFileSync(new URL('../../../docs/personal-data.md', import.meta.url), 'utf8');
    const kept = inventory
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .filter((cells) => cells[2] === 'Appwrite')
      .flatMap(([, what = '']) => what.replace('Sessions: ', '').split(/, | and /));
    const ada = await running.signedIn('ada');
    const data = (await (await ada.send('/dashboard/my-data')).json()) as {
      account: object;
      sessions: object[];
    };
    const words = [
      ...Object.keys(data.account).map((name) => (name === 'id' ? 'User id' : WORDS[name])),
      ...Object.keys(data.sessions[0] ?? {}).map((name) => (name === 'id' ? 'id' : WORDS[name])),
    ];

    expect(words.filter((word) => word !== 'of this session alone')).to.have.members(kept);
  });

  it('ACCT-05: is refused without a session', async () => {
    const answer = await running.browser().send('/dashboard/my-data');

    expect([answer.status, answer.headers.get('location')]).to.deep.equal([303, `${PREFIX}/login`]);
  });
});

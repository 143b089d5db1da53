import { expect } from 'chai';
import { startPlayedService, type PlayedService } from '../../support/start-played-service.js';

describe('A person’s own data', () => {
  let running: PlayedService;
  beforeEach(async () => {
    running = await startPlayedService();
  });
  afterEach(() => running.close());

  it('ACCT-05: is a file with everything that the inventory says Appwrite keeps, and no secret', async () => {
    const ada = await running.signedIn('ada');

    const answer = await ada.send('/dashboard/my-data');
    const text = await answer.text();
    const data = JSON.parse(text) as { account: object; sessions: object[] };

    expect(answer.headers.get('content-disposition')).to.include('attachment');
    expect(answer.headers.get('cache-control')).to.equal('no-store');
    expect(data.account).to.include({ id: 'ada', email: 'ada@example.org' });
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

  it('ACCT-05: is for nobody without a session', async () => {
    const answer = await running.browser().send('/dashboard/my-data');

    expect([answer.status, answer.headers.get('location')]).to.deep.equal([303, '/login']);
  });
});

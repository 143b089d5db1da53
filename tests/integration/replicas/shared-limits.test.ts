import { expect } from 'chai';
import { describeWith } from '../../support/needed-programs.js';
import { until } from '../../support/until.js';
import { as, importOf, ReplicaSet, type Answer } from './replica-set.js';

const CALLS_PER_MINUTE = 300;

/** Counts the answers by status. */
function tally(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function times<Result>(count: number, make: (index: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => make(index)));
}

describeWith(['redis', 'nginx', 'openssl'], 'Three replicas behind nginx', function () {
  this.timeout(120_000);
  let set: ReplicaSet;

  before(async () => {
    set = await ReplicaSet.start(['reader', 'writer', 'other'], {
      API_CALLS_PER_MINUTE: String(CALLS_PER_MINUTE),
      API_FAILED_AUTH_PER_MINUTE: '40',
    });
  });
  after(() => set.dispose());

  it('SHARE-01, RATE-01: allow a caller as many calls as a single replica would', async () => {
    const answers = await times(CALLS_PER_MINUTE + 60, () =>
      set.send('/api/v1/project/version', { headers: as('reader') }),
    );

    expect(tally(answers)).to.deep.equal({ 200: CALLS_PER_MINUTE, 429: 60 });
  });

  it('SHARE-01, RATE-01: count wrong credentials together', async () => {
    const answers = await times(60, () =>
      set.send('/api/v1/project/version', { headers: as('nobody'), from: '127.0.0.9' }),
    );

    expect(tally(answers)).to.deep.equal({ 401: 40, 429: 20 });
  });

  it('SHARE-01, UP-07: store 200 concurrent imports with one key once', async () => {
    const { path, sent } = importOf('one-of-200', 'one-of-200', 'writer');

    const answers = await times(200, () => set.send(path, sent));

    const stored = answers.filter(({ status }) => status === 200);
    expect(stored).to.not.have.lengthOf(0);
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).to.deep.equal([]);
    expect(new Set(stored.map(({ text }) => text)).size).to.equal(1);
    expect(marksOf(set)).to.have.property('one-of-200', 1);

    // A client that was told that the import is running asks again, and gets the first outcome.
    const again = await times(3, (index) => set.sendTo(index, path, sent));
    expect(again.map(({ status, text }) => [status, text])).to.deep.equal(
      again.map(() => [200, stored[0]?.text]),
    );
    expect(marksOf(set)).to.have.property('one-of-200', 1);
  });

  it('UP-07: refuse another body with a key that another replica has seen', async () => {
    const first = importOf('first', 'same-key', 'writer');
    const second = importOf('second', 'same-key', 'writer');
    expect((await set.sendTo(0, first.path, first.sent)).status).to.equal(200);

    expect((await set.sendTo(1, second.path, second.sent)).status).to.equal(422);
  });

  it('SHARE-01, LOGIN-05: make one session of a link, however many clients open it at once', async () => {
    const link = await linkFor(set, 'ada@example.org', '127.0.0.11');

    const answers = await times(40, (index) => set.send(link, { from: `127.0.1.${index + 1}` }));

    expect(tally(answers)).to.deep.equal({ 302: 1, 401: 39 });
    const cookie = cookieOf(answers.find(({ status }) => status === 302));
    // Every replica accepts the session until it is ended at one of them.
    const me = (index: number): Promise<Answer> =>
      set.sendTo(index, '/api/v1/auth/me', { headers: { cookie } });
    expect(tally(await times(3, me))).to.deep.equal({ 200: 3 });
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    expect((await set.sendTo(0, '/api/v1/auth/logout', { method: 'POST', headers })).status).to.be.oneOf([
      200, 204,
    ]);
    expect(tally(await times(3, me))).to.deep.equal({ 401: 3 });
  });

  it('SHARE-01, RATE-01: mail an address one link a minute', async () => {
    const ask = (index: number): Promise<Answer> =>
      set.sendTo(index % 3, '/api/v1/auth/signup', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.0.0.${index}` },
        body: JSON.stringify({ email: 'grace@example.org' }),
      });

    expect(tally(await times(6, ask))).to.deep.equal({ 200: 1, 429: 5 });
    expect(set.appwrite.mails.filter(({ to }) => to === 'grace@example.org')).to.have.lengthOf(1);
  });

  it('SHARE-01: read immediately what another replica has written', async () => {
    for (let round = 0; round < 5; round += 1) {
      const sent = {
        method: 'PATCH',
        headers: as('other', { 'content-type': 'application/json' }),
        body: JSON.stringify({ title: `Round ${round}` }),
      } as const;
      expect((await set.sendTo(0, '/api/v1/project/info', sent)).status).to.equal(200);
      const before = set.upstream.requests.length;
      const first = await set.sendTo(1, '/api/v1/project/info', { headers: as('other') });
      await set.sendTo(1, '/api/v1/project/info', { headers: as('other') });
      const asked = set.upstream.requests
        .slice(before)
        .filter(({ form }) => form.get('content') === 'project');
      expect(first.text).to.include(`Round ${round}`);
      expect(asked, 'what was asked is remembered').to.have.lengthOf(1);
    }
  });
});

describeWith(['redis', 'nginx', 'openssl'], 'Three replicas in front of a REDCap that counts', function () {
  this.timeout(120_000);
  let set: ReplicaSet;

  before(async () => {
    set = await ReplicaSet.start(['reader', 'other'], { CAPTURE_CALLS_PER_MINUTE: '100' });
  });
  after(() => set.dispose());

  it('SHARE-01, UP-05: call REDCap together no more often than one may', async () => {
    const calls = () => set.upstream.requests.filter(({ form }) => form.get('content') === 'record').length;

    const answers = await times(200, (index) =>
      set.send('/api/v1/records?limit=1&fields=record_id', { headers: as(index % 2 ? 'reader' : 'other') }),
    );

    const { 200: good = 0, 503: refused = 0 } = tally(answers);
    expect(good + refused).to.equal(200);
    expect(good).to.be.within(60, 100);
    expect(calls()).to.be.at.most(100);
    expect(
      set.upstream.requests.filter(({ form }) => form.get('content') !== 'version').length,
    ).to.be.at.most(100);
  });
});

function marksOf({ redcap }: ReplicaSet): Record<string, number> {
  const marks: Record<string, number> = {};
  for (const { rows } of redcap.project.records.inOrder()) {
    for (const { values } of rows) {
      const mark = values.get('last_name');
      if (mark !== undefined) marks[mark] = (marks[mark] ?? 0) + 1;
    }
  }
  return marks;
}

/** Requests a link, and returns its path and query. */
async function linkFor(set: ReplicaSet, email: string, from: string): Promise<string> {
  const answer = await set.send('/api/v1/auth/signup', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
    from,
  });
  expect(answer.status).to.equal(200);
  const mail = await until(() => set.appwrite.mails.find(({ to }) => to === email));
  const { pathname, search } = new URL(mail.link);
  return pathname + search;
}

function cookieOf(answer: Answer | undefined): string {
  const [line = ''] = answer?.headers['set-cookie'] ?? [];
  return line.split(';')[0] ?? '';
}

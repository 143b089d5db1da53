import { expect } from 'chai';
import { loadSettings } from '../../../src/server/config/settings.js';
import { connectSharedState } from '../../../src/server/connect-shared-state.js';
import { describeWith } from '../../support/needed-programs.js';
import { RedisServer } from '../../support/redis-server.js';
import { until } from '../../support/until.js';

/** What was logged: the level, the message and the fields beside it. */
type Entry = readonly [level: 'info' | 'warn', message: string, fields: unknown];

describeWith(['redis'], 'The log of the shared state', () => {
  let redis: RedisServer;
  let log: Entry[];

  beforeEach(async () => {
    redis = await RedisServer.start();
    log = [];
  });
  afterEach(() => redis.dispose());

  async function connect() {
    const write = (level: Entry[0]) => (fields: unknown, message?: string) =>
      void log.push([level, message ?? '', fields]);
    const settings = loadSettings({
      REDIS_URL: redis.url,
      CAPTURE_API_URL: 'https://redcap.example.org/api/',
      CAPTURE_API_TOKEN: 'A'.repeat(32),
    });
    const shared = await connectSharedState(settings, undefined, {
      info: write('info'),
      warn: write('warn'),
    });
    if (shared === undefined) throw new Error('REDIS_URL was set.');
    return shared;
  }

  it('SHARE-02: gives the reason when Redis goes away, and says when it is back', async () => {
    const shared = await connect();
    try {
      expect(log.at(-1)).to.deep.equal(['info', 'the shared state answers', { outages: 0 }]);
      await redis.stop();
      const [level, message, fields] = await until(() => log.find(([each]) => each === 'warn'));
      expect([level, message]).to.deep.equal(['warn', 'the shared state is away']);
      expect(fields).to.have.property('outages', 1);
      expect(fields).to.have.property('reason').that.is.a('string').and.is.not.empty;

      await redis.startAgain();
      await until(() => log.at(-1)?.[0] === 'info');
      expect(log.at(-1)).to.deep.equal(['info', 'the shared state answers', { outages: 1 }]);
    } finally {
      await shared.close();
    }
  });

  it('SHARE-02: gives the reason if Redis is away at the start, which it does not prevent', async () => {
    await redis.stop();
    const shared = await connect();
    try {
      expect(log[0]?.slice(0, 2)).to.deep.equal(['warn', 'the shared state is away']);
      expect(log[0]?.[2]).to.have.property('reason').that.is.a('string').and.is.not.empty;
    } finally {
      await shared.close();
    }
  });
});

import { expect } from 'chai';
import { Writable } from 'node:stream';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { createLogger } from '../../../src/server/logging/logger.js';
import { createDemoStudy } from '../../../src/sandbox/demo-study/demo-study.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { startService } from '../../support/start-service.js';

const TOKEN = '5E471E15E471E15E471E15E471E15E47'; // Hexadecimal and unlikely to occur by chance.
const VALUE = 'SENTINEL-9d3f';
const RECORD = `COHORT-${VALUE}-000000000`;

/** A study whose only token and only record are sentinels. */
function sentinelStudy() {
  const study = createDemoStudy({ participants: 2 });
  const [manager, ...others] = study.users;
  return {
    ...study,
    users: [...(manager ? [{ ...manager, token: TOKEN }] : []), ...others],
    rows: [
      ...study.rows,
      {
        record_id: RECORD,
        first_name: VALUE,
        clinical_notes: VALUE,
        email: `${VALUE}@example.org`,
        userid: VALUE,
      },
    ],
  };
}

describe('The token, addresses and record values', () => {
  it('LOG-01: appear in no log line at any level, and in no error', async () => {
    const lines: string[] = [];
    const destination = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(chunk.toString());
        done();
      },
    });
    const logger = await createLogger({ level: 'trace', destination });
    const sandbox = await startTestSandbox(sentinelStudy());
    const good = createCrfClient({ url: sandbox.url, token: TOKEN });
    const broken = createCrfClient({ url: sandbox.url, token: TOKEN.replace('5', '6') });
    const service = await startService({ capture: good, logger });
    const refused = await startService({ capture: broken, logger });
    const errors: string[] = [];
    const call = async (base: typeof service, path: string, init: RequestInit = {}): Promise<void> => {
      const answer = await fetch(base.url + path, {
        ...init,
        headers: {
          ...(init.headers as Record<string, string>),
          authorization: base.authorization,
          cookie: `a=${VALUE}`,
          'user-agent': VALUE,
        },
      });
      const text = await answer.text();
      if (!answer.ok) errors.push(text);
    };
    const json = (body: unknown): RequestInit => ({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

    for (const base of [service, refused]) {
      await call(base, '/api/v1/project/version');
      await call(base, `/api/v1/people/${VALUE}@example.org`);
      await call(base, `/api/v1/people/${VALUE}`);
      await call(base, `/api/v1/records?records=${RECORD}`);
      await call(base, `/api/v1/records?filterLogic=${encodeURIComponent(`[first_name]='${VALUE}'`)}`);
      await call(base, `/api/v1/records?filterLogic=${encodeURIComponent(`[nothing]='${VALUE}'`)}`);
      await call(base, `/api/v1/records?fields=${VALUE}`);
      await call(base, `/${VALUE}?${VALUE}=${TOKEN}`);
      await call(
        base,
        '/api/v1/records',
        json({ records: [{ record_id: 'COHORT-2026-PARTICIPANT-0001', age: VALUE, sex: VALUE }] }),
      );
      await call(
        base,
        '/api/v1/records',
        json({ records: [{ record_id: 'COHORT-2026-PARTICIPANT-0001', first_name: VALUE }] }),
      );
      await call(base, '/api/v1/records', json({ records: VALUE }));
      await call(base, '/api/v1/records', {
        method: 'POST',
        headers: { 'content-type': 'text/csv' },
        body: `record_id,age\n"${VALUE}`,
      });
    }
    await Promise.all([service.close(), refused.close()]);
    await sandbox.close();

    expect(errors.length).to.be.greaterThan(12);
    expect(lines.length).to.be.greaterThan(20);
    for (const text of [...lines, ...errors]) {
      expect(text).to.not.include(TOKEN).and.to.not.include(VALUE);
      expect(text).to.not.include(VALUE.toLowerCase());
    }
  });
});

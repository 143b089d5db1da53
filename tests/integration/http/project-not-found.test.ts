import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { mock } from 'node:test';
import { expect } from 'chai';
import { createApp } from '../../../src/app/app.js';
import { createHttpServer } from '../../../src/http/http-server.js';
import { SCOPES } from '../../../src/domain/identifiers/scope.js';
import { startMemoryAudit } from '../../support/memory-audit.js';
import { startSandboxClient } from '../../support/sandbox-client.js';
import { SignInClient } from '../../support/sign-in-client.js';
import { startAuth } from '../../support/start-auth.js';
import { closeServer, keyWith, listen } from '../../support/start-service.js';
import { classicStudy } from '../../support/studies.js';

/** What takes time in an answer: hashes, names of projects that are compared, calls to REDCap, lines of logs. */
type Work = Readonly<Record<'hashes' | 'names' | 'calls' | 'lines', number>>;

describe('A project that is not the caller’s', () => {
  afterEach(() => {
    mock.restoreAll();
    syncBuiltinESMExports();
  });

  it('PROJ-02: takes as much work to refuse as one that does not exist', async () => {
    const counts = { hashes: 0, names: 0, calls: 0, lines: 0 };
    const counted = <Value extends object>(value: Value, what: keyof typeof counts): Value =>
      new Proxy(value, {
        get: (target, name, receiver) => {
          counts[what] += 1;
          return Reflect.get(target, name, receiver) as unknown;
        },
      });
    const grant = (email: string, projects: readonly string[]) => ({
      email,
      projects: counted(projects, 'names'),
      scopes: SCOPES,
    });
    const [study, service, ofCohort, auth] = await Promise.all([
      startSandboxClient(classicStudy()),
      startMemoryAudit(),
      startMemoryAudit(),
      startAuth(),
    ]);
    const key = keyWith(...SCOPES);
    const others = Array.from({ length: 20 }, (_, at) =>
      at < 10 ? grant(`p${at}@*`, ['cohort']) : grant('joan@*', ['trial']),
    );
    const app = createApp({
      access: {
        apiKeys: [{ ...key.apiKey, projects: counted(['trial'], 'names') }],
        sessions: [...others, grant('joan@example.org', ['trial'])],
      },
      auth: { service: auth.service, trustedOrigins: ['https://app.example.org'] },
      audit: service.audit,
      projects: {
        cohort: { capture: counted(study.client, 'calls'), audit: ofCohort.audit },
        trial: { capture: study.client },
      },
    });
    const server = createHttpServer(app);
    const url = await listen(server);
    const joan = new SignInClient(url);
    await joan.send('/login?userId=joan&secret=link-1');
    for (const name of ['createHash', 'createHmac', 'timingSafeEqual', 'hkdfSync'] as const)
      mock.method(crypto, name, counting(crypto[name] as (...given: never[]) => unknown));
    syncBuiltinESMExports();

    /** What an answer took. The first of its kind is not counted: it may fill caches. */
    const workOf = async (send: () => Promise<Response>): Promise<Work> => {
      await (await send()).arrayBuffer();
      await service.audit.settled();
      const before = { ...counts, lines: service.log.lines.length + ofCohort.log.lines.length };
      const answer = await send();
      expect(answer.status).to.equal(404);
      await answer.arrayBuffer();
      await service.audit.settled();
      const after = { ...counts, lines: service.log.lines.length + ofCohort.log.lines.length };
      const names = Object.keys(after) as (keyof Work)[];
      return Object.fromEntries(names.map((name) => [name, after[name] - before[name]])) as Work;
    };
    function counting<Given extends never[]>(real: (...given: Given) => unknown) {
      return (...given: Given) => {
        counts.hashes += 1;
        return real(...given);
      };
    }

    try {
      const headers = { authorization: key.authorization };
      for (const path of ['/api/v1/records/A-1', '/api/v1/project/info', '/dashboard'])
        for (const [who, send] of [
          ['key', (at: string) => fetch(url + at, { headers })],
          ['person', (at: string) => joan.send(at)],
        ] as const) {
          if (who === 'key' && path === '/dashboard') continue;
          const theirs = await workOf(() => send(`/projects/cohort${path}`));
          const none = await workOf(() => send(`/projects/nobody${path}`));

          expect(theirs, `${who} at ${path}`).to.deep.equal(none);
          expect(theirs.hashes, `${who} at ${path}`).to.be.above(0);
          expect(theirs.calls).to.equal(0);
          expect(theirs.names).to.be.above(0);
        }
    } finally {
      await closeServer(server);
      await Promise.all([study.close(), auth.server.stop()]);
    }
  });
});

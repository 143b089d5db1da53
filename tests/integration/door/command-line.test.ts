import { expect } from 'chai';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../../../src/sandbox.js';
import { SCOPES } from '../../../src/domain/identifiers/scope.js';
import type { RunningServer } from '../../../src/server/start-server.js';
import { createRedcapKey, hashApiKey } from '../../../src/services/access/api-key.js';
import { runCrf } from '../../support/run-crf.js';
import { startWholeService } from '../../support/start-whole-service.js';

const POLICY = new URL('../../../examples/rights/policy.yaml', import.meta.url).pathname;
/** The day to which the lock of the policy in the examples belongs. */
const UNTIL = '2026-11-03';
const [FIRST, FOURTH] = ['TRIAL-2026-PARTICIPANT-0001', 'TRIAL-2026-PARTICIPANT-0004'];

const keys = { all: createRedcapKey(), stats: createRedcapKey(), 'monitor-le-havre': createRedcapKey() };
const scopesOf = (name: string) => (name === 'all' ? SCOPES : ['records:read', 'log:read']).join('+');
const entries = Object.entries(keys)
  .map(([name, key]) => `${name}:${hashApiKey(key)}:${scopesOf(name)}`)
  .join();

interface Place {
  readonly url: string;
  readonly token: string;
}
const at = ({ url, token }: Place) => ({ CAPTURE_API_URL: url, CAPTURE_API_TOKEN: token });

/** The service in front of a sandbox, and the command line as a client of both. */
async function startBoth(study: 'classic' | 'longitudinal', policyFile?: string) {
  const sandbox = await startSandbox({ study, until: UNTIL });
  const server = await startWholeService({
    ...at(sandbox),
    API_KEYS: entries,
    ...(policyFile !== undefined && { POLICY_FILE: policyFile }),
  });
  const ofKey = (name: keyof typeof keys): Place => ({ url: `${server.url}/api/`, token: keys[name] });
  return { sandbox, server, ofKey };
}

describe("The command line as a client of the service's own REDCap API", function () {
  this.timeout(180_000);
  let folder: string;
  let sandbox: Sandbox;
  let server: RunningServer;
  let ofKey: (name: keyof typeof keys) => Place;
  const crf = (place: Place, ...args: readonly string[]) =>
    runCrf(args, { environment: at(place), cwd: folder });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'crf-door-'));
  });
  after(() => rm(folder, { recursive: true }));

  for (const study of ['classic', 'longitudinal'] as const)
    describe(`of the ${study} study, with a key without a policy`, () => {
      const [record, event, instrument, field] =
        study === 'classic'
          ? ['COHORT-2026-PARTICIPANT-0001', '', 'laboratory', 'hemoglobin']
          : [FIRST, 'enrolment_arm_2', 'vitals', 'weight_kg'];
      const file = `${study}.csv`;
      before(async () => {
        ({ sandbox, server, ofKey } = await startBoth(study));
        const [column, value] = event === '' ? ['', ''] : [',redcap_event_name', `,${event}`];
        await writeFile(join(folder, file), `record_id${column},${field}\n${record}${value},61.5\n`);
      });
      after(async () => {
        await server.stop();
        await sandbox.close();
      });

      it('says what it says of REDCap itself', async () => {
        for (const args of [
          ['fields', '--csv'],
          ['users', '--json'],
          ['export', '--format', 'json'],
          ['export', '--format', 'csv', '--fields', `record_id,${field}`, '--filter-logic', `[${field}] > 6`],
          ['export', '--format', 'csv', '--type', 'eav', '--records', record],
          ['export', '--instrument', instrument, '--values', 'typed'],
          ['import', file, '--dry-run', '--diff'],
          ['people', study === 'classic' ? 'ada.lovelace@example.org' : 'marta.vanderberg.2@example.org'],
          ['quality', '--format', 'csv'],
        ]) {
          const [direct, through] = [await crf(sandbox, ...args), await crf(ofKey('all'), ...args)];
          expect(through.stdout, args.join(' ')).to.equal(direct.stdout);
          expect([through.exitCode, direct.exitCode], args.join(' ')).to.deep.equal([0, 0]);
        }
      });

      it('checks, stores, and keeps a copy', async () => {
        const place = ofKey('all');
        const check = await crf(place, 'check');
        expect(check.exitCode, check.stdout + check.stderr).to.equal(0);
        const copied = await crf(place, 'sync', '--to', `sqlite:${study}.db`);
        expect(copied).to.include({ exitCode: 0 });

        expect(await crf(place, 'import', file)).to.include({ exitCode: 0 });
        const stored = await crf(
          sandbox,
          'export',
          '--format',
          'csv',
          '--records',
          record,
          '--fields',
          field,
        );
        expect(stored.stdout).to.include('61.5');

        const again = await crf(place, 'sync', '--to', `sqlite:${study}.db`);
        expect(again.stdout + again.stderr).to.match(/^1 change,/m);
      });
    });

  describe('under a policy', () => {
    before(async () => {
      ({ sandbox, server, ofKey } = await startBoth('longitudinal', POLICY));
    });
    after(async () => {
      await server.stop();
      await sandbox.close();
    });

    it('exports the rows and columns of the view', async () => {
      const [monitor, analyst] = [ofKey('monitor-le-havre'), ofKey('stats')];
      const rows = await crf(monitor, 'export', '--format', 'csv', '--fields', 'record_id,age');
      expect(rows.stdout).to.include(FIRST).and.not.include(FOURTH);
      expect((await crf(analyst, 'fields')).stdout)
        .to.include('weight_kg')
        .and.not.include('email');
      const hidden = await crf(analyst, 'export', '--fields', 'email');
      expect(hidden).to.include({ exitCode: 2, stdout: '' });
      expect(hidden.stderr).to.include('email is not a field of this project');
    });

    it('keeps a copy of the view, without the log if it is not granted', async () => {
      const copied = await crf(ofKey('stats'), 'sync', '--to', 'csv:view');
      expect(copied.exitCode, copied.stderr).to.equal(0);
      expect(copied.stderr).to.include('may not read the log');
      const table = await readFile(join(folder, 'view', 'vitals.csv'), 'utf8');
      expect(table).to.include(FOURTH).and.not.include('email');
    });

    it('says what the key lacks, and nothing of the token', async () => {
      await writeFile(
        join(folder, 'in.csv'),
        `record_id,redcap_event_name,weight_kg\n${FIRST},enrolment_arm_2,70.0\n`,
      );
      const refused = await crf(ofKey('stats'), 'import', 'in.csv');
      expect(refused.exitCode).to.equal(3);
      expect(refused.stderr).to.include('The API key lacks the scope records:write.');
      const log = await crf(ofKey('stats'), 'log');
      expect(log.exitCode, log.stdout + log.stderr).to.equal(3);
      expect(log.stderr).to.include('The API key may not do this by its policy.');
    });
  });
});

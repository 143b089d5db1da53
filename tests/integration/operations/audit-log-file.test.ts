import { expect } from 'chai';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { AuditFile } from '../../../src/gateways/audit/audit-file.js';
import { AuditTrail } from '../../../src/services/audit/audit-trail.js';
import { runCrf } from '../../support/run-crf.js';
import { startWholeService } from '../../support/start-whole-service.js';

describe('AUDIT_LOG', () => {
  let folder: string;

  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'audit-log-'))));
  afterEach(() => rm(folder, { recursive: true }));

  it('GW-04: writes to its file at any LOG_LEVEL, and crf audit verify finds it intact', async () => {
    const path = join(folder, 'audit.log');
    const service = await startWholeService({ LOG_LEVEL: 'silent', AUDIT_LOG: `file:${path}` });
    await request(service.url).get('/api/v1/records?limit=1');
    await service.stop();

    const events = (await readFile(path, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).event);
    expect(events).to.deep.equal(['service.started', 'call.begun', 'call.ended', 'service.stopped']);

    const { exitCode, stdout } = await runCrf(['audit', 'verify', path]);
    expect(stdout).to.match(/^4 lines, intact\. The last is 4, [0-9a-f]{64}\n$/);
    expect(exitCode).to.equal(0);
  });

  it('CLI-01: calls the line that a crash cut unfinished, with exit code 0, and an altered one altered, with 1', async () => {
    const path = join(folder, 'audit.log');
    const trail = new AuditTrail(new AuditFile(path));
    await trail.start();
    await trail.close();
    const [first = '', second = ''] = (await readFile(path, 'utf8')).split('\n');

    await writeFile(path, `${first}\n${second.slice(0, -20)}`);
    const cut = await runCrf(['audit', 'verify', path]);
    await writeFile(path, `${first}\n${second.replace('stopped', 'started')}`);
    const altered = await runCrf(['audit', 'verify', path]);

    expect(cut).to.include({ exitCode: 0, stderr: '' });
    expect(cut.stdout).to.match(
      /^Unfinished last line, as a crash leaves: nothing was confirmed for what it says\.\n1 line, intact\. The last is 1, /,
    );
    expect(altered).to.include({
      exitCode: 1,
      stdout: '',
      stderr: `${path}, line 2, was altered, or is not a line of an audit log.\n`,
    });
  });

  it('prevents the start if it cannot be written', async () => {
    const path = join(folder, 'audit.log');
    await symlink('/dev/full', path);
    const outcome = await startWholeService({ AUDIT_LOG: `file:${path}` }).catch((error: unknown) => error);

    expect(outcome).to.have.property('code', 'invalid_configuration');
  });

  describe('crf audit find', () => {
    const RECORD = 'COHORT-2026-PARTICIPANT-0002';
    const KEY = {
      AUDIT_PSEUDONYM_KEY: 'a key that outlives every token'.replaceAll(' ', '-').padEnd(40, 'x'),
    };
    let path: string;

    beforeEach(async () => {
      path = join(folder, 'audit.log');
      const service = await startWholeService({ LOG_LEVEL: 'silent', AUDIT_LOG: `file:${path}`, ...KEY });
      const client = request(service.url);
      await client.get(`/api/v1/records/${RECORD}`);
      await client.get('/api/v1/records/COHORT-2026-PARTICIPANT-0003');
      await client.get('/api/v1/records?fields=age');
      await client.get('/api/v1/records').query({ filterLogic: '[age] > 1' });
      await client.get('/api/v1/records?batchSize=7');
      await client.get('/api/v1/records?pageSize=1');
      await client.get('/api/v1/records').query({ filterLogic: '[age] > 1000' });
      await client.post('/api/v1/records').send({ records: [{ record_id: RECORD, age: '41' }] });
      await service.stop();
    });

    const find = async (...more: string[]) => {
      const { stdout, stderr, exitCode } = await runCrf(
        ['audit', 'find', '--record', RECORD, '--json', ...more, path],
        { environment: KEY },
      );
      expect(stderr).to.equal('');
      expect(exitCode).to.equal(0);
      const { calls } = JSON.parse(stdout) as { calls: Record<string, string>[] };
      return calls.map(({ operation, concern, outcome }) => `${operation} ${concern} ${outcome}`);
    };

    it('LOG-04: answers who saw or changed a record, exactly where the log names records, honestly elsewhere', async () => {
      expect(await find()).to.deep.equal([
        'GetRecord named ok',
        'ExportRecords project ok',
        'ExportRecords filter ok',
        'ExportRecords named ok',
        'ImportRecords named ok',
      ]);
    });

    it('LOG-04: takes the days that are asked for', async () => {
      const today = new Date().toISOString().slice(0, 10);

      expect(await find('--until', '2026-01-01')).to.deep.equal([]);
      expect(await find('--from', '2099-01-01')).to.deep.equal([]);
      expect(await find('--from', today)).to.have.length(5);
    });

    it('CLI-01: takes the key from .env and --env-file, as the other commands do', async () => {
      await writeFile(join(folder, 'other.env'), `AUDIT_PSEUDONYM_KEY=${KEY.AUDIT_PSEUDONYM_KEY}\n`);
      const args = ['audit', 'find', '--record', RECORD, '--env-file', 'other.env', path];
      const { exitCode, stdout } = await runCrf(args, { cwd: folder });

      expect(stdout).to.match(/3 calls named it, 2 may have included it\.\n$/);
      expect(exitCode).to.equal(0);
    });

    it('LOG-04: does not answer no where the log was written with another key', async () => {
      const environment = { AUDIT_PSEUDONYM_KEY: 'another-key'.padEnd(40, 'x') };
      const found = await runCrf(['audit', 'find', '--record', RECORD, path], { environment });

      expect(found.exitCode).to.equal(1);
      expect(found.stdout).to.match(/0 calls named it, 2 may have included it\.\n$/);
      expect(found.stderr).to.match(
        /^5 calls name records by pseudonyms of another key than the one that is set: .* AUDIT_PSEUDONYM_KEY/,
      );
    });

    it('tells people in a table and a sentence, and what is missing', async () => {
      const record = ['audit', 'find', '--record', RECORD];
      const found = await runCrf([...record, path], { environment: KEY });
      const withoutKey = await runCrf([...record, path]);
      const withoutFile = await runCrf([...record, join(folder, 'none.log')], { environment: KEY });
      const wrongDays = await Promise.all(
        ['monday', '2026-02-31', '2026-02-31T08:00:00Z'].map((day) =>
          runCrf([...record, '--from', day, path], { environment: KEY }),
        ),
      );

      const [titles, first] = found.stdout.split('\n').map((line) => line.split(/ {2,}/));
      expect(titles).to.deep.equal([
        'TIME (UTC)',
        'WHO',
        'NETWORK',
        'OPERATION',
        'THE RECORD',
        'OUTCOME',
        'REQUEST',
      ]);
      expect(first?.slice(1, 6)).to.deep.equal(['anonymous', '127.0.0.0/24', 'GetRecord', 'named', 'ok']);
      expect(found.stdout).to.match(/3 calls named it, 2 may have included it\.\n$/);
      expect(found.stdout).to.not.include('COHORT');
      expect(withoutKey).to.include({ exitCode: 2, stdout: '' });
      expect(withoutKey.stderr).to.include('AUDIT_PSEUDONYM_KEY');
      expect(withoutFile).to.include({ exitCode: 2, stdout: '' });
      for (const { stderr } of wrongDays) expect(stderr).to.match(/^--from must be a day/);
    });
  });
});

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

      expect(await find('--to', '2026-01-01')).to.deep.equal([]);
      expect(await find('--from', '2099-01-01')).to.deep.equal([]);
      expect(await find('--from', today)).to.have.length(5);
    });

    it('tells people in a sentence, and what is missing', async () => {
      const record = ['audit', 'find', '--record', RECORD];
      const found = await runCrf([...record, path], { environment: KEY });
      const withoutKey = await runCrf([...record, path]);
      const withoutFile = await runCrf([...record, join(folder, 'none.log')], { environment: KEY });
      const wrongDay = await runCrf([...record, '--from', 'monday', path], { environment: KEY });

      expect(found.stdout).to.match(/anonymous {2}GetRecord {2}named it {2}ok/);
      expect(found.stdout).to.match(/3 calls named it, 2 may have included it\.\n$/);
      expect(found.stdout).to.not.include('COHORT');
      expect(withoutKey).to.include({ exitCode: 2, stdout: '' });
      expect(withoutKey.stderr).to.include('AUDIT_PSEUDONYM_KEY');
      expect(withoutFile).to.include({ exitCode: 2, stdout: '' });
      expect(wrongDay.stderr).to.match(/^--from must be a date/);
    });
  });
});

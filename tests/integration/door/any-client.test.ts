import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SCOPES } from '../../../src/domain/identifiers/scope.js';
import type { RunningServer } from '../../../src/server/start-server.js';
import { createRedcapKey, hashApiKey } from '../../../src/services/access/api-key.js';
import { startWholeService } from '../../support/start-whole-service.js';

/** What docs/any-client.md promises, with the policies of examples/rights. */
describe('Any REDCap client', () => {
  const folder = mkdtempSync(join(tmpdir(), 'crf-door-'));
  const log = join(folder, 'audit.log');
  const [analyst, reader] = [createRedcapKey(), createRedcapKey()];
  let underPolicy: RunningServer;
  let withoutPolicy: RunningServer;

  const call = async (
    server: RunningServer,
    parameters: Readonly<Record<string, string>>,
    path = '/api/',
  ) => {
    const answer = await fetch(server.url + path, { method: 'POST', body: new URLSearchParams(parameters) });
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
  };

  before(async () => {
    const keyOf = (name: string, key: string, scopes: readonly string[]): string =>
      `${name}:${hashApiKey(key)}:${scopes.join('+')}`;
    underPolicy = await startWholeService({
      SANDBOX_STUDY: 'longitudinal',
      POLICY_FILE: 'examples/rights/policy.yaml',
      API_KEYS: keyOf('stats', analyst, SCOPES),
      AUDIT_LOG: `file:${log}`,
      AUDIT_PSEUDONYM_KEY: 'a'.repeat(64),
    });
    withoutPolicy = await startWholeService({
      SANDBOX_STUDY: 'longitudinal',
      API_KEYS: keyOf('nightly', reader, ['records:read']),
    });
  });
  after(async () => {
    await underPolicy.stop();
    await withoutPolicy.stop();
    rmSync(folder, { recursive: true });
  });

  for (const [status, what, parameters] of [
    [400, 'dateRangeBegin', { content: 'record', dateRangeBegin: '2026-01-01 00:00:00' }],
    [400, 'dateRangeEnd', { content: 'record', dateRangeEnd: '2026-01-01 00:00:00' }],
    [400, 'backgroundProcess', { content: 'record', data: '[{"record_id":"1"}]', backgroundProcess: 'true' }],
    [400, 'a filter that reads what is hidden', { content: 'record', filterLogic: '[email] <> ""' }],
    [400, 'a hidden field', { content: 'record', fields: 'email' }],
    [400, 'a content without a route', { content: 'authkey' }],
    [400, 'another group for the token', { content: 'dag', action: 'switch', dag: 'krakow' }],
    [403, 'a change of the design', { content: 'arm', action: 'import', data: '[]' }],
    [403, 'a change of users', { content: 'user', data: '[]' }],
    [403, 'a change of settings', { content: 'project_settings', data: '{}' }],
    [403, 'the project XML', { content: 'project_xml' }],
    [403, 'the file repository', { content: 'fileRepository', action: 'list' }],
    [403, 'a PDF of all records', { content: 'pdf', allRecords: 'true' }],
    [403, 'the log', { content: 'log' }],
    [403, 'a change that is not granted', { content: 'record', data: '[{"record_id":"1","pain":"3"}]' }],
  ] as const) {
    it(`DOOR-03: is answered ${status} under a policy to ${what}`, async () => {
      const answer = await call(underPolicy, { token: analyst, format: 'json', ...parameters });

      expect(answer.status, answer.text).to.equal(status);
      expect(Object.keys(JSON.parse(answer.text) as object)).to.deep.equal(['error']);
    });
  }

  it('DOOR-03: is refused a report in ODM under a policy', async () => {
    const report = { token: analyst, content: 'report', report_id: '1', format: 'odm' };

    expect(await call(underPolicy, report)).to.include({ status: 400, type: 'text/xml; charset=utf-8' });
  });

  for (const content of ['user', 'userRole', 'userDagMapping', 'userRoleMapping']) {
    it(`DOOR-03: finds nobody under a policy in ${content}`, async () => {
      expect(await call(underPolicy, { token: analyst, content, format: 'json' })).to.include({
        status: 200,
        text: '[]',
      });
    });
  }

  for (const content of [
    ...['metadata', 'exportFieldNames', 'instrument', 'project', 'arm', 'event', 'dag', 'formEventMapping'],
    ...['repeatingFormsEvents', 'version'],
  ]) {
    it(`DOOR-02: reads ${content} on its way to records, with records:read alone`, async () => {
      const answer = await call(withoutPolicy, { token: reader, content, format: 'json' });

      expect(answer.status, answer.text).to.equal(200);
    });
  }

  for (const [scopes, parameters] of [
    ['project:read', { content: 'fieldValidation' }],
    ['users:read', { content: 'user' }],
    ['log:read', { content: 'log' }],
    ['records:write', { content: 'record', data: '[]' }],
    ['design:write and design:delete', { content: 'arm', data: '[]', override: '1' }],
    [
      SCOPES.filter((scope) => scope !== 'records:read').join(' and '),
      { content: 'dag', action: 'switch', dag: 'krakow' },
    ],
  ] as const) {
    it(`DOOR-02: needs ${scopes} for ${parameters.content}, ${Object.keys(parameters).join(', ')}`, async () => {
      const answer = await call(withoutPolicy, { token: reader, format: 'json', ...parameters });

      expect(answer.status).to.equal(403);
      expect(JSON.parse(answer.text)).to.deep.equal({
        error: `You do not have permissions to use the API: the key needs the scope ${scopes}`,
      });
    });
  }

  for (const [format, type, text] of [
    ['json', 'application/json', '{"error":"The value of the parameter \\"content\\" is not valid"}'],
    ['csv', 'text/csv', 'ERROR: The value of the parameter "content" is not valid'],
    [
      'xml',
      'text/xml',
      '<?xml version="1.0" encoding="UTF-8" ?><hash><error>The value of the parameter "content" is not valid</error></hash>',
    ],
  ] as const) {
    it(`DOOR-04: gets an error as ${format}, whatever it accepts`, async () => {
      const parameters = { token: analyst, content: 'nothing', format: 'csv', returnFormat: format };

      expect(await call(underPolicy, parameters)).to.deep.equal({
        status: 400,
        type: `${type}; charset=utf-8`,
        text,
      });
    });
  }

  it('DOOR-04: gets no redirect without the slash at the end', async () => {
    expect(await call(underPolicy, { token: analyst, content: 'version' }, '/api')).to.include({
      status: 200,
      text: '16.1.9',
    });
  });

  it('DOOR-01: is refused a token in the address, as any bad token by the audit log', async () => {
    const answer = await call(underPolicy, { content: 'version' }, `/api/?token=${analyst}`);
    await call(underPolicy, { token: analyst, content: 'record' });

    expect(answer).to.include({ status: 403 });
    expect(answer.text).to.include('send it in the body').and.not.include(analyst);
    const entries = readFileSync(log, 'utf8');
    expect(entries).to.not.include(analyst);
    expect(
      entries
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .find(({ event }) => event === 'call.refused'),
    ).to.include({
      door: 'redcap',
      operation: 'CallRedcapApi',
      outcome: 'refused',
      status: 403,
      reason: 'unauthenticated',
    });
  });

  it('DOOR-05: is in the audit log like a call of the REST API', async () => {
    await call(underPolicy, { token: analyst, content: 'record', format: 'csv', fields: 'record_id,bmi' });
    const entries = readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

    expect(entries.at(-1)).to.include({
      event: 'call.ended',
      door: 'redcap',
      operation: 'ExportRecords',
      actor: 'key:stats',
      policy: 'analyst',
      outcome: 'ok',
    });
    expect(JSON.stringify(entries)).to.not.include(analyst);
  });
});

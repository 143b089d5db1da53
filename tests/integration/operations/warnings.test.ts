import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWholeService } from '../../support/start-whole-service.js';

describe('A service with its audit log and its metrics', () => {
  it('answers in every format without a warning of Node', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'warnings-'));
    const service = await startWholeService({
      AUDIT_LOG: `file:${join(folder, 'audit.log')}`,
      ADMIN_PORT: '0',
    });
    const warnings: string[] = [];
    const listen = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', listen);
    try {
      for (const [path, accept] of [
        ['records', 'application/json'],
        ['records', 'text/csv'],
        ['records', 'application/x-ndjson'],
        ['records?batchSize=100', 'application/x-ndjson'],
        ['records?batchSize=100&spreadsheetSafe=true', 'text/csv'],
        ['records?values=typed', 'application/x-ndjson'],
        ['project/xml', 'application/xml'],
      ] as const) {
        const answer = await fetch(`${service.url}/api/v1/${path}`, { headers: { accept } });
        expect([path, answer.status, (await answer.text()).length > 100]).to.deep.equal([path, 200, true]);
      }
    } finally {
      await service.stop();
      process.off('warning', listen);
      await rm(folder, { recursive: true });
    }
    expect(warnings).to.deep.equal([]);
  });
});

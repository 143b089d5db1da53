import { expect } from 'chai';
import { appendFile, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCrf } from '../../../support/run-crf.js';

const POLICY = `version: 1
policies:
  site: { records: { dag: paris }, forms: { base: read } }
  closed: { records: none, forms: { base: read } }
bindings:
  - { key: paris, policy: site }
`;

describe('crf audit find --record', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'crf-audit-'));
    await writeFile(join(folder, 'policy.yaml'), POLICY);
  });
  after(() => rm(folder, { recursive: true }));

  const find = async (...policies: readonly string[]): Promise<string> => {
    const file = join(folder, 'audit.log');
    const lines = policies.flatMap((policy, at) => {
      const call = { requestId: `r${at}`, operation: 'ExportRecords', at: `2026-11-23T10:00:0${at}.000Z` };
      return [
        { event: 'call.begun', ...call, policy, scopes: ['records:read'], what: {} },
        { event: 'call.ended', ...call, outcome: 'ok', what: { rows: 3 } },
      ];
    });
    await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const { stdout } = await runCrf(['audit', 'find', file, '--record', 'ANY-1'], {
      environment: {
        AUDIT_PSEUDONYM_KEY: 'key-of-this-test'.padEnd(40, 'x'),
        POLICY_FILE: join(folder, 'policy.yaml'),
      },
    });
    return stdout;
  };

  it('says of a policy that shows some records that this is not decided, and how often', async () => {
    const printed = await find('site', 'closed', 'site');

    expect(printed.match(/not decided: its policy shows some records/g)).to.have.length(2);
    expect(printed).to.match(
      /0 calls named it, 2 may have included it\.\nOf these, 2 were under a policy with records by dag, own or where: .* is not decided\.\n$/,
    );
  });

  it('leaves out calls under a policy that shows none', async () => {
    expect(await find('closed')).to.equal('0 calls named it, 0 may have included it.\n');
  });
});

describe('crf audit verify, of a log with a line that no text can hold', () => {
  it('counts it as one that cannot be read, and goes on behind it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'crf-audit-'));
    const file = join(folder, 'audit.log');
    await writeFile(file, '');
    await truncate(file, 600 * 1024 * 1024); // more than the longest text; takes no place on the disk
    await appendFile(file, '\n{"no":"entry"}\n');

    const verified = await runCrf(['audit', 'verify', file]);
    await rm(folder, { recursive: true });

    expect(verified.exitCode).to.equal(1);
    expect(verified.stderr).to.equal(
      [1, 2]
        .map((line) => `${file}, line ${line}, was altered, or is not a line of an audit log.\n`)
        .join(''),
    );
  }).timeout(60_000);
});

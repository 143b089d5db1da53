import { expect } from 'chai';
import type { RedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import { runCrf, type CrfOptions } from '../../support/run-crf.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { classicStudy } from '../../support/studies.js';

describe('CSV that crf writes for people', function () {
  this.timeout(60_000);
  let sandbox: RedcapSandbox & { readonly token: string };

  before(async () => {
    const study = classicStudy();
    sandbox = await startTestSandbox({
      ...study,
      instruments: study.instruments.map((each) => ({ ...each, label: '@SUM(1)\u001b[31m' })),
      fields: study.fields.map((each) => ({ ...each, label: `${each.label}\u001b[31m` })),
      groups: [{ uniqueName: 'north', name: '=North', id: 7 }],
      rows: [...study.rows, { id: '=1+1', born: '\u001b[31m', age: '200', sex: '1', base_complete: '0' }],
    });
    sandbox.project.log.add({
      username: '+user',
      kind: 'record_edit',
      action: 'Update record (API) =1+1',
      details: "age = '200'",
      record: '=1+1',
    });
  });

  after(() => sandbox.close());

  const crf = async (args: readonly string[], options: CrfOptions = {}): Promise<string> => {
    const { exitCode, stdout, stderr } = await runCrf([...args], {
      ...options,
      environment: { CAPTURE_API_URL: sandbox.url, CAPTURE_API_TOKEN: sandbox.token },
    });
    expect(exitCode, stderr).to.equal(0);
    return stdout;
  };

  for (const [command, cell] of [
    [['quality', '--format', 'csv'], "'=1+1"],
    [['log', '--csv'], "'=1+1"],
    [['incomplete'], "'=1+1"],
    [['dags', '--csv'], "'=North"],
    [['instruments', '--csv'], "'@SUM(1)"],
  ] as const)
    it(`has no formula from crf ${command.join(' ')}`, async () => {
      const cells = (await crf(command)).split(/[,\n]/);
      expect(cells.some((text) => text.startsWith(cell))).to.equal(true);
      expect(cells.filter((text) => /^[=@+]/.test(text))).to.deep.equal([]);
    });

  it('is what --no-spreadsheet-safe, --format and --limit ask for in crf incomplete and crf quality', async () => {
    for (const command of ['incomplete', 'quality']) {
      const rows = JSON.parse(await crf([command, '--format', 'json'])) as object[];
      const first = await crf([command, '--format', 'ndjson', '--limit', '1']);
      const csv = await crf([command, '--format', 'csv', '--no-spreadsheet-safe']);

      expect(rows).to.have.length.greaterThan(1);
      expect(JSON.parse(first)).to.deep.equal(rows[0]);
      expect(csv.split(/[,\n]/)).to.include('=1+1');
    }
    expect(await crf(['quality', '--limit', '1'], { isTerminal: true })).to.match(/^RECORD.*\n.+\n$/);
    expect(await crf(['quality', '--batch-size', '1'])).to.equal(await crf(['quality']));
  });

  it('is refused where an option has no meaning', async () => {
    const said = async (...args: string[]) => (await runCrf(args)).stderr;

    expect(await said('due', '--json', '--spreadsheet-safe')).to.include(
      '--spreadsheet-safe needs --format csv',
    );
    expect(await said('due', '--limit', '0')).to.include('--limit must be a whole number from 1 to 1000000');
    expect(await said('incomplete', '--by-dag', 'to-do', '--json')).to.include(
      '--by-dag cannot be combined with --json',
    );
    expect(await said('quality', '--json', '--format', 'csv')).to.include(
      '--json cannot be combined with --format',
    );
  });

  it('has no colour on a terminal, and every byte in a pipe', async () => {
    for (const command of [
      ['fields', '--csv'],
      ['instruments', '--csv'],
      ['export', '--format', 'csv'],
    ]) {
      expect(await crf(command, { isTerminal: true })).not.to.include('\u001b');
      expect(await crf(command)).to.include('\u001b[31m');
    }
  });
});

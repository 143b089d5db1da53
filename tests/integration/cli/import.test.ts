import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCrf } from '../../support/run-crf.js';
import { startTestSandbox } from '../../support/start-sandbox.js';

const IDS = ['COHORT-2026-PARTICIPANT-9001', 'COHORT-2026-PARTICIPANT-9002'];
const ROWS = IDS.map((record_id, at) => ({ record_id, age: String(41 + at), first_name: `Zoë "${at}",` }));

/** The same two records in everything that `crf import` reads. */
const FILES = {
  'object.json': JSON.stringify({ records: ROWS }),
  'list.json': JSON.stringify(ROWS, null, 2),
  'marked.json': `\ufeff${JSON.stringify(ROWS)}\n`,
  'lines.ndjson': ROWS.map((row) => `${JSON.stringify(row)}\n`).join(''),
  'lines.jsonl': ROWS.map((row) => JSON.stringify(row)).join('\r\n'),
  'table.csv': ['record_id,age,first_name', ...ROWS.map(toCsv), ''].join('\r\n'),
};

function toCsv({ record_id, age, first_name }: (typeof ROWS)[number]): string {
  return `${record_id},${age},"${first_name.replaceAll('"', '""')}"`;
}

describe('crf import', function () {
  this.timeout(60_000);
  let folder: string;
  let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
  let environment: Record<string, string>;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'crf-import-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  beforeEach(async () => {
    sandbox = await startTestSandbox();
    environment = { CAPTURE_API_URL: sandbox.url, CAPTURE_API_TOKEN: sandbox.token };
  });
  afterEach(() => sandbox.close());

  /** What the project holds of the rows. */
  async function stored(): Promise<unknown> {
    const body = new URLSearchParams({ token: sandbox.token, content: 'record', format: 'json' });
    body.set('records', IDS.join(','));
    body.set('fields', 'record_id,age,first_name');
    const answer = await fetch(sandbox.url, { method: 'POST', body });
    const rows = (await answer.json()) as Record<string, string>[];
    return rows.map(({ record_id, age, first_name }) => ({ record_id, age, first_name }));
  }

  for (const [name, text] of Object.entries(FILES)) {
    const format = /csv$/.test(name) ? 'csv' : /json$/.test(name) && !/nd/.test(name) ? 'json' : 'ndjson';

    it(`stores ${name}`, async () => {
      writeFileSync(join(folder, name), text);

      const { exitCode, stdout, stderr } = await runCrf(['import', join(folder, name)], { environment });

      expect(exitCode, stderr).to.equal(0);
      expect(stdout).to.equal('');
      expect(stderr).to.match(/^Stored 2 records in 1 call in /);
      expect(await stored()).to.deep.equal(ROWS);
    });

    it(`stores ${name} from standard input`, async () => {
      const run = await runCrf(['import', '-', '--format', format], { environment, input: text });

      expect(run.exitCode, run.stderr).to.equal(0);
      expect(await stored()).to.deep.equal(ROWS);
    });
  }

  it('reads back what crf export writes, in each format', async () => {
    for (const format of ['json', 'ndjson', 'csv']) {
      const exported = await runCrf(['export', '--format', format, '--fields', 'record_id,age'], {
        environment,
      });
      const { exitCode, stderr } = await runCrf(['import', '-', '--format', format, '--dry-run'], {
        environment,
        input: exported.stdout,
      });

      expect(exitCode, stderr).to.equal(0);
      expect(stderr).to.include('Valid: 30 records');
    }
  });

  for (const [what, format, input, code] of [
    ['a JSON list that is cut', 'json', FILES['list.json'].slice(0, -3), 1],
    ['an empty JSON list', 'json', '[]', 2],
    ['an NDJSON row that is cut', 'ndjson', FILES['lines.ndjson'].slice(0, -3), 1],
    ['nothing', 'csv', '', 2],
  ] as const) {
    it(`stores nothing of ${what}, and says so`, async () => {
      const { exitCode, stderr } = await runCrf(['import', '-', '--format', format], { environment, input });

      expect(exitCode).to.equal(code);
      expect(stderr).to.include('Nothing was stored.').and.to.not.include('Zoë');
      expect(await stored()).to.deep.equal([]);
    });
  }
});

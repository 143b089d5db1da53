import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCrf } from '../../support/run-crf.js';
import { startTestSandbox } from '../../support/start-sandbox.js';

const IDS = ['COHORT-2026-PARTICIPANT-9001', 'COHORT-2026-PARTICIPANT-9002'];
const ROWS = IDS.map((record_id, at) => ({ record_id, age: String(41 + at), first_name: `Zoë "${at}",` }));

/** The same two records in every format that `crf import` reads. */
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

  /** Returns the stored values of the rows. */
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
      const run = await runCrf(['import', '-', '--format', format], {
        environment,
        cwd: folder,
        input: text,
      });

      expect(run.exitCode, run.stderr).to.equal(0);
      expect(await stored()).to.deep.equal(ROWS);
    });
  }

  for (const format of ['csv', 'ndjson', 'json'] as const)
    it(`IN-24: stores nothing of 1,200 rows of ${format} of which the last is wrong`, async () => {
      const rows = Array.from({ length: 1200 }, (_, at) => ({
        record_id: `COHORT-2026-PARTICIPANT-${90_000 + at}`,
        age: at === 1199 ? 'x' : '40',
      }));
      const lines = rows.map((row) => (format === 'csv' ? Object.values(row).join() : JSON.stringify(row)));
      const input = {
        csv: ['record_id,age', ...lines].join('\n'),
        ndjson: lines.join('\n'),
        json: `[${lines.join(',\n')}]`,
      }[format];
      const before = [...sandbox.project.records.ids];

      const run = await runCrf(['import', '-', '--format', format], { environment, cwd: folder, input });

      expect(run.exitCode).to.equal(1);
      expect(run.stderr).to.include('age must be a whole number').and.include('Nothing was stored.');
      expect(sandbox.project.records.ids).to.deep.equal(before);
    });

  it('imports what crf export writes, in each format', async () => {
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

  it('imports labels where crf export wrote labels, without a change', async () => {
    const exported = await runCrf(
      ['export', '--format', 'csv', '--raw-or-label', 'label', '--export-checkbox-label'],
      {
        environment,
      },
    );
    const args = ['import', '-', '--format', 'csv', '--raw-or-label', 'label', '--dry-run', '--diff'];
    const { exitCode, stdout, stderr } = await runCrf(args, { environment, input: exported.stdout });

    expect(exitCode, stderr).to.equal(0);
    expect(stderr).to.include('Valid: 30 records');
    expect(stdout).to.match(/^Records: 0 new, 0 changed, 30 unchanged/);
  });

  it('names the columns of --raw-or-label-headers label whose label several fields have', async () => {
    const form = ['--format', 'csv', '--raw-or-label', 'label', '--raw-or-label-headers', 'label'];
    // Nothing beside the column tells which of the two it is.
    const exported = await runCrf(['export', ...form, '--fields', 'record_id,weight_kg'], { environment });
    const args = ['import', '-', ...form, '--dry-run'];
    const { exitCode, stderr } = await runCrf(args, { environment, input: exported.stdout });

    expect(exitCode).to.equal(1);
    expect(stderr).to.include(
      'has the label of several fields (weight_kg, visit_weight_kg): write the name of the field there',
    );
  });

  it('refuses --force-auto-number where REDCap does not number the records', async () => {
    const { exitCode, stderr } = await runCrf(['import', '-', '--format', 'csv', '--force-auto-number'], {
      environment,
      cwd: folder,
      input: 'record_id,age\na,40\n',
    });

    expect(exitCode).to.equal(2);
    expect(stderr).to.include('needs a project in which REDCap numbers the records');
    expect(await stored()).to.deep.equal([]);
  });

  for (const [what, format, input, code] of [
    ['a JSON list that is cut', 'json', FILES['list.json'].slice(0, -3), 1],
    ['an empty JSON list', 'json', '[]', 2],
    ['an NDJSON row that is cut', 'ndjson', FILES['lines.ndjson'].slice(0, -3), 1],
    ['nothing', 'csv', '', 2],
  ] as const) {
    it(`stores nothing of ${what}, and reports it`, async () => {
      const { exitCode, stderr } = await runCrf(['import', '-', '--format', format], {
        environment,
        cwd: folder,
        input,
      });

      expect(exitCode).to.equal(code);
      expect(stderr).to.include('Nothing was stored.').and.to.not.include('Zoë');
      expect(await stored()).to.deep.equal([]);
    });
  }
});

describe('crf import, for a faulty file', function () {
  this.timeout(60_000);
  let folder: string;
  let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
  let environment: Record<string, string>;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'crf-import-'));
    sandbox = await startTestSandbox();
    environment = { CAPTURE_API_URL: sandbox.url, CAPTURE_API_TOKEN: sandbox.token };
  });
  after(async () => {
    await sandbox.close();
    rmSync(folder, { recursive: true });
  });

  function run(name: string, content: string | Buffer, ...options: string[]): ReturnType<typeof runCrf> {
    writeFileSync(join(folder, name), content);
    return runCrf(['import', join(folder, name), '--dry-run', ...options], { environment });
  }

  it('names line, record, column, the rule and a suggestion', async () => {
    const rows = [`${IDS[0]};Female;42`, '', `${IDS[1]};2;old`];

    const { exitCode, stderr } = await run('sex.csv', ['record_id;sex;age', ...rows].join('\r\n'));

    expect(exitCode, stderr).to.equal(1);
    expect(stderr).to.match(
      /line 2, COHORT-2026-PARTICIPANT-9001: sex must be one of .*; did you mean "\d" \(Female\)\?/,
    );
    expect(stderr).to.match(/line 4, COHORT-2026-PARTICIPANT-9002: age must be a whole number/);
    expect(stderr).to.not.match(/old|the body/);
  });

  it('reads a CSV as Excel saves it, with a line sep= and with cells that were once used', async () => {
    const text = `\ufeffsep=;\r\nrecord_id;age;;\r\n${IDS[0]};41;;\r\n;;;\r\n${IDS[1]};42;;\r\n;;;\r\n`;

    const { exitCode, stderr } = await run('excel.csv', text);

    expect(exitCode, stderr).to.equal(0);
    expect(stderr).to.match(/^Valid: 2 records, 1 call to REDCap/);
  });

  it('names the line and the column of a value under no name', async () => {
    const { exitCode, stderr } = await run('aside.csv', `record_id,age,,\n${IDS[0]},41,,a note\n`);

    expect(exitCode).to.equal(1);
    expect(stderr).to.include(
      'Record number 1 of the file (line 2) has a value in column 4, to which the header gives no name.',
    );
  });

  it('reads dates in the order of --date-format', async () => {
    const text = `record_id,consent_date\n${IDS[0]},31/12/2026\n`;

    expect((await run('dates.csv', text)).stderr).to.match(/line 2, .*: consent_date must be/);
    const { exitCode, stderr } = await run('dates.csv', text, '--date-format', 'DMY');
    expect(exitCode, stderr).to.equal(0);
  });

  for (const name of ['study.xlsb', 'study.xls', 'study.ods']) {
    it(`says at once that ${name} is a workbook that cannot be read`, async () => {
      const { exitCode, stderr } = await runCrf(['import', name]);

      expect(exitCode).to.equal(2);
      expect(stderr).to.match(
        /^This workbook cannot be imported: save it as \.xlsx, or the sheet as CSV \(UTF-8\)\n/,
      );
    });
  }

  it('names a column that the project does not have, and the closest one', async () => {
    const { stderr } = await run('name.csv', `record_id,agee,Frist Name\n${IDS[0]},1,x\n`);

    expect(stderr).to.match(/agee is not a field of the project; did you mean age\?/);
    expect(stderr).to.match(/column 3 is not a field of the project; did you mean first_name\?/);
  });

  it('writes all problems to the file of --report', async () => {
    const report = join(folder, 'problems.csv');
    const rows = Array.from({ length: 250 }, (_, at) => `COHORT-2026-PARTICIPANT-${8000 + at},x`);

    const { exitCode, stderr } = await run(
      'many.csv',
      ['record_id,age', ...rows].join('\n'),
      '--report',
      report,
    );

    expect(exitCode, stderr).to.equal(1);
    expect(stderr)
      .to.match(/^250 values are not valid/)
      .and.to.include(`All problems (250) are listed in`);
    const lines = readFileSync(report, 'utf8').trimEnd().split('\n');
    expect(lines).to.have.lengthOf(251);
    expect(lines[0]).to.equal('line,row,record,column,problem,suggestion');
    expect(lines[250]).to.equal('251,250,COHORT-2026-PARTICIPANT-8249,age,must be a whole number,');
  });

  it('writes warnings with their lines to standard output for --report -', async () => {
    const row = `${IDS[0]},15,2`;

    const { exitCode, stdout, stderr } = await run(
      'warned.csv',
      `record_id,age,education\n${row}\n`,
      '--report',
      '-',
    );

    expect(exitCode, stderr).to.equal(0);
    expect(stderr).to.include(`line 2, ${IDS[0]}: education is hidden by branching logic`);
    expect(stdout.split('\n')).to.deep.equal([
      'line,row,record,column,problem,suggestion',
      `2,1,${IDS[0]},education,warning: is hidden by branching logic,`,
      '',
    ]);
  });

  it('reports a duplicate record, and what was omitted', async () => {
    const text = `record_id,age,consent_form\n${IDS[0]},1,a.pdf\n${IDS[1]},2,\n${IDS[0]},3,b.pdf\n`;

    const { exitCode, stderr } = await run('twice.csv', text);

    expect(exitCode, stderr).to.equal(0);
    expect(stderr).to.include(
      'Left out: 2 values of 1 column that no import can store: consent_form (a file).',
    );
    const note = /Note: 1 row is for a record .*: line 4 \(COHORT-2026-PARTICIPANT-9001\)\./;
    expect(stderr).to.match(note);
    const quiet = await run('twice.csv', text, '-q');
    expect(quiet.stderr).to.match(note).and.not.to.include('Valid');
  });

  it('reads the given --encoding and --csv-delimiter, and names the encoding if it is missing', async () => {
    const text = `record_id|first_name\n${IDS[0]}|Zoë\n`;

    const refused = await run('utf16.csv', Buffer.from(text, 'utf16le'));
    expect(refused.exitCode).to.equal(1);
    expect(refused.stderr).to.include('The file is UTF-16 (little endian)');
    for (const [encoding, bytes] of [
      ['utf-16le', Buffer.from(text, 'utf16le')],
      ['windows-1252', Buffer.from(text, 'latin1')],
    ] as const) {
      const { exitCode, stderr } = await run(
        'given.csv',
        bytes,
        '--encoding',
        encoding,
        '--csv-delimiter',
        '|',
      );
      expect(exitCode, stderr).to.equal(0);
    }
  });

  it('imports the whole demo study as it was exported', async () => {
    for (const format of ['csv', 'ndjson', 'json']) {
      const exported = await runCrf(['export', '--format', format], { environment });
      const { exitCode, stderr } = await run(`all.${format}`, exported.stdout);

      expect(exitCode, stderr).to.equal(0);
      expect(stderr).to.match(/Left out: \d+ values of .*consent_form \(a file\)/);
    }
  });
});

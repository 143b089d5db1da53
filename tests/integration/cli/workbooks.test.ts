import { expect } from 'chai';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import writeXlsxFile, { type SheetData } from 'write-excel-file/node';
import { defineInstrument } from '../../support/define-instrument.js';
import { DEMO_TOKEN } from '../../../src/sandbox/demo-study/demo-study.js';
import { LAST_DAY } from '../../../src/sandbox/demo-study/made-up.js';
import { createNamedStudy } from '../../../src/sandbox/named-study.js';
import { startRedcapSandbox, type RedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import { runCrf } from '../../support/run-crf.js';
import { classicStudy } from '../../support/studies.js';
import { cellsOf } from '../../support/workbook-cells.js';

const DAY = { type: Date, format: 'dd/mm/yyyy' } as const;

describe('Workbooks', function () {
  this.timeout(60_000);

  let sandbox: RedcapSandbox;
  let folder: string;
  before(async () => {
    sandbox = await startRedcapSandbox({
      study: await createNamedStudy({ study: 'longitudinal', until: LAST_DAY }),
    });
    folder = await mkdtemp(join(tmpdir(), 'crf-workbooks-'));
  });
  after(async () => {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  });

  const crf = (...args: string[]) =>
    runCrf(args, {
      cwd: folder,
      environment: { CAPTURE_API_URL: sandbox.url, CAPTURE_API_TOKEN: DEMO_TOKEN },
    });
  const save = (name: string, sheets: Readonly<Record<string, SheetData>>) =>
    writeXlsxFile(Object.entries(sheets).map(([sheet, data]) => ({ sheet, data }))).toFile(
      join(folder, name),
    );

  const KEYS = ['record_id', 'redcap_event_name'];
  const AT = ['TRIAL-2026-PARTICIPANT-0001', 'week_4_arm_2'];

  it('STR-07: have a sheet for each instrument and a codebook, and each sheet can be imported again', async () => {
    const { exitCode, stderr } = await crf('export', '--workbook', 'study.xlsx');
    expect(exitCode, stderr).to.equal(0);

    const forms = ['enrolment', 'vitals', 'medication', 'quality_of_life', 'adverse_event', 'completion'];
    expect(() => cellsOf(join(folder, 'study.xlsx'), 'none')).to.throw(
      [...forms, 'Codebook'].map((name) => `"${name}"`).join(', '),
    );
    const [header, first] = cellsOf(join(folder, 'study.xlsx'), 'vitals');
    expect(header?.slice(0, 2)).to.deep.equal(KEYS);
    expect([first?.[4], first?.[5]]).to.deep.equal(['2025-11-03', '79.8']);

    for (const form of forms) {
      const again = await crf(
        'import',
        'study.xlsx',
        '--sheet',
        form,
        '--diff',
        '--overwrite-behavior',
        'overwrite',
      );
      expect(again.exitCode, again.stderr).to.equal(0);
      expect(again.stdout).to.match(/^Records: 0 new, 0 changed, \d+ unchanged\.\n(?!Values|Erased)/);
    }
  });

  it('STR-07: have numbers for numbers however they are stored, and can be imported again', async () => {
    const fields = ['integer', 'number', 'number_2dp', 'number_comma_decimal', 'number_1dp_comma_decimal'];
    const stored = {
      integer: ['23', '-4', '007', '+5'],
      number: ['.5', '1e5', '12.50', '1e30', '0.123456789012345678'],
      number_2dp: ['7.50', '0.25'],
      number_comma_decimal: ['22,5', '23', ',5'],
      number_1dp_comma_decimal: ['22,5', '80,0'],
    } as const;
    const classic = classicStudy();
    const numbers = defineInstrument('base', [
      { name: 'id', type: 'text', label: 'Id' },
      ...fields.map((name) => ({ name, type: 'text' as const, label: name, validationType: name })),
      // Longer than a cell of a workbook can be.
      {
        name: 'code',
        type: 'dropdown',
        label: 'Code',
        choicesOrCalculations: Array.from({ length: 4000 }, (_, at) => `${at}, Choice ${at}`).join(' | '),
      },
    ]);
    const rows = Array.from({ length: 5 }, (_, at) => ({
      id: String(at),
      ...Object.fromEntries(
        Object.entries(stored).flatMap(([name, values]) =>
          values[at] === undefined ? [] : [[name, values[at]]],
        ),
      ),
    }));
    const other = await startRedcapSandbox({ study: { ...classic, fields: numbers, rows } });
    const run = (...args: string[]) =>
      runCrf(args, {
        cwd: folder,
        environment: { CAPTURE_API_URL: other.url, CAPTURE_API_TOKEN: DEMO_TOKEN, RECORD_ID_MIN_LENGTH: '1' },
      });
    try {
      const exported = await run('export', '--workbook', 'numbers.xlsx');
      expect(exported.exitCode, exported.stderr).to.equal(0);

      const xml = strFromU8(
        unzipSync(await readFile(join(folder, 'numbers.xlsx')))['xl/worksheets/sheet1.xml'] ??
          Buffer.alloc(0),
      );
      const isNumber = (place: string): boolean =>
        new RegExp(`<c r="${place}"(?![^>]* t=)[^>]*><v>`).test(xml);
      // 007 may be a code, and no spreadsheet keeps more than fifteen digits.
      const areNumbers = ['B', 'C', 'D', 'E', 'F'].map((column) =>
        [2, 3, 4, 5, 6].map((row) => isNumber(`${column}${row}`)),
      );
      expect(areNumbers).to.deep.equal([
        [true, true, false, true, false],
        [true, true, true, false, false],
        [true, true, false, false, false],
        [true, true, true, false, false],
        [true, true, false, false, false],
      ]);
      const codebook = cellsOf(join(folder, 'numbers.xlsx'), 'Codebook');
      expect(codebook.flat().map((cell) => cell.length)).to.include(32_767);

      const again = await run(
        'import',
        'numbers.xlsx',
        '--diff',
        '--overwrite-behavior',
        'overwrite',
        '--no-undo',
      );
      expect(again.exitCode, again.stderr).to.equal(0);
      expect(again.stdout).to.match(/^Records: 0 new, 0 changed, 5 unchanged\./);
    } finally {
      await other.close();
    }
  });

  it('STR-07: never hold a formula, whatever a value begins with', async () => {
    await save('notes.xlsx', {
      notes: [
        [...KEYS, 'in_own_words'],
        [...AT, '=HYPERLINK("http://x.example","y")'],
      ],
    });
    const stored = await crf('import', 'notes.xlsx', '--no-undo');
    expect(stored.exitCode, stored.stderr).to.equal(0);

    await crf('export', '--workbook', 'formula.xlsx', '--forms', 'quality_of_life', '--records', AT[0] ?? '');
    expect(cellsOf(join(folder, 'formula.xlsx')).flat()).to.include('=HYPERLINK("http://x.example","y")');
  });

  it('IN-19: are read by sheet: dates, numbers without their zeros, TRUE, and text with a decimal comma', async () => {
    await save('visits.xlsx', {
      readme: [['Please read']],
      visits: [
        [...KEYS, 'visit_date', 'weight_kg', null, 'pain'],
        [...AT, { value: new Date('2025-12-05'), ...DAY }, 80, null, 60],
        [],
        [...AT.slice(0, 1), 'week_12_arm_2', '30.1.2026', '81,5', null, null],
      ],
    });

    const german = ['--date-format', 'DMY', '--decimal-character', ','];
    const { exitCode, stdout, stderr } = await crf(
      ...['import', 'visits.xlsx', '--sheet', 'visits', '--diff', ...german],
    );

    expect(exitCode, stderr).to.equal(0);
    expect(stdout)
      .to.match(/^2 +\S+, week_4_arm_2 +visit_date +changed +2025-12-03 +2025-12-05$/m)
      .and.match(/^2 +\S+, week_4_arm_2 +weight_kg +changed +77.1 +80.0$/m)
      .and.match(/^4 +\S+, week_12_arm_2 +weight_kg +changed +77.6 +81.5$/m);
  });

  it('name the row of the sheet, also below a cell of several lines', async () => {
    await save('lines.xlsx', {
      lines: [
        [...KEYS, 'in_own_words', 'sleep'],
        [...AT, 'one\ntwo\nthree', 1],
        [...AT.slice(0, 1), 'week_12_arm_2', '', 9],
      ],
    });

    expect((await crf('import', 'lines.xlsx', '--dry-run')).stderr).to.match(/line 3, .*: sleep must be/);
  });

  it('are refused with what to do', async () => {
    await save('twice.xlsx', { s: [['record_id', 'pain', 'pain']] });
    const refused = async (...args: string[]) => {
      const { exitCode, stderr } = await crf('import', ...args);
      return [exitCode, stderr.split('\n')[0]];
    };

    expect(await refused('twice.xlsx', '--sheet', 'visits')).to.deep.equal([
      2,
      '--sheet must be the name of a sheet of the workbook: "s".',
    ]);
    expect(await refused('twice.xlsx')).to.deep.equal([
      1,
      'The file has one name twice in its sheet: in the columns 2 and 3.',
    ]);
    await symlink('/dev/zero', join(folder, 'endless.xlsx'));
    expect(await refused('endless.xlsx')).to.deep.equal([
      1,
      'The file is a workbook of more than 20 MB: save the sheet as CSV, and import that.',
    ]);
    await mkdir(join(folder, 'folder.xlsx'));
    expect(await refused('folder.xlsx')).to.deep.equal([2, 'file must name a file, not a folder.']);
    expect(await refused('absent.xlsx')).to.deep.equal([2, 'file must name a file that exists.']);
    expect(await refused('twice.xlsx', '--csv-delimiter', ';')).to.deep.equal([
      2,
      '--csv-delimiter, --encoding and --values cannot be combined with a workbook',
    ]);
    expect(await refused('rows.csv', '--sheet', 'a')).to.deep.equal([2, '--sheet is for a workbook (.xlsx)']);
    expect((await crf('export', '--workbook', 'x.xlsx', '--raw-or-label', 'label')).stderr).to.include(
      'cannot be combined with --raw-or-label',
    );
  });
});

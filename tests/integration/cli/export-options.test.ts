import { expect } from 'chai';
import { OPERATIONS } from '../../support/api-operations.js';
import { runCrf, type CrfRun } from '../../support/run-crf.js';

/** The option of a parameter of REST is its name in kebab case. */
function optionOf(parameter: string): string {
  return `--${parameter.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** A page is what REST has in place of a stream. */
const REST_ONLY = ['pageSize', 'cursor'];

function parametersOf(id: string): string[] {
  const operation = OPERATIONS.find((candidate) => candidate.id === id);
  return (operation?.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => name);
}

describe('crf export', function () {
  this.timeout(60_000);

  it('has every option of an export over REST', async () => {
    const { stdout } = await runCrf(['export', '--help']);
    const parameters = parametersOf('ExportRecords').filter((name) => !REST_ONLY.includes(name));

    expect(parameters).to.include('filterLogic');
    const shown = parameters.filter((name) => !new RegExp(`${optionOf(name)}(?![\\w-])`).test(stdout));
    expect(shown, 'not in crf export --help').to.deep.equal([]);
  });

  it('has every option of a report over REST', async () => {
    const { stdout } = await runCrf(['reports', 'get', '--help']);
    const parameters = parametersOf('GetReport').filter((name) => name !== 'trailer');

    expect(parameters.filter((name) => !stdout.includes(optionOf(name)))).to.deep.equal([]);
  });

  it('writes a table for a spreadsheet: byte order mark, labelled header, labels and group', async () => {
    const german = ['--excel', '--csv-delimiter', ';', '--decimal-character', ','];
    const selection = ['--sandbox', '--fields', 'record_id', 'sex', 'bmi', '--limit', '2'];
    const { stdout, stderr, exitCode } = await runCrf(['export', ...german, ...selection]);
    const [header = '', first = ''] = stdout.split(/\r?\n/);

    expect(exitCode, stderr).to.equal(0);
    expect(header.startsWith('\uFEFF')).to.equal(true);
    expect(header.split(';')).to.include('"Repeat Instance"').and.not.include('record_id');
    expect(first).to.match(/;(Female|Male|Intersex);\d+,\d+$/);
  });

  it('passes on each option that selects or writes values', async () => {
    const [eav, changed, labels, typed] = await Promise.all([
      runCrf(['export', '--sandbox', '--type', 'eav', '--fields', 'record_id', 'sex', '--limit', '1']),
      runCrf(['export', '--sandbox', '--from', '2100-01-01', '--format', 'json']),
      runCrf([
        'export',
        '--sandbox',
        '--format',
        'csv',
        '--raw-or-label-headers',
        'label',
        '--forms',
        'demographics',
      ]),
      runCrf(['export', '--sandbox', '--format', 'ndjson', '--values', 'typed', '--trailer', '--limit', '1']),
    ]);

    expect(Object.keys((JSON.parse(eav.stdout) as object[])[0] ?? {})).to.include('field_name');
    expect(JSON.parse(changed.stdout)).to.deep.equal([]);
    expect(labels.stdout.split('\n')[0]).to.include('Complete?');
    expect(typed.stdout.trim().split('\n').at(-1)).to.include('"_complete":true');
  });

  it('adds the record id to fields and forms, and with it event and instance', async () => {
    const csv = ['export', '--sandbox', '--format', 'csv', '--limit', '1'];
    const [form, field, eav] = await Promise.all([
      runCrf([...csv, '--forms', 'medication', '--raw-or-label', 'label'], {
        environment: { SANDBOX_STUDY: 'longitudinal' },
      }),
      runCrf([...csv, '--fields', 'sex,age']),
      runCrf([...csv, '--fields', 'sex', '--type', 'eav']),
    ]);
    const headerOf = ({ stdout }: CrfRun): string => stdout.split(/\r?\n/)[0] ?? '';

    expect(headerOf(form)).to.match(
      /^record_id,redcap_event_name,redcap_repeat_instrument,redcap_repeat_instance,drug,.*medication_complete$/,
    );
    expect(headerOf(field)).to.match(/^record_id,.*age,sex$/);
    expect(eav.stdout).to.match(/^record,.*,field_name,value\r?\n.*,sex,/);
  });

  it('names the way to labels in one step', async () => {
    const { exitCode, stderr } = await runCrf([
      'export',
      '--instrument',
      'demographics',
      '--raw-or-label',
      'label',
    ]);

    expect(exitCode).to.equal(2);
    expect(stderr).to.include(
      'use --forms demographics --raw-or-label label, or --values typed --labels, as JSON or NDJSON',
    );
  });
});

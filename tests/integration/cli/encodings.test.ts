import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEMO_SUPER_TOKEN, DEMO_TOKEN } from '../../../src/sandbox/demo-study/demo-study.js';
import { startRedcapSandbox, type RedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import { runCrf, type CrfOptions, spawnCrf } from '../../support/run-crf.js';
import { longitudinalStudy } from '../../support/studies.js';

const LABEL = 'Größe';
const DICTIONARY = `field_name,form_name,field_type,field_label\nrecord_id,enrolment,text,Id\nheight,enrolment,text,${LABEL}\n`;
const XML = `<?xml version="1.0" encoding="windows-1252"?>
<ODM xmlns:redcap="https://projectredcap.org"><Study><MetaDataVersion>
<FormDef OID="Form.enrolment" Name="Enrolment" redcap:FormName="enrolment"><ItemGroupRef ItemGroupOID="enrolment.record_id"/></FormDef>
<ItemGroupDef OID="enrolment.record_id"><ItemRef ItemOID="record_id" redcap:Variable="record_id"/><ItemRef ItemOID="height" redcap:Variable="height"/></ItemGroupDef>
<ItemDef OID="record_id" Name="record_id" DataType="text" redcap:Variable="record_id" redcap:FieldType="text"><Question><TranslatedText>Id</TranslatedText></Question></ItemDef>
<ItemDef OID="height" Name="height" DataType="text" redcap:Variable="height" redcap:FieldType="text"><Question><TranslatedText>${LABEL}</TranslatedText></Question></ItemDef>
</MetaDataVersion></Study></ODM>`;

describe('Text files that are not UTF-8', function () {
  this.timeout(60_000);

  let sandbox: RedcapSandbox;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'crf-encodings-'));
    sandbox = await startRedcapSandbox({ study: longitudinalStudy(), superToken: DEMO_SUPER_TOKEN });
  });
  after(async () => {
    await sandbox.close();
    await rm(folder, { recursive: true });
  });

  const crf = (args: readonly string[], token = DEMO_TOKEN, options: CrfOptions = {}) =>
    runCrf(args, { ...options, environment: { CAPTURE_API_URL: sandbox.url, CAPTURE_API_TOKEN: token } });
  const file = async (name: string, bytes: Buffer): Promise<string> => {
    await writeFile(join(folder, name), bytes);
    return join(folder, name);
  };

  for (const [encoding, bytes] of [
    ['windows-1252', (text: string) => Buffer.from(text, 'latin1')],
    ['utf-16le', (text: string) => Buffer.from(text, 'utf16le')],
    ['utf-16be', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ] as const) {
    it(`is a list in ${encoding}: refused with the encoding, with which it is read`, async () => {
      const list = await file('dags.json', bytes(JSON.stringify([{ name: `${LABEL} ${encoding}` }])));
      const refused = await crf(['dags', 'put', list]);
      expect(refused.exitCode).to.equal(2);
      expect(refused.stderr).to.match(new RegExp(`file is .*give its encoding \\(${encoding}\\??\\)`));

      const read = await crf(['dags', 'put', list, '--encoding', encoding]);
      expect(read).to.include({ exitCode: 0, stdout: '1\n' });
      expect(sandbox.project.groups.map(({ name }) => name)).to.include(`${LABEL} ${encoding}`);
    });
  }

  it('is a dictionary in Windows-1252: refused with the encoding, with which its labels are stored', async () => {
    const created = await crf(['project', 'create', 'Heights', '--yes'], DEMO_SUPER_TOKEN);
    const token = created.stdout.trim();
    const dictionary = await file('dictionary.csv', Buffer.from(DICTIONARY, 'latin1'));
    const refused = await crf(['fields', 'put', dictionary, '--yes'], token);
    expect(refused).to.include({ exitCode: 2 });
    expect(refused.stderr).to.include('give its encoding (windows-1252?)');

    await crf(['fields', 'put', dictionary, '--yes', '--encoding', 'windows-1252'], token);
    expect((await crf(['fields', '--csv'], token)).stdout).to.include(LABEL);
  });

  it('is a project XML that declares its encoding: it is created with its labels, and says UTF-8', async () => {
    const xml = await file('project.xml', Buffer.from(XML, 'latin1'));
    const args = ['project', 'create', 'Heights', '--xml', xml, '--yes'];
    const refused = await crf(args, DEMO_SUPER_TOKEN);
    expect(refused).to.include({ exitCode: 2 });
    expect(refused.stderr).to.include('declares the encoding windows-1252');

    const { stdout } = await crf([...args, '--encoding', 'windows-1252'], DEMO_SUPER_TOKEN);
    expect((await crf(['fields', '--csv'], stdout.trim())).stdout).to.include(LABEL);
  });

  for (const [option, name, text] of [
    ['--dictionary', 'sandbox.csv', DICTIONARY],
    ['--xml', 'sandbox.xml', XML],
  ] as const)
    it(`crf sandbox ${option} refuses without --encoding, and runs with it`, async () => {
      const args = ['sandbox', option, await file(name, Buffer.from(text, 'latin1'))];
      const refused = await runCrf(args);
      expect(refused).to.include({ exitCode: 2 });
      expect(refused.stderr).to.include('windows-1252');

      const run = await runCrf([...args, '--encoding', 'windows-1252'], {
        onOutput: (output, interrupt) => output.includes('SANDBOX') && interrupt(),
      });
      expect(run.stdout).to.include('CAPTURE_API_URL=');
    });

  for (const [setting, text] of [
    ['STUDY_FILE', 'schedule: # über\n'],
    ['PROJECTS_FILE', 'version: 1 # über\n'],
    ['POLICY_FILE', 'version: 1 # über\n'],
  ] as const)
    it(`${setting} is refused by the encoding, before anything starts`, async () => {
      const { exitCode, stderr } = await spawnCrf(['serve'], {
        environment: {
          NODE_ENV: 'development',
          PORT: '0',
          ALLOW_ANONYMOUS: 'false',
          [setting]: await file('settings.yaml', Buffer.from(text, 'latin1')),
        },
      });
      expect(exitCode).to.equal(2);
      expect(stderr).to.include('is not UTF-8: save the file as UTF-8');
    });
});

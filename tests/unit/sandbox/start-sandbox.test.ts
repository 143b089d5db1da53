import { expect } from 'chai';
import { createCrfClient } from '../../../src/client.js';
import { startSandbox, type SandboxOptions } from '../../../src/sandbox.js';
import { rejection } from '../../support/rejection.js';

const DICTIONARY = `Variable / Field Name,Form Name,Field Type,Field Label
record_id,base,text,Record
age,base,text,Age`;

describe('startSandbox', () => {
  for (const [what, options, records, version] of [
    ['a cohort by default', undefined, 250, '16.1.9'],
    ['a trial', { study: 'longitudinal', redcapVersion: '15.5' }, 120, '15.5.32'],
    [
      "a user's own files",
      { files: { dictionaryCsv: DICTIONARY, recordsCsv: 'record_id,age\n1,30\n2,40\n' } },
      2,
      '16.1.9',
    ],
  ] as const) {
    it(`plays ${what}, until it is closed`, async () => {
      const sandbox = await startSandbox(options);
      const client = createCrfClient({ url: sandbox.url, token: sandbox.token });

      expect(sandbox.records).to.equal(records);
      expect(await client.getVersion()).to.equal(version);
      const ids = new Set(
        (await client.exportRecords({ fields: ['record_id'] })).map((row) => row.record_id),
      );
      expect(ids.size).to.equal(records);

      await sandbox.close();
      expect(await rejection(client.ping())).to.have.property('code', 'upstream_unavailable');
      client.close();
    });
  }

  it('plays a project in XML', async () => {
    const first = await startSandbox();
    const client = createCrfClient({ url: first.url, token: first.token });
    let projectXml = '';
    for await (const chunk of await client.project.openXml()) projectXml += String(chunk);
    client.close();
    await first.close();

    const second = await startSandbox({ projectXml });

    expect(second).to.include({ title: first.title, records: 250 });
    await second.close();
  });

  it('creates projects with its super token', async () => {
    const sandbox = await startSandbox();
    const client = createCrfClient({ url: sandbox.url, token: sandbox.superToken });

    expect(await client.project.create({ title: 'New', purpose: 0 })).to.match(/^[0-9A-F]{32}$/);
    client.close();
    await sandbox.close();
  });

  for (const [options, message] of [
    [{ studdy: 'classic' }, 'studdy is not an option; did you mean study?'],
    [{ study: 'other' }, 'study must be classic or longitudinal.'],
    [{ redcapVersion: '13' }, 'redcapVersion must be 14.5, 15.5, 16.1 or 17.4.'],
    [{ port: -1 }, 'port must be a whole number of at least 0.'],
    [{ files: { dictionary: 'x' } }, 'files.dictionary is not an option; did you mean dictionaryCsv?'],
    [{ until: '2026-02-30' }, 'until must be a day, as in 2026-01-31'],
    [{ until: '2026-01-31', projectXml: '<ODM/>' }, 'until cannot be combined with projectXml or files'],
    [{ study: 'classic', projectXml: '<ODM/>' }, 'study cannot be combined with projectXml or files'],
  ] as const) {
    it(`refuses ${JSON.stringify(options)}`, async () => {
      const error = await rejection(startSandbox(options as SandboxOptions));

      expect(error).to.have.property('name', 'ConfigurationError');
      expect(error.message).to.include(message);
    });
  }
});

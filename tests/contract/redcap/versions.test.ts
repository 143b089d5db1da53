import { expect } from 'chai';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import {
  type ConformanceReport,
  OPERATIONS,
  runConformance,
} from '../../../src/cli/conformance/run-conformance.js';
import { DEMO_TOKEN } from '../../../src/sandbox/demo-study/demo-study.js';
import { startRedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import { VERSION_PROFILES, type VersionProfile } from '../../../src/sandbox/redcap/version-profiles.js';
import { ServerVersion } from '../../../src/wire/server-version.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { armsStudy } from '../../support/studies.js';
import { jsonOf, refusalOf, textOf, type TestSandbox } from './wire.js';

const SUPER_TOKEN = 'C'.repeat(64);

const PROFILES = Object.keys(VERSION_PROFILES) as VersionProfile[];

function study(): Study {
  const arms = armsStudy();
  return {
    ...arms,
    project: { ...arms.project, settings: { ...arms.project.settings, randomization_enabled: 1 } },
    fields: arms.fields.map((field) =>
      field.name === 'mood' ? { ...field, annotation: '@RANDOMIZE' } : field,
    ),
    reports: [{ id: 7, title: 'Ids', fields: ['id'], filterLogic: '' }],
    groups: [{ name: 'North', uniqueName: 'north', id: 1 }],
    surveys: [{ instrument: 'enrol', hasReturnCodes: true }],
  };
}

/** What the operations of the client library do not find in each version. */
const MISSING: Readonly<Record<VersionProfile, readonly string[]>> = {
  '14.5': ['surveys.getAccessCode'],
  '15.5': [],
  '16.1': [],
  '17.4': [],
};

for (const profile of PROFILES) {
  describe(`A sandbox that simulates REDCap ${profile}`, () => {
    const version = new ServerVersion(VERSION_PROFILES[profile]);
    let sandbox: TestSandbox;
    let report: ConformanceReport;

    before(async () => {
      const started = await startRedcapSandbox({
        study: study(),
        version: version.text,
        superToken: SUPER_TOKEN,
      });
      sandbox = { ...started, token: DEMO_TOKEN };
      const client = createCrfClient({ url: sandbox.url, token: DEMO_TOKEN });
      report = await runConformance(client, { allowWrites: true, reportId: 7 });
      client.close();
    });
    after(() => sandbox.close());

    const keysOf = async (form: Record<string, string>): Promise<string[]> => {
      const answer = await jsonOf(sandbox, form);
      const [first] = (Array.isArray(answer) ? answer : [answer]) as object[];
      return Object.keys(first ?? {});
    };

    for (const { name } of OPERATIONS) {
      if (MISSING[profile].includes(name)) {
        it(`does not support ${name}`, () => {
          const result = report.operations.find(({ operation }) => operation === name);

          expect(result?.outcome).not.to.equal('ok');
        });
        continue;
      }
      it(`answers the client library for ${name}`, () => {
        const result = report.operations.find(({ operation }) => operation === name);

        expect(result).to.include({ outcome: 'ok' }, result?.details.join('; '));
      });
    }

    it('supports what no conformance run tries: folders, switching groups, randomization and new projects', async () => {
      const client = createCrfClient({ url: sandbox.url, token: DEMO_TOKEN });
      const creator = createCrfClient({ url: sandbox.url, token: SUPER_TOKEN });

      expect(await client.fileRepository.createFolder({ name: 'Made' })).to.be.a('number');
      await client.dags.switch('north');
      await client.dags.switch('');
      expect(await creator.project.create({ title: 'Made', purpose: 0 })).to.have.length(32);
      await client.importRecords([{ id: 'new' }]);
      const assigned = await client.records.randomize('new', 1).then(
        ({ target }) => target,
        (error: Error) => error.name,
      );
      expect(assigned).to.match(version.isAtLeast('15.5') ? /^[gb]$/ : /^NotSupportedUpstreamError$/);
      client.close();
      creator.close();
    });

    it('reports its version, also in its project XML', async () => {
      expect(await textOf(sandbox, { content: 'version' })).to.equal(version.text);
      expect(await textOf(sandbox, { content: 'project_xml' })).to.include(
        `SourceSystemVersion="${version.text}"`,
      );
    });

    it('supports the contents and actions of its version', async () => {
      const code = { content: 'surveyAccessCode', record: '1', instrument: 'enrol', event: 'start_arm_1' };
      const randomize = { content: 'record', action: 'randomize', record: '1', randomization_id: '9' };

      if (version.isAtLeast('15.5')) {
        expect(await textOf(sandbox, code)).to.match(/^[A-Z0-9]{9}$/);
        expect(await refusalOf(sandbox, randomize)).to.include('"randomization_id"');
      } else {
        expect(await refusalOf(sandbox, code)).to.equal('The value of the parameter "content" is not valid');
        expect(await refusalOf(sandbox, randomize)).to.equal(
          'The value of the parameter "action" is not valid',
        );
      }
    });

    it('has the columns of its version', async () => {
      const has = async (form: Record<string, string>, column: string, since: string): Promise<void> => {
        expect((await keysOf(form)).includes(column), column).to.equal(version.isAtLeast(since));
      };

      await has({ content: 'project' }, 'project_pi_email', '15.5');
      await has({ content: 'userRoleMapping' }, 'data_access_group', '15.8.2');
      await has({ content: 'user' }, 'data_access_group_label', '16.0.0');
      const list = await textOf(sandbox, { content: 'fileRepository', action: 'list' });
      expect(list.split('\n')[0]).to.equal(
        version.isAtLeast('16.0.8') ? 'folder_id,doc_id,name,role,dag' : 'folder_id,doc_id,name',
      );
    });

    it('combines checkboxes only if its version does', async () => {
      const columns = await keysOf({
        content: 'record',
        'fields[0]': 'id',
        'fields[1]': 'marks',
        combineCheckboxOptions: 'true',
      });

      expect(columns.includes('marks')).to.equal(version.isAtLeast('16.0.8'));
      expect(columns.includes('marks___aa')).to.equal(!version.isAtLeast('16.0.8'));
    });

    it('has no header in a CSV without rows, which the client library reads as no rows', async () => {
      const form = { content: 'record', filterLogic: "[name] = 'Nobody'" };
      expect(await textOf(sandbox, form)).to.equal(version.isAtLeast('17.4') ? '' : '\n');

      const client = createCrfClient({ url: sandbox.url, token: DEMO_TOKEN });
      const chunks: Buffer[] = [];
      for await (const chunk of await client.openRecords({ format: 'csv', filterLogic: form.filterLogic }))
        chunks.push(chunk as Buffer);
      client.close();
      expect(Buffer.concat(chunks).toString()).to.equal('');
    });
  });
}

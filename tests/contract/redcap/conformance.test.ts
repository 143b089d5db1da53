import { expect } from 'chai';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import {
  type ConformanceReport,
  OPERATIONS,
  runConformance,
  UNTRIED_OPERATIONS,
} from '../../../src/cli/conformance/run-conformance.js';
import { createDemoStudy } from '../../../src/sandbox/demo-study/demo-study.js';
import { ALL_RIGHTS } from '../../../src/sandbox/redcap/rights.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { startFaultServer } from '../../support/fault-server.js';
import { forward } from '../../support/forward.js';
import { startSandboxClient, type SandboxClient } from '../../support/sandbox-client.js';
import { armsStudy, classicStudy, longitudinalStudy } from '../../support/studies.js';

const reports = [{ id: 7, title: 'Ids', fields: ['id'], filterLogic: '' }];

const surveyStudy = (): Study => ({
  ...armsStudy(),
  reports,
  surveys: [{ instrument: 'enrol', hasReturnCodes: true }],
});

describe('The operations of the client library', () => {
  it('are all tried, or listed with a reason', async () => {
    const opened = await startSandboxClient(classicStudy());
    const methods = methodsOf(opened.client);
    const tried = new Set(OPERATIONS.flatMap(({ name }) => name.replace(/ \(.*\)/, '').split(', ')));
    const known = [...tried, ...UNTRIED_OPERATIONS.map(({ name }) => name)];
    await opened.close();

    expect(
      methods.filter((name) => !known.includes(name)),
      'not in a list of src/cli/conformance/',
    ).to.deep.equal([]);
    expect(known.filter((name) => !methods.includes(name))).to.deep.equal([]);
  });

  for (const { title, study, without } of [
    {
      title: 'a classic project',
      study: {
        ...createDemoStudy({ participants: 12 }),
        reports: [{ id: 7, title: 'Ids', fields: ['record_id'], filterLogic: '' }],
      },
      without: /^(arms|events|mappings|surveys)\./,
    },
    { title: 'a longitudinal project with surveys and repeats', study: surveyStudy(), without: /^$/ },
  ]) {
    describe(`on ${title}`, () => {
      let opened: SandboxClient;
      let atFirst: unknown;
      let report: ConformanceReport;

      before(async () => {
        opened = await startSandboxClient(study);
        atFirst = await everything(opened);
        report = await runConformance(opened.client, { allowWrites: true, reportId: 7 });
      });
      after(() => opened.close());

      for (const { name } of OPERATIONS) {
        const outcome = without.test(name) ? 'not applicable' : 'ok';
        it(`${name}: ${outcome}`, () => {
          const result = report.operations.find(({ operation }) => operation === name);

          expect(result).to.include({ outcome }, result?.details.join('; '));
        });
      }

      it('leaves the project unchanged', async () => {
        expect(await everything(opened)).to.deep.equal(atFirst);
      });
    });
  }
});

describe('runConformance', () => {
  it('writes nothing unless allowed', async () => {
    const opened = await startSandboxClient(classicStudy());
    const { operations } = await runConformance(opened.client);
    const entries = await opened.client.log.list({ type: 'record' });
    await opened.close();

    expect(entries).to.deep.equal([]);
    const written = OPERATIONS.filter(({ isWrite }) => isWrite).map(({ name }) => name);
    expect(
      operations.filter(({ outcome }) => outcome === 'skipped').map(({ operation }) => operation),
    ).to.deep.equal(written);
  });

  it('gives a reason for each operation that no run tries', async () => {
    const opened = await startSandboxClient(classicStudy());
    const { operations } = await runConformance(opened.client);
    await opened.close();

    const untried = operations.filter(({ outcome }) => outcome === 'not tried');
    expect(untried.map(({ operation, details }) => [operation, ...details])).to.deep.equal(
      UNTRIED_OPERATIONS.map(({ name, reason }) => [name, reason]),
    );
  });

  it('requests only an instrument that is designated for the event of the record', async () => {
    const study = longitudinalStudy();
    const unplaced = study.mappings.filter(({ instrument }) => instrument !== 'base');
    const rows = [{ id: 'A-1', redcap_event_name: 'end_arm_1', pulse: '70' }];

    expect(await outcomeOfRows({ ...study, mappings: unplaced, rows })).to.deep.include({ outcome: 'ok' });
    expect(await outcomeOfRows({ ...study, mappings: [] })).to.deep.include({
      outcome: 'not applicable',
      details: ['no instrument is designated for the event of the first record'],
    });
  });

  it('names the right that the user of the token lacks', async () => {
    const study = classicStudy();
    const [manager, ...others] = study.users;
    const users = manager && [
      { ...manager, rights: { ...ALL_RIGHTS, user_rights: 0, logging: 0 } },
      ...others,
    ];
    const opened = await startSandboxClient({ ...study, ...(users && { users }) });
    const { operations } = await runConformance(opened.client);
    await opened.close();

    const refused = operations.filter(({ outcome }) => outcome === 'refused by rights');
    expect(refused.map(({ operation, details }) => [operation, ...details])).to.deep.equal([
      ['users.list', 'User Rights'],
      ['findProjectUser', 'User Rights'],
      ['roles.list', 'User Rights'],
      ['roleAssignments.list', 'User Rights'],
      ['log.list', 'Logging'],
      ['log.open', 'Logging'],
      ['log.stream', 'Logging'],
    ]);
  });

  it('reports differences of an answer, and the error of a failure', async () => {
    const opened = await startSandboxClient(classicStudy());
    const server = await startFaultServer(async (request) => {
      const answer = await forward(opened.sandbox.url, request);
      const content = request.form.get('content');
      if (content === 'instrument') {
        return { ...answer, body: answer.body.toString().replaceAll('{', '{"form_number":"1",') };
      }
      return content === 'dag' ? { ...answer, body: '<html>maintenance</html>' } : answer;
    });
    const client = createCrfClient({
      url: server.url,
      token: opened.sandbox.project.study.users[0]?.token ?? '',
    });
    const { operations } = await runConformance(client);
    client.close();
    await server.close();
    await opened.close();

    const found = operations
      .filter(({ outcome }) => outcome === 'differs' || outcome === 'failed')
      .map(({ operation, outcome, details }) => [operation, outcome, ...details]);
    expect(found).to.deep.equal([
      ['instruments.list', 'differs', 'column form_number is not in the document'],
      ['dags.list', 'failed', 'upstream_invalid'],
    ]);
  });

  it('reports no value, no name, no token and no address', async () => {
    const study = surveyStudy();
    const opened = await startSandboxClient(study);
    const text = JSON.stringify(await runConformance(opened.client, { allowWrites: true }));
    await opened.close();

    const secrets = [
      ...study.rows.flatMap((row) => Object.values(row).filter((value) => value.length > 2)),
      ...study.users.flatMap(({ username, email, token }) => [username, email, token]),
      ...study.fields.map(({ label }) => label),
      ...study.events.map(({ uniqueName }) => uniqueName),
      new URL(opened.sandbox.url).host,
    ].filter((secret) => secret.length > 5);
    expect(secrets.filter((secret) => text.includes(secret))).to.deep.equal([]);
  });
});

/** The outcome of `rows`, which reads one instrument. */
async function outcomeOfRows(study: Study) {
  const opened = await startSandboxClient(study);
  const { operations } = await runConformance(opened.client);
  await opened.close();
  return operations.find(({ operation }) => operation === 'rows');
}

/** The methods of a client, such as `dags.list` and `exportRecords`, except those that make no call. */
function methodsOf(client: SandboxClient['client']): string[] {
  const own = ['call', 'forward', 'clearCache', 'close'];
  return Object.entries(client)
    .flatMap(([name, member]: [string, object]) =>
      typeof member === 'function' ? [name] : Object.keys(member).map((method) => `${name}.${method}`),
    )
    .filter((name) => !own.includes(name));
}

async function everything({ client }: SandboxClient): Promise<unknown> {
  return Promise.all([
    client.exportRecords(),
    client.fields.list(),
    client.project.getInfo(),
    client.dags.list(),
    client.users.list(),
    client.roles.list(),
    client.arms.list(),
    client.events.list(),
    client.mappings.list(),
    client.repeating.list(),
  ]);
}

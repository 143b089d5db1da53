import { expect } from 'chai';
import { once } from 'node:events';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { groupsStudy } from '../../support/groups-study.js';
import { runCrf } from '../../support/run-crf.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { startService, type TestService } from '../../support/start-service.js';

/** Rows as people send them, under their columns, and whether they can be stored. */
const FILES: readonly [what: string, columns: string, row: string, isGood: boolean][] = [
  ['an event that does not exist', 'event,weight', 'visits_arm_1,70.0', false],
  ['the label of an event', 'event,instance,weight', 'Visit,1,70.0', false],
  ['an event in capitals', 'event,instance,weight', 'VISIT_ARM_1,1,70.0', false],
  ['no event, of which the first does not have the form', 'event,weight', ',70.0', false],
  ['a form that the event does not have', 'event,weight', 'start_arm_1,70.0', false],
  ['a form that only another arm has', 'event,drug', 'start_arm_2,x', false],
  ['a group that does not exist', 'event,group,name', 'start_arm_1,west,x', false],
  ['the label of a group', 'event,group,name', 'start_arm_1,South,x', false],
  ['the number of a group', 'event,group,name', 'start_arm_1,2,x', false],
  ['an instance without its instrument', 'event,instance,drug', 'start_arm_1,1,x', false],
  ['an instrument without an instance', 'event,instrument,drug', 'start_arm_1,meds,x', false],
  ['a repeating event without an instance', 'event,weight', 'visit_arm_1,70.0', false],
  ['a field of a repeating form without either', 'event,drug', 'start_arm_1,x', false],
  ['a field of another form', 'event,instrument,instance,name', 'start_arm_1,meds,1,x', false],
  ['an instance where nothing repeats', 'event,instance,name', 'start_arm_2,1,x', false],
  ['an instrument that does not repeat', 'event,instrument,instance,name', 'start_arm_1,enrol,1,x', false],
  ['an instrument that does not exist', 'event,instrument,instance,drug', 'start_arm_1,med,1,x', false],
  ['the instance 0', 'event,instrument,instance,drug', 'start_arm_1,meds,0,x', false],
  ['the label of a choice', 'event,mood', 'start_arm_1,Good', false],
  ['a column that does not exist', 'event,moods', 'start_arm_1,g', false],
  ['blanks around an event and a group', 'event,group,name', ' start_arm_1 ,\u00a0north,x', true],
  ['another instance', 'event,instrument,instance,drug', 'start_arm_1,meds,new,x', true],
  ['a calculated field', 'event,instance,weight,half', 'visit_arm_1,3,70.0,1', true],
  ['a blank group and form', 'event,group,name,drug', 'start_arm_1,,x,', true],
];

const COLUMNS: Readonly<Record<string, string>> = {
  event: 'redcap_event_name',
  instrument: 'redcap_repeat_instrument',
  instance: 'redcap_repeat_instance',
  group: 'redcap_data_access_group',
};

describe('The preview of a messy file', function () {
  this.timeout(60_000);
  let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
  let service: TestService;

  before(async () => {
    sandbox = await startTestSandbox(groupsStudy());
    const capture = createCrfClient({ url: sandbox.url, token: sandbox.token });
    service = await startService({ capture, imports: { recordIdMinLength: 1 } });
  });
  after(async () => {
    const closed = once(service.server, 'close');
    await service.close();
    await closed;
    await sandbox.close();
  });

  const csvOf = (record: string, columns: string, row: string): string =>
    `id,${columns.replace(/\w+/g, (name) => COLUMNS[name] ?? name)}\n${record},${row}\n`;
  const isStored = (record: string): boolean => sandbox.project.records.ids.includes(record);

  for (const [at, [what, columns, row, isGood]] of FILES.entries()) {
    it(`IN-23: is the verdict of the import over REST: ${what}`, async () => {
      const record = `REST-${at}`;
      const verdict = async (query: string) => {
        const answer = await fetch(`${service.url}/api/v1/records${query}`, {
          method: 'POST',
          headers: { 'content-type': 'text/csv', authorization: service.authorization },
          body: csvOf(record, columns, row),
        });
        const { errors } = (await answer.json()) as { errors?: unknown };
        return { status: answer.status, errors };
      };

      const preview = await verdict('?dryRun=true');

      expect(preview.status).to.equal(isGood ? 200 : 422);
      expect(await verdict('')).to.deep.equal(preview);
      expect(isStored(record)).to.equal(isGood);
    });

    it(`IN-23: is the verdict of the import on the command line: ${what}`, async () => {
      const record = `CLI-${at}`;
      const verdict = async (...more: string[]) => {
        const { exitCode, stderr } = await runCrf(['import', '-', '--format', 'csv', ...more], {
          environment: {
            ...{ CAPTURE_API_URL: sandbox.url, CAPTURE_API_TOKEN: sandbox.token, RECORD_ID_MIN_LENGTH: '1' },
          },
          input: csvOf(record, columns, row),
        });
        return { exitCode, problems: stderr.split('\n').filter((line) => /^ +line \d|not valid/.test(line)) };
      };

      const preview = await verdict('--dry-run');

      expect(preview.problems.some((line) => line.includes('not valid'))).to.equal(!isGood);
      expect(preview.exitCode === 0).to.equal(isGood);
      expect(await verdict()).to.deep.equal(preview);
      expect(isStored(record)).to.equal(isGood);
    });
  }
});

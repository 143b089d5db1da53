import { expect } from 'chai';
import { callsOf } from '../../../../src/client/compose-client.js';
import type { CrfCalls, LogEntry } from '../../../../src/gateways/redcap/crf-client.js';
import { logOf } from '../../../../src/policy/groups/log.js';
import { structureOf } from '../../../../src/policy/groups/structure.js';
import type { ProjectView } from '../../../../src/policy/project-view.js';
import { rejection } from '../../../support/rejection.js';
import { startSandboxClient, type SandboxClient } from '../../../support/sandbox-client.js';
import { longitudinalStudy } from '../../../support/studies.js';
import { deidentifiedBy, viewOf } from '../../../support/view-of.js';

const STUDY = {
  ...longitudinalStudy(),
  events: [
    { uniqueName: 'start_arm_1', label: 'Start', arm: 1 },
    { uniqueName: 'end_arm_1', label: 'End', arm: 1 },
  ],
  rows: [],
};
const VIEW: Partial<ProjectView> = {
  log: 'read',
  fields: new Map([
    ['id', 'read'],
    ['pulse', 'read'],
  ]),
  forms: new Map([
    ['base', 'read'],
    ['visit', 'read'],
  ]),
  rows: { kind: 'dag', dag: 'paris' },
};

describe('The log of a view', () => {
  let started: SandboxClient;
  let calls: CrfCalls;

  before(async () => {
    started = await startSandboxClient(STUDY);
    calls = callsOf(started.client);
    const write = (id: string, event: string, values: Record<string, string>): Promise<unknown> =>
      started.client.importRecords([{ id, redcap_event_name: event, ...values }]);
    await write('A-1', 'start_arm_1', { pulse: '60', age: '40' });
    await write('A-1', 'start_arm_1', { age: '41' });
    await write('A-1', 'end_arm_1', { pulse: '62' });
    await write('B-2', 'start_arm_1', { pulse: '70' });
    await write('C-3', 'start_arm_1', { pulse: '80' });
    await started.client.records.delete(['C-3']);
  });
  after(() => started.close());

  /** The log of a view that has the record A-1 only. */
  function logs(view: Partial<ProjectView> = {}): CrfCalls['log'] {
    const whole = viewOf({ ...VIEW, ...view });
    const { fields, events } = structureOf(calls, whole);
    return logOf(calls, whole, {
      fields,
      events,
      dags: calls.dags,
      exportRecords: async (options) => (await calls.exportRecords(options)).filter(({ id }) => id === 'A-1'),
    });
  }

  const told = (entries: readonly LogEntry[]): unknown[] =>
    entries.map(({ action, record, eventLabel, fields, details }) => [
      action,
      record,
      eventLabel,
      fields,
      details,
    ]);

  it('has what was done to the visible fields of its records, and no value', async () => {
    expect(told(await logs().list())).to.deep.equal([
      ['record_updated', 'A-1', 'End', ['pulse'], "pulse = ''"],
      ['record_created', 'A-1', 'Start', ['id', 'pulse'], "id = '', pulse = ''"],
    ]);
  });

  it('has no entry about a hidden event', async () => {
    const entries = await logs({ events: new Set(['start_arm_1']) }).list();

    expect(entries.map(({ eventLabel }) => eventLabel)).to.deep.equal(['Start']);
  });

  it('has the deletion of a record only in a view of all records', async () => {
    const done = (await logs({ rows: { kind: 'all' } }).list()).map(
      ({ action, record }) => `${action} ${record}`,
    );

    expect(done).to.include('record_deleted C-3').and.include('record_created B-2');
  });

  it('is the same as rows that are read one by one, and empty for a record outside the view', async () => {
    const bytes = async (selection: Parameters<CrfCalls['log']['open']>[0]): Promise<string> =>
      Buffer.concat(await (await logs().open(selection)).toArray()).toString();

    expect(JSON.parse(await bytes({}))).to.have.length(2);
    expect(await bytes({ record: 'B-2' }))
      .to.equal('[]')
      .and.equal(await bytes({ record: 'none' }));
  });

  it('does not know a group that the view does not show', async () => {
    expect((await rejection(logs().list({ dag: 'nope' }))).message).to.equal(
      (await rejection(calls.log.list({ dag: 'nope' }))).message,
    );
  });

  it('is refused without the right, and in what is de-identified', async () => {
    for (const view of [{ log: 'none' }, { deidentify: deidentifiedBy() }] as const) {
      expect(await rejection(logs(view).list())).to.have.property('code', 'not_in_policy');
    }
  });
});

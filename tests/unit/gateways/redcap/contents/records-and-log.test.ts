import { expect } from 'chai';
import fc from 'fast-check';
import * as z from 'zod';
import { parseLogAction } from '../../../../../src/gateways/redcap/contents/log-action.js';
import { createCrfClient } from '../../../../../src/client/create-crf-client.js';
import type { CrfClient } from '../../../../../src/gateways/redcap/crf-client.js';
import { cpuMsOf } from '../../../../support/cpu-ms-of.js';
import { startFaultServer, type FaultServer } from '../../../../support/fault-server.js';
import { rejection } from '../../../../support/rejection.js';
import { startSandboxClient, type SandboxClient } from '../../../../support/sandbox-client.js';
import { armsStudy, classicStudy, randomizedStudy } from '../../../../support/studies.js';

const PLACE = { record: '1', instrument: 'visit_1' };

/** A client of a server that answers everything with this text. */
async function answering(text: string): Promise<[FaultServer, CrfClient]> {
  const headers = { 'content-type': 'text/html; charset=utf-8' };
  const server = await startFaultServer(() => ({ kind: 'answer', body: text, headers }));
  return [server, createCrfClient({ url: server.url, token: 'A'.repeat(32) })];
}

describe('Records, surveys and the log, through the client', () => {
  let started: SandboxClient;

  beforeEach(async () => {
    started = await startSandboxClient(classicStudy());
  });
  afterEach(() => started.close());

  it('renames and deletes a record, and returns the next record name', async () => {
    const { client, sandbox } = started;

    await client.records.rename('2', 'two');
    expect(sandbox.project.records.ids).to.have.members(['two', '10', 'A-1']);

    expect(await client.records.delete(['two'], { deleteLogging: true })).to.equal(1);
    expect(await client.records.nextId()).to.equal('11');
  });

  for (const text of [
    'null',
    'NULL',
    '',
    'You do not have permission.',
    '0',
    '{"error":"x"}',
    '12 ',
    'abcdefgh',
  ]) {
    it(`returns ${JSON.stringify(text)} neither as a return code nor as an access code`, async () => {
      const [server, client] = await answering(text);

      for (const ask of [
        () => client.surveys.getReturnCode(PLACE),
        () => client.surveys.getAccessCode(PLACE),
      ])
        expect(await rejection(ask())).to.have.property('code', 'upstream_invalid');
      client.close();
      await server.close();
    });
  }

  for (const text of [
    'null',
    '',
    'You do not have permission.',
    '{"error":"x"}',
    '6 or 7',
    'A-7',
    '-1',
    '1-',
  ]) {
    it(`returns ${JSON.stringify(text)} not as the name of the next record`, async () => {
      const [server, client] = await answering(text);

      expect(await rejection(client.records.nextId())).to.have.property('code', 'upstream_invalid');
      client.close();
      await server.close();
    });
  }

  it('randomizes a record only once', async () => {
    const trial = await startSandboxClient({ ...randomizedStudy(), rows: [{ id: '1' }] });

    const { target, alternativeTarget } = await trial.client.records.randomize('1', 1, { returnAlt: true });

    expect(target).to.match(/^[12]$/);
    expect(alternativeTarget).to.equal('*');
    expect(await rejection(trial.client.records.randomize('1', 1))).to.have.property(
      'code',
      'upstream_rejected',
    );
    await trial.close();
  });

  it('reads the log as typed entries, without field values', async () => {
    const { client } = started;
    await client.importRecords([{ id: 'new', age: '41', sex: '1' }]);

    const [entry] = await client.log.list({ type: 'record_add' });

    expect(entry).to.deep.include({
      user: 'data.manager',
      type: 'record_add',
      action: 'record_created',
      actionText: 'Create record (API) new',
      record: 'new',
      origin: 'api',
      fields: ['id', 'age', 'sex'],
    });
    expect(await rejection(client.log.list({ from: 'today' }))).to.have.property('code', 'invalid_request');
  });

  it('refuses a range of time that ends before it begins, and takes one of a minute', async () => {
    const { client } = started;
    const range = { from: '2026-01-02 00:00', until: '2026-01-01 23:59' };

    expect(await rejection(client.log.list(range))).to.deep.include({
      code: 'invalid_request',
      errors: [{ field: 'from', message: 'must not be later than until' }],
    });
    expect(await client.log.list({ from: '2026-01-02 00:00', until: '2026-01-02 00:00' })).to.deep.equal([]);
    const [from, until] = ['2026-01-02 00:00:00', '2026-01-02 00:00'];
    expect(await client.exportRecords({ from, until })).to.deep.equal([]);
    expect(
      await rejection(client.exportRecords({ from: '2026-01-02 00:01:00', until })),
    ).to.have.deep.property('errors', [{ field: 'from', message: 'must not be later than until' }]);
  });

  it('refuses the log of a group that the project does not have, before it is asked for', async () => {
    const { client, sandbox } = started;
    const entries = sandbox.project.log.newestFirst().length;
    const refused = {
      code: 'invalid_request',
      errors: [
        {
          field: 'dag',
          name: 'nope',
          code: 'unknown_name',
          parameters: { kind: 'dag' },
          message: 'is not a data access group of this project',
        },
      ],
    };

    expect(await rejection(client.log.list({ dag: 'nope' }))).to.deep.include(refused);
    expect(await rejection(client.log.open({ dag: 'nope' }))).to.deep.include(refused);
    const kinds = sandbox.project.log
      .newestFirst()
      .slice(0, -entries)
      .map(({ details }) => details);
    expect(kinds).to.not.include('Export Logging (API)');
  });

  it('reads the field names of any log entry, and no value', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,12}$/);
    const value = fc.stringMatching(/^[ -~]{0,20}$/).filter((text) => !/'\s*(,|$)/.test(text));
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { minLength: 1, maxLength: 6 }),
        fc.array(value, { minLength: 6, maxLength: 6 }),
        (names, values) => {
          const details = names.map((field, at) => `${field} = '${values[at] ?? ''}'`).join(', ');

          const { fields } = parseLogAction({ action: 'Update record (API) 5', details, record: '' });

          expect(fields).to.deep.equal(names);
        },
      ),
    );
  });

  for (const [action, record] of [
    ['Update record (API) 5', '5'],
    ['Create record (import) a b', 'a b'],
    ['Delete record 1', '1'],
    ['Update record 7 (Visit 1 (Arm 1: Drug))', '7'],
    ['Manage/Design ', undefined],
  ] as const) {
    it(`reads the record from "${action}"`, () => {
      expect(parseLogAction({ action, details: '', record: '' }).record).to.equal(record);
    });
  }

  // The texts of docs/protocol/redcap.md 13.2.
  for (const [text, action, type, record] of [
    ['Create record (API) 1200', 'record_created', 'record_add', '1200'],
    ['Create record7', 'record_created', 'record_add', '7'],
    ['Create Response 5', 'record_created', 'record_add', '5'],
    ['Update record (import) 5', 'record_updated', 'record_edit', '5'],
    ['Update Response 5 (Event 1 (Arm 1: Arm 1))', 'record_updated', 'record_edit', '5'],
    ['Delete record 1', 'record_deleted', 'record_delete', '1'],
    ['Uploaded Document 5', 'file_uploaded', undefined, '5'],
    ['Upload document (API) 5', 'file_uploaded', undefined, '5'],
    ['Deleted Document A-1', 'file_deleted', undefined, 'A-1'],
    ['Delete uploaded document (API) A-1', 'file_deleted', undefined, 'A-1'],
    ['Download uploaded document 5', 'file_downloaded', undefined, '5'],
    ['Randomize Record 6', 'record_randomized', undefined, '6'],
    ['Randomize Record (API) 6', 'record_randomized', undefined, '6'],
    ['E-signature 3', 'record_signed', 'lock_record', '3'],
    ['Lock/Unlock Record 3', 'record_locked', 'lock_record', '3'],
    ['Lock/Unlock', 'record_locked', 'lock_record', undefined],
    ['Data Export (API) ', 'data_exported', 'export', undefined],
    ['Data export', 'data_exported', 'export', undefined],
    ['PDF Export', 'data_exported', 'export', undefined],
    ['Add user ada', 'user_changed', 'user', undefined],
    ['Update user ada', 'user_changed', 'user', undefined],
    ['Edit user role', 'user_changed', 'user', undefined],
    ['Create user role', 'user_changed', 'user', undefined],
    ['User assigned to role Nurse', 'user_changed', 'user', undefined],
    ['User removed from user role', 'user_changed', 'user', undefined],
    ['Updated User Expiration ada', 'user_changed', 'user', undefined],
    ['Manage/Design ', 'design_or_management', 'manage', undefined],
    ['Enable external module locking', 'design_or_management', 'manage', undefined],
    ['Page View', 'page_viewed', 'page_view', undefined],
    ['Something new 5', 'other', undefined, undefined],
  ] as const) {
    it(`takes "${text}" for ${action}, with and without the column of the record`, () => {
      const entry = { action: text, details: '' };
      const inColumn = parseLogAction({ ...entry, record: record ?? '' });

      expect(parseLogAction({ ...entry, record: '' })).to.include({ type, action, record });
      expect(inColumn).to.include({ type, action, record });
    });
  }

  it('reads the event after the name of a record whose file, lock or signature changed', () => {
    for (const action of ['Uploaded Document', 'Lock/Unlock Record', 'E-signature', 'Randomize Record']) {
      expect(
        parseLogAction({ action: `${action} 5 (Event 1 (Arm 2: Drug B))`, details: 'consent', record: '5' }),
      ).to.include({ eventLabel: 'Event 1', arm: 2, record: '5' });
    }
  });

  describe('reads a log entry in a time linear in its length', () => {
    // Quadratic time would be half a minute.
    for (const part of [',[', ',[]', ',a(']) {
      it(`with a value of many "${part}"`, () => {
        const details = `age = '30', note = '', ${part.repeat(100_000)}'`;
        const entry = { action: 'Update record 5', details, record: '5' };

        expect(
          cpuMsOf(() => expect(parseLogAction(entry).fields).to.deep.equal(['age', 'note'])),
        ).to.be.below(5_000);
      });
    }

    it('with an action of many brackets', () => {
      const entry = { action: `Update record${' ('.repeat(100_000)}`, details: '', record: '' };

      expect(cpuMsOf(() => expect(parseLogAction(entry).action).to.equal('record_updated'))).to.be.below(
        5_000,
      );
    });
  });

  it('returns the links, codes and participants of surveys', async () => {
    const surveys = [{ instrument: 'enrol', hasReturnCodes: true }];
    const surveyed = await startSandboxClient({ ...armsStudy(), surveys });
    const { client } = surveyed;
    const place = { record: '1', instrument: 'enrol', event: 'start_arm_1' };

    expect(await client.surveys.getLink(place)).to.match(/^https:\/\/.*\?s=\w+$/);
    expect(await client.surveys.getQueueLink('1')).to.match(/^https:\/\/.*\?sq=\w+$/);
    expect(await client.surveys.getReturnCode(place)).to.match(/^[A-Z0-9]{8}$/);
    expect(await client.surveys.getAccessCode(place)).to.match(/^[A-Z0-9]{9}$/);
    const [participant] = await client.surveys.listParticipants({
      instrument: 'enrol',
      event: 'start_arm_1',
    });
    expect(participant).to.include({ response: 'complete', isInvitationSent: false });
    await surveyed.close();
  });

  it('calls a content that has no method, but refuses unsupported contents and a token parameter', async () => {
    const { client } = started;
    const schema = z.array(z.object({ instrument_name: z.string() }));

    expect(await client.call('instrument', {}, schema, { isRead: true })).to.deep.equal([
      { instrument_name: 'base' },
    ]);
    expect(await rejection(client.call('mycap', { action: 'display' }))).to.have.property(
      'code',
      'not_supported_upstream',
    );
    expect(await rejection(client.call('instrument', { token: 'x' }))).to.have.property(
      'code',
      'invalid_request',
    );
  });
});

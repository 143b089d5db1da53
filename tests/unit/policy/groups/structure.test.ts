import { expect } from 'chai';
import { callsOf, composeClient } from '../../../../src/client/compose-client.js';
import type { CrfClient } from '../../../../src/gateways/redcap/crf-client.js';
import { restrict } from '../../../../src/policy/restrict.js';
import { defineInstrument } from '../../../support/define-instrument.js';
import type { Study } from '../../../../src/sandbox/redcap/study.js';
import { rejection } from '../../../support/rejection.js';
import { startSandboxClient, type SandboxClient } from '../../../support/sandbox-client.js';
import { longitudinalStudy } from '../../../support/studies.js';
import { viewOf } from '../../../support/view-of.js';

const { project, ...LONGITUDINAL } = longitudinalStudy();

/** REDCap calls a project longitudinal only if it has several events, so that more than one has to be visible. */
const EVENTS = [
  ...LONGITUDINAL.events,
  { uniqueName: 'later_arm_2', label: 'later', arm: 2 },
  { uniqueName: 'month_arm_1', label: 'month', arm: 1, customLabel: 'of [national_id]' },
  // The numbers are those of the whole project.
].map((event, at) => ({ ...event, id: at + 1 }));
const VISIBLE_EVENTS = new Set(['start_arm_1', 'month_arm_1']);

/** A project, and what is left of it if the identifier, the instrument `meds`, an arm and an event are removed. */
const WHOLE: Study = {
  ...LONGITUDINAL,
  arms: [...LONGITUDINAL.arms, { number: 2, name: 'Arm 2' }],
  events: EVENTS,
  mappings: [...LONGITUDINAL.mappings, { event: 'month_arm_1', instrument: 'visit' }],
  project: {
    ...project,
    settings: { custom_record_label: '([national_id])', secondary_unique_field: 'national_id' },
  },
  fields: [
    ...defineInstrument('base', [
      { name: 'id', type: 'text', label: 'Id' },
      { name: 'national_id', type: 'text', label: 'Number', isIdentifier: true, sectionHeader: 'Person' },
      { name: 'age', type: 'text', label: 'Age of [national_id]', branchingLogic: "[national_id] <> ''" },
    ]),
    ...defineInstrument('visit', [
      { name: 'pulse', type: 'text', label: 'Pulse', validationMax: '[end_arm_1][pulse]' },
    ]),
    ...defineInstrument('meds', [{ name: 'drug', type: 'text', label: 'Drug' }]),
  ],
};

const LEFT: Study = {
  ...WHOLE,
  project: { ...project, settings: { custom_record_label: '(______)' } },
  fields: [
    ...defineInstrument('base', [
      { name: 'id', type: 'text', label: 'Id' },
      { name: 'age', type: 'text', label: 'Age of ______' },
    ]),
    ...defineInstrument('visit', [{ name: 'pulse', type: 'text', label: 'Pulse' }]),
  ],
  instruments: WHOLE.instruments.filter(({ name }) => name !== 'meds'),
  arms: LONGITUDINAL.arms,
  events: EVENTS.filter(({ uniqueName }) => VISIBLE_EVENTS.has(uniqueName)).map((event) =>
    event.customLabel === undefined ? event : { ...event, customLabel: 'of ______' },
  ),
  mappings: WHOLE.mappings.filter(
    ({ event, instrument }) => VISIBLE_EVENTS.has(event) && instrument !== 'meds',
  ),
  repeating: [],
  rows: [],
};

describe('The structure of a view', () => {
  let whole: SandboxClient;
  let left: SandboxClient;
  let view: CrfClient;

  before(async () => {
    whole = await startSandboxClient(WHOLE);
    left = await startSandboxClient(LEFT);
    view = composeClient(
      restrict(
        callsOf(whole.client),
        viewOf({
          fields: new Map([
            ['id', 'read'],
            ['age', 'write'],
            ['pulse', 'write'],
          ]),
          forms: new Map([
            ['base', 'write'],
            ['visit', 'write'],
          ]),
          events: VISIBLE_EVENTS,
        }),
      ),
    );
  });
  after(async () => {
    await whole.close();
    await left.close();
  });

  const READS: Readonly<Record<string, (client: CrfClient) => Promise<unknown>>> = {
    'project.getInfo': (client) => client.project.getInfo(),
    'fields.list': (client) => client.fields.list(),
    'fields.list of an instrument': (client) => client.fields.list({ forms: ['base'] }),
    'fields.list of fields': (client) => client.fields.list({ fields: ['pulse', 'id'] }),
    'exportFieldNames.list': (client) => client.exportFieldNames.list(),
    'exportFieldNames.list of a field': (client) => client.exportFieldNames.list({ field: 'base_complete' }),
    'fieldValidations.list': (client) => client.fieldValidations.list(),
    'arms.list': (client) => client.arms.list(),
    'arms.list of an arm': (client) => client.arms.list({ arms: [1, 7] }),
    'events.list': (client) => client.events.list(),
    'events.list of an arm': (client) => client.events.list({ arms: [7] }),
    'instruments.list': (client) => client.instruments.list(),
    'mappings.list': (client) => client.mappings.list(),
    'repeating.list': (client) => client.repeating.list(),
    'users and roles, of which there are none': async (client) =>
      client === view
        ? [await client.users.list(), await client.roles.list(), await client.dagAssignments.list()]
        : [[], [], []],
  };
  for (const [name, read] of Object.entries(READS)) {
    it(`is that of a project without what is hidden: ${name}`, async () => {
      expect(await read(view)).to.deep.equal(await read(left.client));
    });
  }

  const REFUSALS: Readonly<Record<string, (client: CrfClient) => Promise<unknown>>> = {
    'fields.list of a field': (client) => client.fields.list({ fields: ['age', 'national_id', 'nonesuch'] }),
    'fields.list of an instrument': (client) => client.fields.list({ forms: ['meds'] }),
    'exportFieldNames of a field': (client) => client.exportFieldNames.list({ field: 'national_id' }),
    'exportFieldNames of a form status': (client) => client.exportFieldNames.list({ field: 'meds_complete' }),
  };
  for (const [name, read] of Object.entries(REFUSALS)) {
    it(`does not know a hidden name: ${name}`, async () => {
      const [hidden, unknown] = [await rejection(read(view)), await rejection(read(left.client))];

      expect({ ...hidden, message: hidden.message, cause: undefined }).to.deep.equal({
        ...unknown,
        message: unknown.message,
        cause: undefined,
      });
    });
  }

  it('cannot be changed', async () => {
    for (const change of [
      view.arms.delete([1]),
      view.events.delete(['start_arm_1']),
      view.repeating.put([{ event: '', instrument: 'base', customLabel: '' }]),
      view.fields.put(await view.fields.list()),
      view.project.putInfo({ title: 'Mine' }),
      view.users.delete(['alice']),
      view.dags.switch(''),
    ]) {
      expect(await rejection(change)).to.have.property('code', 'not_in_policy');
    }
  });

  it('does not come as XML, which has all of the project', async () => {
    expect(await rejection(view.project.openXml())).to.have.property('code', 'not_in_policy');
  });

  it('lists the groups whose records it has', async () => {
    expect(await view.dags.list()).to.deep.equal(await left.client.dags.list());
  });
});

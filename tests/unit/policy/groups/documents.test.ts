import { expect } from 'chai';
import { callsOf } from '../../../../src/client/compose-client.js';
import type { CrfCalls } from '../../../../src/gateways/redcap/crf-client.js';
import { documentsOf } from '../../../../src/policy/groups/documents.js';
import type { ProjectView } from '../../../../src/policy/project-view.js';
import type { Study } from '../../../../src/sandbox/redcap/study.js';
import { rejection } from '../../../support/rejection.js';
import { startSandboxClient, type SandboxClient } from '../../../support/sandbox-client.js';
import { longitudinalStudy } from '../../../support/studies.js';
import { deidentifiedBy, viewOf } from '../../../support/view-of.js';

const LONGITUDINAL = longitudinalStudy();

const STUDY: Study = {
  ...LONGITUDINAL,
  project: { ...LONGITUDINAL.project, surveysEnabled: true },
  surveys: [{ instrument: 'visit', hasReturnCodes: true }],
  rows: [...LONGITUDINAL.rows, { id: 'B-2', redcap_event_name: 'start_arm_1', age: '50', pulse: '61' }],
};

const ALL = new Map(['id', 'age', 'sites', 'pulse', 'drug'].map((name) => [name, 'write'] as const));
const FORMS = new Map(['base', 'visit', 'meds'].map((name) => [name, 'write'] as const));
const PLACE = { record: 'A-1', instrument: 'visit', event: 'start_arm_1' };

/** What somebody gets who may fill in a form. */
const OPENINGS = ['getLink', 'getReturnCode', 'getAccessCode'] as const;

describe('The documents and surveys of a view', () => {
  let started: SandboxClient;
  let calls: CrfCalls;

  before(async () => {
    started = await startSandboxClient(STUDY);
    calls = callsOf(started.client);
  });
  after(() => started.close());

  let other: SandboxClient | undefined;
  afterEach(() => other?.close());
  const another = async (study: Study): Promise<CrfCalls> => {
    other = await startSandboxClient(study);
    return callsOf(other.client);
  };

  /** The documents of a view that has the record A-1 and not B-2. */
  function documents(view: Partial<ProjectView>, of = calls): ReturnType<typeof documentsOf> {
    return documentsOf(of, viewOf({ fields: ALL, forms: FORMS, ...view }), {
      exportRecords: async (options) => (await calls.exportRecords(options)).filter(({ id }) => id === 'A-1'),
    });
  }

  const without = (name: string): ProjectView['fields'] =>
    new Map([...ALL].filter(([field]) => field !== name));

  const textOf = async (selection: Parameters<CrfCalls['pdf']['get']>[0], view: Partial<ProjectView>) => {
    const { body } = await documents(view).pdf.get(selection);
    return Buffer.concat(await body.toArray()).toString('latin1');
  };

  it('include a form that the view shows as it is, with the data of its record', async () => {
    const fields = without('drug');

    expect(await textOf(PLACE, { fields })).to.include('Record A-1');
    expect(await textOf({ instrument: 'visit', event: 'start_arm_1' }, { fields })).to.include('Pulse');
    expect(await documents({ fields }).surveys.getLink(PLACE)).to.match(/^http/);
    expect(await documents({ fields }).surveys.getReturnCode(PLACE)).to.match(/^[A-Z0-9]+$/);
    expect(await documents({ fields }).surveys.getAccessCode(PLACE)).to.match(/^[A-Z0-9]+$/);
  });

  it('include no form with a hidden field, nor all forms if one has', async () => {
    const view = documents({ fields: without('age') });

    for (const call of [
      () => view.pdf.get({ record: 'A-1', instrument: 'base' }),
      () => view.pdf.get({ instrument: 'base' }),
      () => view.pdf.get({ record: 'A-1' }),
      () => view.pdf.get({}),
      () => view.pdf.getAll(),
      () => view.surveys.getQueueLink('A-1'),
    ]) {
      expect(await rejection(call())).to.have.property('code', 'not_in_policy');
    }
  });

  it('include no document of all events if one is hidden', async () => {
    const events = new Set(['start_arm_1']);

    expect(await textOf(PLACE, { events })).to.include('Record A-1');
    expect(await rejection(documents({ events }).pdf.get({ record: 'A-1' }))).to.have.property(
      'code',
      'not_in_policy',
    );
  });

  it('open a survey only to whom may change all of its form', async () => {
    const fields = new Map([...ALL, ['pulse', 'read'] as const]);
    const forms = new Map([...FORMS, ['visit', 'read'] as const]);

    expect(await rejection(documents({ fields }).surveys.getLink(PLACE))).to.have.property(
      'code',
      'not_in_policy',
    );
    expect(await rejection(documents({ forms }).surveys.getAccessCode(PLACE))).to.have.property(
      'code',
      'not_in_policy',
    );
  });

  it('open no survey that changes what decides about a record, or whose values REDCap keeps apart', async () => {
    const settings = { secondary_unique_field: 'pulse' };
    const unique = await another({ ...STUDY, project: { ...STUDY.project, settings } });
    const ofGroup = { rows: { kind: 'dag', dag: 'paris' } } as const;
    const views: [Partial<ProjectView>, CrfCalls][] = [
      [{ deciding: new Set(['pulse']) }, calls],
      [{ deciding: new Set(['visit_complete']) }, calls],
      [ofGroup, unique],
      [{ events: new Set(['start_arm_1']) }, unique],
    ];
    for (const [view, of] of views) {
      const { surveys, pdf } = documents(view, of);
      for (const call of [...OPENINGS.map((name) => surveys[name](PLACE)), surveys.getQueueLink('A-1')])
        expect(await rejection(call)).to.have.property('code', 'not_in_policy');
      (await pdf.get(PLACE)).body.destroy();
    }
    expect(await documents({}, unique).surveys.getLink(PLACE)).to.match(/^http/);
    expect(await documents({ ...ofGroup, deciding: new Set(['age']) }).surveys.getLink(PLACE)).to.match(
      /^http/,
    );
  });

  it('open a survey with a file field only to whom may change files', async () => {
    const withFile = await another({
      ...STUDY,
      fields: STUDY.fields.map((field) => (field.name === 'pulse' ? { ...field, type: 'file' } : field)),
    });

    for (const files of ['none', 'read'] as const)
      expect(await rejection(documents({ files }, withFile).surveys.getLink(PLACE))).to.have.property(
        'code',
        'not_in_policy',
      );
    expect(await documents({ files: 'write' }, withFile).surveys.getLink(PLACE)).to.match(/^http/);
  });

  it('list the participants only to whom may change everything of all records', async () => {
    const survey = { instrument: 'visit', event: 'start_arm_1' };

    expect(await documents({}).surveys.listParticipants(survey)).to.be.an('array');
    for (const view of [{ fields: without('drug') }, { rows: { kind: 'dag', dag: 'paris' } } as const]) {
      expect(await rejection(documents(view).surveys.listParticipants(survey))).to.have.property(
        'code',
        'not_in_policy',
      );
    }
  });

  it('do not know a hidden record, instrument or event', async () => {
    const view = {
      forms: new Map([...FORMS].filter(([name]) => name !== 'base')),
      events: new Set(['start_arm_1']),
    };
    const { pdf, surveys } = documents(view);
    for (const [hidden, unknown] of [
      [() => pdf.get({ ...PLACE, record: 'B-2' }), () => pdf.get({ ...PLACE, record: 'C-3' })],
      [() => pdf.get({ ...PLACE, instrument: 'base' }), () => pdf.get({ ...PLACE, instrument: 'none' })],
      [() => pdf.get({ ...PLACE, event: 'end_arm_1' }), () => pdf.get({ ...PLACE, event: 'none_arm_1' })],
      [
        () => surveys.getLink({ ...PLACE, record: 'B-2' }),
        () => surveys.getLink({ ...PLACE, record: 'C-3' }),
      ],
      [
        () => surveys.getLink({ ...PLACE, instrument: 'base' }),
        () => surveys.getLink({ ...PLACE, instrument: 'none' }),
      ],
      [
        () => surveys.getLink({ ...PLACE, record: 'B-2', event: 'end_arm_1' }),
        () => surveys.getLink({ ...PLACE, record: 'C-3' }),
      ],
    ] as const) {
      const [first, second] = [await rejection(hidden()), await rejection(unknown())];

      expect(first).to.not.have.property('code', 'not_in_policy');
      // Both say the name that was asked for, and nothing else.
      expect(first.message.replace(/^\w+ /, '')).to.equal(second.message.replace(/^\w+ /, ''));
    }
  });

  it('leave no answer of REDCap open that nobody reads', async () => {
    const { pdf } = documents({});
    for (let call = 0; call < 20; call++) await rejection(pdf.get({ ...PLACE, record: 'B-2' }));

    expect(await textOf(PLACE, {})).to.include('Record A-1');
  });

  it('have no part in what is de-identified', async () => {
    const view = documents({ deidentify: deidentifiedBy() });

    expect(await rejection(view.pdf.get(PLACE))).to.have.property('code', 'not_in_policy');
    expect(await rejection(view.surveys.getLink(PLACE))).to.have.property('code', 'not_in_policy');
  });
});

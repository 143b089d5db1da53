import { expect } from 'chai';
import { CallerViews, type BoundCaller } from '../../../src/policy/caller-views.js';
import { readPolicyFile } from '../../../src/policy/policy-file.js';
import { acceptAll } from '../../../src/policy/policy-lock.js';
import { loadProjectStructure } from '../../../src/records/load-project-structure.js';
import { BLANK_USER } from '../../../src/sandbox/redcap/caller.js';
import type { FormRights } from '../../../src/sandbox/redcap/rights.js';
import type { Study, StudyUser } from '../../../src/sandbox/redcap/study.js';
import { rejection } from '../../support/rejection.js';
import { startSandboxClient, type SandboxClient } from '../../support/sandbox-client.js';
import { armsStudy } from '../../support/studies.js';

const POLICY = `version: 1
policies:
  monitor: { records: { dag: $caller.dag }, forms: { "*": read } }
bindings:
  - { session: "*@site.example", policy: monitor, dag: $user.dag }
  - { session: "*@partner.example", mirror: redcap-user }
`;

const person = (email: string): BoundCaller => ({ kind: 'session', name: 'session', user: { email } });

const user = (name: string, more: Partial<StudyUser>): StudyUser => ({
  ...BLANK_USER,
  username: name,
  email: `${name}@site.example`,
  ...more,
});

const rights = (forms: Record<string, number>, formsExport: Record<string, number>): FormRights => ({
  forms,
  formsExport,
});

function studyWith(...users: StudyUser[]): Study {
  const study = armsStudy();
  const groups = [
    { id: 1, name: 'Paris', uniqueName: 'paris' },
    { id: 2, name: 'Rome', uniqueName: 'rome' },
  ];
  return { ...study, groups, users: [...study.users, ...users] };
}

describe('The view of a caller', () => {
  let started: SandboxClient | undefined;
  afterEach(() => started?.close());

  let time = 0;
  async function viewsOf(study: Study, text = POLICY): Promise<CallerViews> {
    started = await startSandboxClient(study);
    const set = readPolicyFile(text);
    const lock = acceptAll(set, await loadProjectStructure(started.client));
    time = Date.UTC(2026, 10, 28);
    return new CallerViews(started.client, { set, lock }, 'secret', { clock: () => time });
  }
  const refusal = async (views: CallerViews, address: string): Promise<unknown> =>
    ((await rejection(views.viewOf(person(address)))) as { code?: unknown }).code;

  it('has the records of the group of the REDCap user with the address of the person', async () => {
    const views = await viewsOf(studyWith(user('ada', { group: 'paris' })));

    const { rows, policy } = await views.viewOf(person('Ada@Site.example'));
    expect({ rows, policy }).to.deep.equal({ rows: { kind: 'dag', dag: 'paris' }, policy: 'monitor' });
  });

  it('is none for a person without a user or a group, with several users, or whose access is over', async () => {
    const views = await viewsOf(
      studyWith(
        user('nogroup', {}),
        user('twin', { group: 'paris', email: 'twins@site.example' }),
        user('twin2', { group: 'paris', email: 'twins@site.example' }),
        user('past', { group: 'paris', expiration: '2020-01-01' }),
      ),
    );
    for (const name of ['nobody', 'nogroup', 'twins', 'past'])
      expect(await refusal(views, `${name}@site.example`), name).to.equal('not_in_policy');
    expect(await refusal(views, 'ada@elsewhere.example')).to.equal('not_in_policy');
  });

  it('is none from the day on which access ends, by the clock that is given', async () => {
    const views = await viewsOf(studyWith(user('ada', { group: 'paris', expiration: '2031-02-03' })));

    time = Date.UTC(2031, 1, 2, 23, 59);
    expect((await views.viewOf(person('ada@site.example'))).rows).to.have.property('dag', 'paris');
    time = Date.UTC(2031, 1, 3);
    expect(await refusal(views, 'ada@site.example')).to.equal('not_in_policy');
  });

  it('follows a change of the group after a minute', async () => {
    const views = await viewsOf(studyWith(user('ada', { group: 'paris' })));
    const groupOf = async (): Promise<unknown> => (await views.viewOf(person('ada@site.example'))).rows;
    await groupOf();
    await started?.client.users.put([{ username: 'ada', dag: 'rome' }]);

    time += 59_000;
    expect(await groupOf()).to.deep.equal({ kind: 'dag', dag: 'paris' });
    time += 1000;
    expect(await groupOf()).to.deep.equal({ kind: 'dag', dag: 'rome' });
  });

  it('mirrors what REDCap shows a user: forms, changes, exports and the group', async () => {
    const email = { email: 'ada@partner.example' };
    const formRights = rights({ enrol: 2, visit: 1, meds: 1 }, { enrol: 3, visit: 1, meds: 2 });
    const views = await viewsOf(studyWith(user('ada', { ...email, group: 'rome', formRights })));
    const view = await views.viewOf(person(email.email));

    expect(view.rows).to.deep.equal({ kind: 'dag', dag: 'rome' });
    expect(view.policy).to.equal('mirror:redcap-user');
    // Without the identifier of the first form, and without the form that is exported only de-identified.
    expect([...view.forms]).to.deep.equal([
      ['enrol', 'read'],
      ['visit', 'write'],
    ]);
    expect([...view.fields.keys()])
      .to.include.members(['id', 'note', 'weight'])
      .and.not.include('name');
    expect([...view.fields.keys()]).to.not.include('drug');
    expect([view.create.kind, view.files, view.log]).to.deep.equal(['none', 'none', 'none']);
  });

  it('mirrors the numbers of rights that REDCap has since 15.6, and nothing for who may export nothing', async () => {
    const of = (name: string, formRights: FormRights): StudyUser =>
      user(name, { email: `${name}@partner.example`, formRights });
    const full = { enrol: 1, visit: 1, meds: 1 };
    const views = await viewsOf(
      studyWith(
        of('new', rights({ enrol: 129, visit: 130, meds: 128 }, full)),
        of('blind', rights({ enrol: 1, visit: 1, meds: 1 }, { enrol: 0, visit: 0, meds: 0 })),
        of('shut', rights({ enrol: 0, visit: 128, meds: 0 }, full)),
      ),
    );

    expect([...(await views.viewOf(person('new@partner.example'))).forms]).to.deep.equal([
      ['enrol', 'read'],
      ['visit', 'write'],
    ]);
    for (const name of ['blind', 'shut', 'nobody'])
      expect(await refusal(views, `${name}@partner.example`), name).to.equal('not_in_policy');
  });

  it('has one key for users whom REDCap shows the same', async () => {
    const of = (name: string, group: string): StudyUser =>
      user(name, { email: `${name}@partner.example`, group, formRights: rights({ visit: 1 }, { visit: 1 }) });
    const views = await viewsOf(studyWith(of('ada', 'paris'), of('bob', 'paris'), of('eve', 'rome')));
    const keyOf = async (name: string): Promise<string> =>
      (await views.viewOf(person(`${name}@partner.example`))).key;

    expect(await keyOf('ada')).to.equal(await keyOf('bob'));
    expect(await keyOf('ada')).to.not.equal(await keyOf('eve'));
  });

  it('is compiled once for as long as the project stays the same, also without a cache', async () => {
    const views = await viewsOf(studyWith(user('ada', { group: 'paris' })));
    const before = await views.viewOf(person('ada@site.example'));
    started?.client.clearCache();
    const after = await views.viewOf(person('ada@site.example'));
    expect(after.fields).to.equal(before.fields);

    await started?.client.fields.put((await started.client.fields.list()).slice(0, -1));
    expect((await views.viewOf(person('ada@site.example'))).fields).to.not.equal(before.fields);
  });
});

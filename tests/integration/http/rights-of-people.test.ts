import { expect } from 'chai';
import { text } from 'node:stream/consumers';
import { CallerViews, type PolicyFiles } from '../../../src/policy/caller-views.js';
import type { Grants } from '../../../src/policy/grants.js';
import { readPolicyFile } from '../../../src/policy/policy-file.js';
import { acceptAll } from '../../../src/policy/policy-lock.js';
import { loadProjectStructure } from '../../../src/records/load-project-structure.js';
import { LAST_DAY } from '../../../src/sandbox/demo-study/made-up.js';
import { createNamedStudy } from '../../../src/sandbox/named-study.js';
import { startSandboxClient, type SandboxClient } from '../../support/sandbox-client.js';
import type { SignInClient } from '../../support/sign-in-client.js';
import { PREFIX } from '../../support/start-service.js';
import { startServiceWithAuth, type ServiceWithAuth } from '../../support/start-service-with-auth.js';

const POLICY = `version: 1
policies:
  monitor:
    records: { dag: le_havre }
    events: [enrolment_arm_1, week_4_arm_1]
    forms: { enrolment: read, vitals: write }
    fields: { hide: [email, first_name, last_name, userid] }
    create: { prefix: HAVRE- }
    files: read
    reports: [1]
  participant:
    records: { own: { field: email, event: [enrolment_arm_2, enrolment_arm_1], equals: $session.email } }
    forms: { vitals: read }
  adults: { records: { where: "[age] >= 18" }, forms: { vitals: read }, create: false, files: read }
  analyst: { records: { dag: le_havre }, forms: { vitals: read }, deidentify: limited }
  outdated: { records: all, forms: { vitals: read }, fields: { hide: [no_such_field] } }
bindings:
  - { session: monitor@example.org, policy: monitor }
  - { session: participant@example.org, policy: participant }
  - { session: adults@example.org, policy: adults }
  - { session: analyst@example.org, policy: analyst }
  - { session: outdated@example.org, policy: outdated }
`;

const SCOPES = ['project:read', 'records:read', 'records:write', 'files:read'] as const;
const ENROLMENT = 'enrolment_arm_1';
/** The name of the project in `npm run test:projects`. */
const PROJECT = PREFIX.replace('/projects/', '');

describe('What a signed-in person sees under a policy (GW-03)', () => {
  let sandbox: SandboxClient;
  let site: ServiceWithAuth;
  /** A record of Le Havre, one of another site, and that of the participant. */
  let here: string;
  let elsewhere: string;
  let own: string;
  /** What the monitor must not see of the record of Le Havre. */
  let personal: readonly string[];

  before(async () => {
    sandbox = await startSandboxClient(await createNamedStudy({ study: 'longitudinal', until: LAST_DAY }));
    const { client } = sandbox;
    const rows = await client.exportRecords({ events: [ENROLMENT], exportDataAccessGroups: true });
    const ofGroup = (isHere: boolean) =>
      rows.find((row) => (row.redcap_data_access_group === 'le_havre') === isHere);
    const [first, other] = [ofGroup(true), ofGroup(false)];
    here = String(first?.record_id);
    elsewhere = String(other?.record_id);
    own = elsewhere;
    personal = [first?.email, first?.last_name].map(String);
    await client.importRecords([
      { record_id: own, redcap_event_name: ENROLMENT, email: 'participant@example.org' },
    ]);
    const set = readPolicyFile(POLICY);
    const files: PolicyFiles = { set, lock: acceptAll(set, await loadProjectStructure(client)) };
    site = await startServiceWithAuth(
      {},
      {
        capture: client,
        policy: new CallerViews(client, files, 'secret', { pseudonymKey: { reveal: () => 'ab'.repeat(32) } }),
        access: { sessionScopes: SCOPES },
        study: {
          schedule: {
            anchor: 'consent_date',
            visits: { week_4_arm_1: { day: 28, before: 0, after: 0 } },
          },
        },
      },
    );
  });
  after(async () => {
    await site.close();
    await sandbox.close();
  });

  const read = async (browser: SignInClient, path: string, init?: RequestInit) => {
    const answer = await browser.send(path, init);
    return { status: answer.status, text: await answer.text() };
  };
  const policyOf = async (name: string): Promise<Partial<Grants>> => {
    const { text } = await read(await site.signedIn(name), '/api/v1/auth/me');
    const [policy = {}] = (JSON.parse(text) as { data: { policies: Partial<Grants>[] } }).data.policies;
    return policy;
  };

  it('is told by /auth/me, in the words of crf policy explain', async () => {
    expect(await policyOf('monitor')).to.deep.equal({
      project: PROJECT,
      scopes: SCOPES,
      policy: 'monitor',
      records: 'those of the data access group le_havre',
      instruments: { enrolment: 'read', vitals: 'write' },
      events: [ENROLMENT, 'week_4_arm_1'],
      creatingRecords: 'under an id that begins with HAVRE-',
      files: 'read',
      reports: [1],
      log: 'none',
    });
    expect((await policyOf('analyst')).deidentification).to.equal('limited. A record id is a pseudonym');
  });

  it('names nothing in /auth/me that is hidden from the person', async () => {
    expect((await policyOf('participant')).records).to.equal(
      'the one with the address of the caller; none if there are several',
    );
    expect((await policyOf('adults')).records).to.equal('those that satisfy a condition of the policy');
    expect((await policyOf('analyst')).records).to.equal('those of one data access group');
  });

  it('has the code of the problem in /auth/me where there are no rights', async () => {
    const of = (problem: string) => ({ project: PROJECT, scopes: SCOPES, problem });

    expect(await policyOf('nobody')).to.deep.equal(of('not_in_policy'));
    expect(await policyOf('outdated')).to.deep.equal(of('policy_invalid'));
  });

  const PAGES = ['/dashboard', '/dashboard/records', '/dashboard/forms', '/dashboard/due'];
  for (const path of [...PAGES, '/dashboard/records.csv', '/dashboard/due.csv', '/dashboard/due.ics'])
    it(`is all that ${path} has`, async () => {
      const { status, text } = await read(await site.signedIn('monitor'), path);
      const all = (await sandbox.client.exportRecords({ exportDataAccessGroups: true })).filter(
        (row) => row.redcap_data_access_group !== 'le_havre',
      );
      const others = all.filter((row) => text.includes(String(row.record_id)));

      expect(status).to.equal(200);
      expect(others).to.deep.equal([]);
      expect(text).to.not.match(/quality_of_life|Quality of life|sleep/i);
    });

  it('has a page for a record of the view; others are answered as those that do not exist', async () => {
    const browser = await site.signedIn('monitor');
    const page = await read(browser, `/dashboard/records/${here}`);
    const hidden = await read(browser, `/dashboard/records/${elsewhere}`);
    const unknown = await read(browser, '/dashboard/records/TRIAL-2026-PARTICIPANT-9999');
    const plain = (text: string, id: string): string =>
      text.replaceAll(id, 'ID').replace(/[0-9a-f-]{36}/g, '');

    expect(page.status).to.equal(200);
    expect(page.text)
      .to.include('Vital signs')
      .and.not.match(/Quality of life|Adverse event/i);
    for (const value of personal) expect(page.text).to.not.include(value);
    expect([hidden.status, unknown.status]).to.deep.equal([404, 404]);
    expect(plain(hidden.text, elsewhere)).to.equal(plain(unknown.text, 'TRIAL-2026-PARTICIPANT-9999'));
  });

  it('is the one record of a participant, on pages and in exports', async () => {
    const browser = await site.signedIn('participant');
    const { text } = await read(browser, '/api/v1/records?format=csv&fields=record_id');
    const ids = new Set(
      text
        .split('\n')
        .slice(1, -1)
        .map((line) => line.split(',')[0]),
    );

    expect(ids).to.deep.equal(new Set([own]));
    expect((await read(browser, `/dashboard/records/${own}`)).status).to.equal(200);
    expect((await read(browser, `/dashboard/records/${here}`)).status).to.equal(404);
  });

  it('has its files; what is hidden is answered as what does not exist, in the same bytes', async () => {
    const [monitor, adult] = [await site.signedIn('monitor'), await site.signedIn('adults')];
    const rows = await sandbox.client.exportRecords({ events: [ENROLMENT], exportDataAccessGroups: true });
    const recordWhere = (group: boolean, file: boolean): string => {
      const isMeant = (row: (typeof rows)[number]) =>
        (row.redcap_data_access_group === 'le_havre') === group && (row.consent_form !== '') === file;
      const id = rows.find(isMeant)?.record_id;
      if (typeof id !== 'string') throw new Error('The study has no such record.');
      return id;
    };
    const file = async (browser: SignInClient, id: string, field = 'consent_form', event = ENROLMENT) => {
      const answer = await browser.send(`/api/v1/records/${id}/files/${field}?event=${event}`);
      // A name that the caller sent is repeated.
      const body = (await answer.text())
        .replace(/"instance":"[^"]*"/, '')
        .replaceAll(field, 'FIELD')
        .replaceAll(event, 'EVENT');
      return { status: answer.status, body, headers: [...answer.headers.keys()].sort() };
    };
    const seen = recordWhere(true, true);
    const absent = await file(monitor, 'TRIAL-2026-PARTICIPANT-9999');
    const unknownField = await file(adult, seen, 'no_such_field');
    const unknownEvent = await file(monitor, seen, 'consent_form', 'no_such_arm_1');
    const stored = await sandbox.client.files.get({
      record: seen,
      field: 'consent_form',
      event: ENROLMENT,
    });

    expect(await file(monitor, seen)).to.include({ status: 200, body: await text(stored.body) });
    expect(absent).to.include({ status: 404 });
    expect(absent.body).to.include('file_not_found');
    expect(await file(monitor, recordWhere(true, false))).to.deep.equal(absent);
    expect(await file(monitor, recordWhere(false, true))).to.deep.equal(absent);
    // The field is in the path, the event is an argument.
    expect([unknownField.status, unknownEvent.status]).to.deep.equal([404, 400]);
    expect(await file(adult, seen)).to.deep.equal(unknownField);
    expect(await file(monitor, seen, 'consent_form', 'week_1_arm_1')).to.deep.equal(unknownEvent);
  });

  it('does not name what the plan of the study has of the hidden part', async () => {
    const { status, text } = await read(await site.signedIn('participant'), '/dashboard/due');

    expect(status).to.equal(200);
    expect(text).to.include('visits are missing from this list').and.not.include('consent_date');
  });

  it('has plots of its own numbers, and files for saving', async () => {
    const [monitor, participant] = [await site.signedIn('monitor'), await site.signedIn('participant')];
    const of = (browser: SignInClient) => read(browser, '/dashboard/plots/completeness.csv');
    const [first, second] = [await of(monitor), await of(participant)];

    expect([first.status, second.status]).to.deep.equal([200, 200]);
    expect(first.text)
      .to.not.equal(second.text)
      .and.not.match(/quality/i);
  });

  it('is what /try-file checks a file against, and stores', async () => {
    const browser = await site.signedIn('monitor');
    const form = (csv: string): RequestInit => {
      const body = new FormData();
      body.set('file', new Blob([csv], { type: 'text/csv' }), 'records.csv');
      return { method: 'POST', body, headers: { 'sec-fetch-site': 'same-origin' } };
    };
    const tried = async (column: string, record = here) => {
      const csv = `record_id,redcap_event_name,${column}\n${record},${ENROLMENT},61.5\n`;
      return (await read(browser, '/try-file', form(csv))).text;
    };

    expect(await tried('weight_kg')).to.include('1 record could be stored');
    expect((await tried('email')).replaceAll('email', 'emajl')).to.equal(await tried('emajl'));
    const stored = await read(
      browser,
      '/try-file?store=yes',
      form(`record_id,redcap_event_name,weight_kg\n${elsewhere},${ENROLMENT},61.5\n`),
    );
    expect(stored.text).to.not.include('has been stored');
    const [row] = await sandbox.client.exportRecords({
      records: [elsewhere],
      events: [ENROLMENT],
      fields: ['weight_kg'],
    });
    expect(row?.weight_kg).to.not.equal('61.5');
  });

  it('is nothing on pages for whoever has no policy, and 503 for a policy that does not fit', async () => {
    for (const [name, status, code] of [
      ['nobody', 403, 'not_in_policy'],
      ['outdated', 503, 'policy_invalid'],
    ] as const) {
      const browser = await site.signedIn(name);
      for (const path of PAGES) {
        const page = await read(browser, path);
        expect([page.status, page.text.includes(code)], `${name} ${path}`).to.deep.equal([status, true]);
      }
    }
  });
});

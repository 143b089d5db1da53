import { expect } from 'chai';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { armsStudy, randomizedStudy } from '../../support/studies.js';
import { jsonOf, textOf, type Form, type TestSandbox } from './wire.js';

type Entry = Readonly<Record<'action' | 'details' | 'record', string>>;

/** The texts of the log, as real servers have them: docs/protocol/redcap.md 13.2, 20. */
describe('The texts of the log of the REDCap sandbox', () => {
  let sandbox: TestSandbox;

  afterEach(() => sandbox.close());

  const entries = async (form: Form = {}): Promise<Entry[]> =>
    (await jsonOf(sandbox, { content: 'log', ...form })) as Entry[];
  const upload = async (form: Record<string, string>): Promise<void> => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ token: sandbox.token, ...form })) body.append(name, value);
    body.append('file', new Blob(['x']), 'a.txt');
    await fetch(sandbox.url, { method: 'POST', body });
  };
  const place = { content: 'file', record: '1', field: 'consent', event: 'start_arm_1' };

  it('have a blank at the end of an export, in every format', async () => {
    sandbox = await startTestSandbox(armsStudy());
    await textOf(sandbox, { content: 'record', format: 'csv' });
    await textOf(sandbox, { content: 'record', format: 'odm' });

    const actions = (await entries({ logtype: 'export' })).map(({ action }) => action);

    expect(actions).to.deep.equal(['Data Export (API) ', 'Data Export (API) ']);
  });

  it('name documents, which change a record and are no edit of it', async () => {
    sandbox = await startTestSandbox(armsStudy());
    await upload({ ...place, action: 'import' });
    await textOf(sandbox, { ...place, action: 'export' });
    await textOf(sandbox, { ...place, action: 'delete' });

    expect(await entries({ logtype: 'record_edit' })).to.deep.equal([]);
    expect(await entries({ logtype: 'record' })).to.deep.equal([]);
    const documents = (await entries({ record: '1' })).filter(({ action }) =>
      /document/i.test(String(action)),
    );
    expect(documents.map(({ action, details }) => [action, details])).to.deep.equal([
      ['Deleted Document 1', 'consent'],
      ['Download uploaded document 1', 'consent'],
      ['Uploaded Document 1', 'consent'],
    ]);
  });

  it('name event, instance, checkboxes and the new record of an import, in an entry for each row', async () => {
    sandbox = await startTestSandbox(armsStudy());
    const header =
      'id,redcap_event_name,redcap_repeat_instrument,redcap_repeat_instance,name,marks___aa,drug\n';
    const data = `${header}9,start_arm_1,,,Eve,1,\n9,start_arm_1,meds,2,,,x\n`;

    await textOf(sandbox, { content: 'record', data });
    await textOf(sandbox, {
      content: 'record',
      data: 'id,redcap_event_name,name,marks___aa\n9,start_arm_1,,0\n',
      overwriteBehavior: 'overwrite',
    });

    const texts = (await entries({ record: '9' })).map(({ action, details }) => [action, details]);
    expect(texts).to.deep.equal([
      ['Update record (API) 9 (Start (Arm 1: Drug A))', "name = '', marks(Aa) = unchecked"],
      ['Update record (API) 9 (Start (Arm 1: Drug A))', "[instance = 2], drug = 'x'"],
      ['Create record (API) 9 (Start (Arm 1: Drug A))', "id = '9', name = 'Eve', marks(Aa) = checked"],
    ]);
  });

  it('say that a record was randomized, after its value', async () => {
    sandbox = await startTestSandbox({ ...randomizedStudy(), rows: [{ id: '1' }] });
    const form = { content: 'record', action: 'randomize', record: '1', randomization_id: '1' };

    await jsonOf(sandbox, form);

    const [randomized, updated] = await entries({ record: '1' });
    expect(randomized).to.include({ action: 'Randomize Record (API) 1', details: 'Randomize record' });
    expect(updated?.action).to.equal('Update record (API) 1');
    expect(updated?.details).to.match(/^sex = '[12]'$/);
  });

  it('are selected by a group, named by its number or its unique name', async () => {
    sandbox = await startTestSandbox({
      ...armsStudy(),
      groups: [
        { name: 'North', uniqueName: 'north', id: 11 },
        { name: 'South', uniqueName: 'south', id: 12 },
      ],
    });
    const header = 'id,redcap_event_name,redcap_data_access_group\n';
    await textOf(sandbox, { content: 'record', data: `${header}7,start_arm_1,north\n8,start_arm_1,south\n` });

    for (const dag of ['11', 'north']) {
      expect((await entries({ dag })).map(({ record }) => record)).to.deep.equal(['7']);
    }
    // One that is unknown does not filter, and is not refused.
    expect((await entries({ dag: 'North' })).map(({ record }) => record)).to.include.members(['7', '8']);
  });

  it('have a header in CSV without entries too, and are an empty list otherwise', async () => {
    sandbox = await startTestSandbox(armsStudy());
    const none = { content: 'log', user: 'nobody' };

    expect(await textOf(sandbox, { ...none, format: 'csv' })).to.equal(
      'timestamp,username,action,details,record\n',
    );
    expect(await textOf(sandbox, { ...none, format: 'json' })).to.equal('[]');
    expect(await textOf(sandbox, { ...none, format: 'xml' })).to.not.include('<item>');
  });

  it('leave out page views, unless they are asked for', async () => {
    sandbox = await startTestSandbox(armsStudy());
    const view = { username: 'ada', kind: 'page_view', action: 'Page View', details: '' } as const;
    sandbox.project.log.add(view);

    expect(await entries({ user: 'ada' })).to.deep.equal([]);
    expect(await entries({ user: 'ada', logtype: 'page_view' })).to.have.length(1);
  });
});

import { expect } from 'chai';
import { startRedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import { armsStudy, classicStudy } from '../../support/studies.js';
import { jsonOf, textOf, type TestSandbox } from './wire.js';

describe('What other clients expect of the REDCap sandbox', () => {
  const superToken = 'C'.repeat(64);
  let sandbox: TestSandbox;

  before(async () => {
    const started = await startRedcapSandbox({
      study: armsStudy(),
      otherStudies: [
        {
          ...classicStudy(),
          users: classicStudy().users.map((user) => ({ ...user, token: 'A'.repeat(32) })),
        },
      ],
      superToken,
      publicUrl: 'https://redcap.example.edu/redcap/',
    });
    sandbox = { ...started, token: started.project.study.users[0]?.token ?? '' };
  });

  after(() => sandbox.close());

  it('links carry the address that the server calls itself by', async () => {
    const queue = await textOf(sandbox, { content: 'surveyQueueLink', record: '1' });

    expect(queue).to.match(/^https:\/\/redcap\.example\.edu\/redcap\/surveys\/\?sq=\w+$/);
  });

  it('each token reaches its own project', async () => {
    const first = await jsonOf(sandbox, { content: 'project' });
    const other = await jsonOf({ ...sandbox, token: 'A'.repeat(32) }, { content: 'project' });

    expect([first, other].map((project) => (project as { project_id: number }).project_id)).to.deep.equal([
      1, 2,
    ]);
  });

  it('a project is made of one item of XML, which stands alone', async () => {
    const data =
      '<?xml version="1.0" encoding="UTF-8" ?>\n<item>\n<project_title>Made</project_title>\n<purpose>0</purpose>\n</item>';

    const token = await textOf(
      { ...sandbox, token: superToken },
      { content: 'project', format: 'xml', data },
    );

    expect(await jsonOf({ ...sandbox, token }, { content: 'project' })).to.include({ project_title: 'Made' });
  });

  it('a list that was exported as XML can be imported', async () => {
    const list = { content: 'repeatingFormsEvents', format: 'xml' };
    const data = await textOf(sandbox, list);

    expect(await textOf(sandbox, { ...list, data })).to.equal('2');
    expect(await textOf(sandbox, list)).to.equal(data);
  });
});

import { expect } from 'chai';
import { text } from 'node:stream/consumers';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { createLongitudinalStudy } from '../../../src/sandbox/longitudinal-study/longitudinal-study.js';
import { rejection } from '../../support/rejection.js';
import { runCrf } from '../../support/run-crf.js';
import { startSandboxClient, type SandboxClient } from '../../support/sandbox-client.js';

describe('A project created from project XML', function () {
  this.timeout(60_000);
  const superToken = 'C'.repeat(64);
  let original: SandboxClient;
  let xml: string;

  before(async () => {
    original = await startSandboxClient(createLongitudinalStudy({ participants: 6 }), { superToken });
    xml = await text(await original.client.project.openXml());
  });
  after(() => original.close());

  it('has the design and the records of the other one', async () => {
    const { url } = original.sandbox;
    const creator = createCrfClient({ url, token: superToken });
    const token = await creator.project.create({ title: 'Copy', purpose: 0, odm: xml });
    const copy = createCrfClient({ url, token });

    expect((await copy.project.getInfo()).title).to.equal('Copy');
    expect(await copy.fields.list()).to.deep.equal(await original.client.fields.list());
    expect(await copy.events.list()).to.have.length((await original.client.events.list()).length);
    // Calculated values are computed when a record is saved, and this export has no files.
    const fields = (await copy.fields.list())
      .filter(({ type }) => !['calc', 'file', 'descriptive'].includes(type))
      .map(({ name }) => name);
    expect(await copy.exportRecords({ fields })).to.deep.equal(
      await original.client.exportRecords({ fields }),
    );
    for (const client of [creator, copy]) client.close();
  });

  it('is created by crf project create --xml', async () => {
    const environment = { CAPTURE_API_URL: original.sandbox.url, CAPTURE_API_TOKEN: superToken };
    const args = ['project', 'create', 'From a file', '--xml', '-', '--yes'];
    const { exitCode, stdout, stderr } = await runCrf(args, { environment, input: xml });
    const copy = createCrfClient({ url: original.sandbox.url, token: stdout.trim() });

    expect(exitCode, stderr).to.equal(0);
    expect(await copy.exportRecords({ fields: ['record_id'] })).to.not.be.empty;
    copy.close();
  });

  it('is refused where the text is not project XML, or blank', async () => {
    const refused = await startSandboxClient(createLongitudinalStudy({ participants: 1 }), {
      token: superToken,
      superToken,
    });
    const project = { title: 'Copy', purpose: 0 };

    expect(await rejection(refused.client.project.create({ ...project, odm: '<ODM>' }))).to.have.property(
      'code',
      'upstream_rejected',
    );
    expect(await rejection(refused.client.project.create({ ...project, odm: ' ' }))).to.have.property(
      'code',
      'invalid_request',
    );
    await refused.close();
  });

  it('takes its properties from the XML alone', async () => {
    const { exitCode, stderr } = await runCrf(['project', 'create', 'A', '--xml', 'a.xml', '--surveys']);

    expect(exitCode).to.equal(2);
    expect(stderr).to.include('--xml cannot be combined with --surveys: the XML says it');
  });
});

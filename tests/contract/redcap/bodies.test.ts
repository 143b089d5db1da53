import { expect } from 'chai';
import { Parameters } from '../../../src/wire/parameters.js';
import { cpuMsOf } from '../../support/cpu-ms-of.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { classicStudy } from '../../support/studies.js';
import { post, textOf, type TestSandbox } from './wire.js';

describe('The bodies that the REDCap sandbox reads', () => {
  let sandbox: TestSandbox;
  const send = async (type: string, body: string): Promise<{ status: number; text: string }> => {
    const response = await fetch(sandbox.url, { method: 'POST', headers: { 'content-type': type }, body });
    return { status: response.status, text: await response.text() };
  };

  before(async () => {
    sandbox = await startTestSandbox(classicStudy());
  });
  after(() => sandbox.close());

  it('are URL-encoded, whatever the media type says', async () => {
    const form = `token=${sandbox.token}&content=version`;

    expect(await send('application/x-www-form-urlencoded; charset=utf-8', form)).to.include({ status: 200 });
    expect(await send('text/plain', form)).to.include({ status: 200 });
  });

  it('are read in linear time, whatever the names of the parameters', () => {
    const name = `${'['.repeat(100_000)}x`;

    expect(cpuMsOf(() => new Parameters([[name, '1']]))).to.be.below(1000);
  });

  for (const [what, type, body] of [
    ['JSON', 'application/json', '{"token":"C0FFEE00C0FFEE00C0FFEE00C0FFEE00","content":"version"}'],
    ['nothing', 'application/x-www-form-urlencoded', ''],
    ['multipart without a boundary', 'multipart/form-data', '--x\r\n'],
    [
      'multipart that ends in the middle',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="token"\r\n\r\nC0FF',
    ],
    [
      'multipart with a file that begins after its end',
      'multipart/form-data; boundary=x',
      '--x--\r\n--x\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nnot read',
    ],
  ] as const) {
    it(`are refused with 403 without a token if they are ${what}`, async () => {
      expect((await send(type, body)).status).to.equal(403);
    });
  }

  it('may be multipart with lists counted from 1 and with a file, as redcapAPI sends them', async () => {
    const body = new FormData();
    for (const [name, value] of Object.entries({
      token: sandbox.token,
      content: 'record',
      format: 'csv',
      'fields[1]': 'id',
      'fields[2]': 'sex',
      'records[1]': 'A-1',
    })) {
      body.append(name, value);
    }
    body.append('file', new Blob(['not read']), 'a.txt');
    const response = await fetch(sandbox.url, { method: 'POST', body });

    expect(await response.text()).to.equal('id,sex\nA-1,2\n');
  });

  it('use the last of two equal parameters, as PHP does', async () => {
    const body = `token=${sandbox.token}&content=nonsense&content=version`;

    expect((await send('application/x-www-form-urlencoded', body)).text).to.equal('16.1.9');
  });

  it('may contain unknown parameters and leave optional ones empty', async () => {
    const empty = {
      records: '',
      fields: '',
      events: '',
      filterLogic: '',
      dateRangeBegin: '',
      dateRangeEnd: '',
    };

    expect(await textOf(sandbox, { content: 'record', arm: '1', ...empty })).to.equal(
      await textOf(sandbox, { content: 'record' }),
    );
  });

  for (const [value, isSet] of [
    ['true', true],
    ['TRUE', true],
    ['True', true],
    ['1', true],
    ['false', false],
    ['0', false],
    ['', false],
    ['yes', false],
    [undefined, false],
  ] as const) {
    it(`treat the flag ${value ?? 'that is absent'} as ${isSet ? 'set' : 'not set'}`, async () => {
      const row = await textOf(sandbox, {
        content: 'record',
        records: '10',
        fields: 'sites',
        rawOrLabel: 'label',
        exportCheckboxLabel: value,
      });

      expect(row.split('\n')[1]).to.equal(isSet ? 'North,,' : 'Checked,Unchecked,Unchecked');
    });
  }

  it('have list items trimmed, keep commas in bracketed items, and ignore empty lists', async () => {
    const ids = async (form: Record<string, string>): Promise<string> =>
      textOf(sandbox, { content: 'record', fields: 'id', ...form });

    expect(await ids({ records: ' 2 ,, A-1 ' })).to.equal('id\n2\nA-1\n');
    expect(await ids({ 'records[0]': '2,A-1' })).to.equal('\n');
    expect(await ids({ 'records[0]': '' })).to.equal('id\n2\n10\nA-1\n');
    expect(await ids({ 'records[7]': 'A-1', 'records[x]': '2' })).to.equal('id\n2\nA-1\n');
  });

  it('keep every character of a value', async () => {
    const odd = 'é 李 😀 "\' <b>&amp;</b> % + = \t\u0001 ]]> \\';
    await post(sandbox, { content: 'record', format: 'json', data: JSON.stringify([{ id: odd }]) });

    const rows = JSON.parse(
      (await post(sandbox, { content: 'record', format: 'json', fields: 'id', 'records[0]': odd })).text,
    );
    expect(rows).to.deep.equal([{ id: odd }]);
  });
});

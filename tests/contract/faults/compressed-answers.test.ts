import { expect } from 'chai';
import { gzipSync } from 'node:zlib';
import { rejection } from '../../support/rejection.js';
import { useNock } from '../../support/use-nock.js';
import { EXPORTS, bareClient, download } from '../../support/fault-client.js';

describe('A compressed answer', () => {
  const nock = useNock();
  const gzip = { 'content-encoding': 'gzip' };
  const client = () => bareClient('https://redcap.test/api');

  it('is requested beyond loopback, and decompressed', async () => {
    nock('https://redcap.test', { reqheaders: { 'accept-encoding': 'gzip' } })
      .post('/api/')
      .times(3)
      .reply(200, gzipSync(EXPORTS.json), gzip);

    expect(await client().exportRecords()).to.have.length(2_000);
    expect((await download(client(), 'json')).toString()).to.equal(EXPORTS.json);
  });

  it('LIB-04: fails if it is interrupted', async () => {
    const bytes = gzipSync(EXPORTS.json);
    nock('https://redcap.test')
      .post('/api/')
      .times(2)
      .reply(200, bytes.subarray(0, bytes.length / 2), gzip);

    expect(await rejection(client().exportRecords())).to.have.property('code', 'upstream_unavailable');
    expect(await rejection(download(client(), 'json'))).to.have.property('code', 'upstream_unavailable');
  });

  it('may be empty, as that to an upload and to an export without rows', async () => {
    nock('https://redcap.test').post('/api/').times(2).reply(200, '', gzip);
    nock('https://redcap.test').post('/api/').reply(200, gzipSync('[]'), gzip);
    nock('https://redcap.test')
      .post('/api/')
      .reply(200, '', { ...gzip, 'content-length': '0' });

    await client().files.put({ record: '1', field: 'scan' }, { name: 'a.txt', bytes: [Buffer.from('a')] });
    expect((await download(client(), 'csv')).toString()).to.equal('');
    expect(await rejection(client().getVersion())).to.include({ code: 'upstream_invalid', isBlank: true });
  });

  it('is refused in an encoding that was not requested', async () => {
    nock('https://redcap.test').post('/api/').reply(200, '16.1.9', { 'content-encoding': 'br' });

    expect(await rejection(client().getVersion())).to.have.property('code', 'upstream_invalid');
  });
});

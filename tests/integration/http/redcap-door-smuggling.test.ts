import { expect } from 'chai';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import type { CrfClient } from '../../../src/gateways/redcap/crf-client.js';
import { createRedcapKey, hashApiKey } from '../../../src/services/access/api-key.js';
import type { Scope } from '../../../src/domain/identifiers/scope.js';
import { startFaultServer, type FaultServer } from '../../support/fault-server.js';
import { startMemoryAudit } from '../../support/memory-audit.js';
import { startService, type TestService } from '../../support/start-service.js';

function keyWith(...scopes: Scope[]) {
  const token = createRedcapKey();
  return {
    token,
    apiKey: { name: scopes.join('-').replaceAll(':', '-'), sha256: hashApiKey(token), scopes },
  };
}

const reader = keyWith('records:read');
const writer = keyWith('records:write');
const designer = keyWith('design:write');
const files = keyWith('files:write');

/** A part of a multipart body. */
const part = (name: string, value: string, more = ''): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;

describe("what a call of REDCap's API hides from the check of its scopes", () => {
  let redcap: FaultServer;
  let client: CrfClient;
  let service: TestService;

  before(async () => {
    redcap = await startFaultServer(() => ({ kind: 'answer', body: '1' }));
    client = createCrfClient({ url: redcap.url, token: 'A'.repeat(32), resilience: { callsPerMinute: 0 } });
    const { audit } = await startMemoryAudit();
    const apiKeys = [reader, writer, designer, files].map(({ apiKey }) => apiKey);
    service = await startService({ capture: client, apiDoor: true, access: { apiKeys }, audit });
  });
  after(async () => {
    await service.close();
    client.close();
    await redcap.close();
  });
  beforeEach(() => redcap.forget());

  async function call(body: string, type = 'application/x-www-form-urlencoded'): Promise<number> {
    const response = await fetch(`${service.url}/api/`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
    await response.arrayBuffer();
    return response.status;
  }
  const multipart = (...parts: readonly string[]): Promise<number> =>
    call(`${parts.join('')}--b--\r\n`, 'multipart/form-data; boundary=b');
  /** What REDCap was asked for. */
  const asked = (...names: string[]) =>
    redcap.requests.map(({ form }) => Object.fromEntries(names.map((name) => [name, form.get(name)])));

  it('is no index that only one of the two reads', async () => {
    const begin = `token=${reader.token}&content=record`;
    for (const index of ['a.b', 'a b', 'a]b', '-', 'é', 'x'.repeat(200)]) {
      expect(await call(`${begin}&action=delete&action[${index}]=x&records[0]=1`), index).to.equal(403);
      const status = await call(`token=${writer.token}&content=record&data[${index}]=x`);
      expect(status, index).to.equal(403);
    }
    expect(redcap.requests).to.have.length(0);
  });

  it('is no list in the place of an action', async () => {
    for (const name of ['action[]', 'action[0]', 'action[a][b]'])
      expect(await call(`token=${reader.token}&content=record&${name}=delete`), name).to.equal(200);
    for (const { body } of redcap.requests) expect(body).not.to.contain('delete');
    expect(redcap.requests).to.have.length(3);
  });

  it('is no name that PHP reads as another', async () => {
    const names = ['action%00', ' action', 'ac.tion', 'action[', 'action ', 'action%0a'];
    for (const name of names)
      await call(`token=${reader.token}&content=record&${encodeURI(name)}=delete&records[0]=1`);
    for (const { body } of redcap.requests) expect(body).not.to.contain('delete');
    expect(redcap.requests).to.have.length(names.length);
  });

  it('is no import without data that REDCap would take for an export', async () => {
    const begin = [part('token', writer.token), part('content', 'record')];
    const unknown = part('data', 'x').replace(
      '\r\n\r\n',
      '\r\nContent-Type: text/plain; charset=x-none\r\n\r\n',
    );
    for (const data of [part('data', ''), part('data[0]', 'x'), unknown])
      expect(await multipart(...begin, data)).to.equal(200);
    expect(asked('action').map(({ action }) => action)).to.deep.equal(['import', 'import', 'import']);
  });

  it('is no content in the name of another', async () => {
    expect(await call(`token=${reader.token}&content=record/export`)).to.equal(403);
  });

  it('is no override that PHP may read as on', async () => {
    const begin = `token=${designer.token}&content=arm&action=import&data=[]`;
    for (const override of ['override[]=1', 'override[x]=', 'override=false', 'override=0&override[.]=1'])
      expect(await call(`${begin}&${override}`), override).to.equal(200);
    expect(asked('override').map(({ override }) => override)).to.deep.equal(Array(4).fill(null));
    for (const override of ['yes', '2', ' 0', '1&override[.]=0'])
      expect(await call(`${begin}&override=${override}`), override).to.equal(403);
    expect(await call(`${begin}&override=1`)).to.equal(403);
  });

  it('is nothing that comes after the file, whether it comes at once or while the call is being checked', async () => {
    const head = [part('token', files.token), part('content', 'file'), part('action', 'import')];
    const file = part('file', 'bytes', '; filename="a.txt"');
    const whole = [...head, file, part('content', 'record'), part('action', 'export'), '--b--\r\n'].join('');
    for (const cut of [whole.length, whole.indexOf('bytes') + 2]) {
      const socket = net.connect(Number(new URL(service.url).port), '127.0.0.1');
      const lines = ['POST /api/ HTTP/1.1', 'Host: localhost', 'Connection: close'];
      const type = 'Content-Type: multipart/form-data; boundary=b';
      socket.write(`${[...lines, type, `Content-Length: ${whole.length}`].join('\r\n')}\r\n\r\n`);
      socket.write(whole.slice(0, cut));
      setImmediate(() => socket.write(whole.slice(cut)));
      expect(await text(socket)).to.match(/^HTTP\/1.1 403 /);
    }
    expect(redcap.requests).to.have.length(0);
  });

  it('is no name of a file that ends the head of its part', async () => {
    const name = 'a\r\nContent-Disposition: form-data; name=action\r\n\r\ndelete';
    await multipart(
      ...[part('token', files.token), part('content', 'file'), part('action', 'import')],
      part('file', 'bytes', `; filename*=utf-8''${encodeURIComponent(name)}`),
    );
    expect(redcap.requests[0]?.body).to.match(
      /filename="[^"\r\n]*"\r\nContent-Type: text\/plain\r\n\r\nbytes/,
    );
  });

  it('is no part without a name', async () => {
    const nameless = '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n';
    expect(await multipart(part('token', reader.token), part('content', 'record'), nameless)).to.equal(200);
  });

  it('is no number of parameters that takes many times what their text does', async () => {
    expect(await call('a&'.repeat(150_000))).to.equal(413);
    const one = part('a', '');
    expect(await multipart(one.repeat(150_000))).to.equal(413);
    expect(await multipart(part('token', reader.token), one.repeat(1000))).to.equal(403);
  });

  it('is no text without end after a file', async () => {
    const file = part('file', 'bytes', '; filename="a.txt"');
    const late = part('field', 'x'.repeat(3 * 1024 * 1024));
    const begin = [part('token', files.token), part('content', 'file'), part('action', 'import')];
    expect(await multipart(...begin, file, late)).to.equal(403);
    expect(redcap.requests).to.have.length(0);
  });
});

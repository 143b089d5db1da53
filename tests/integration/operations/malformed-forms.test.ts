import { expect } from 'chai';
import { runServer, type ServerProcess } from '../../support/run-server.js';
import { startTestSandbox } from '../../support/start-sandbox.js';

const FILE = '--X\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nrecord_id,age';

describe('OPS-06: the server after a malformed form', function () {
  this.timeout(30_000);
  let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
  let server: ServerProcess;

  before(async () => {
    sandbox = await startTestSandbox();
    server = await runServer({ CAPTURE_API_URL: sandbox.url, CAPTURE_API_TOKEN: sandbox.token });
  });
  after(async () => {
    server.kill('SIGKILL');
    await server.exited;
    await sandbox.close();
  });

  for (const [what, rest] of [
    ['a part header that is none', '\r\n--X\r\n\u0000: x\r\n\r\n'],
    ['a part header without an end', `\r\n--X\r\n${'a'.repeat(20_000)}`],
    ['no end', ''],
  ] as const) {
    it(`goes on: a file, then ${what}, in one packet`, async () => {
      const answer = await fetch(new URL('/try-file', server.url), {
        method: 'POST',
        headers: {
          'content-type': 'multipart/form-data; boundary=X',
          'sec-fetch-site': 'same-origin',
          accept: 'text/html',
        },
        body: `${FILE}${rest}`,
      });
      const health = await fetch(new URL('/health', server.url));

      expect([answer.status, health.status]).to.deep.equal([422, 200]);
      expect(server.log.filter(({ level }) => level === 'fatal')).to.deep.equal([]);
    });
  }
});

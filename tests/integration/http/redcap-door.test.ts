import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { pino } from 'pino';
import type { CreateAppOptions } from '../../../src/app/create-app-options.js';
import { createApp } from '../../../src/app/app.js';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import type { CrfClient } from '../../../src/gateways/redcap/crf-client.js';
import { SCOPES } from '../../../src/domain/identifiers/scope.js';
import { createHttpServer } from '../../../src/http/http-server.js';
import { CallerViews } from '../../../src/policy/caller-views.js';
import { readPolicyFile } from '../../../src/policy/policy-file.js';
import { acceptAll } from '../../../src/policy/policy-lock.js';
import { loadProjectStructure } from '../../../src/records/load-project-structure.js';
import type { EndedRequest } from '../../../src/http/request-observer.js';
import { createApiKey, hashApiKey } from '../../../src/services/access/api-key.js';
import { startFaultServer } from '../../support/fault-server.js';
import { startMemoryAudit, type MemoryAudit } from '../../support/memory-audit.js';
import { callRedcap, formOf, multipartOf, redcapKey, type DoorAnswer } from '../../support/redcap-door.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { startSandboxClient } from '../../support/sandbox-client.js';
import { closeServer, listen, startService, type TestService } from '../../support/start-service.js';
import { until } from '../../support/until.js';
import { armsStudy, classicStudy } from '../../support/studies.js';

const KEYS = {
  whole: redcapKey('whole', ...SCOPES),
  reader: redcapKey('reader', 'records:read'),
  surveys: redcapKey('surveys', 'surveys:read'),
  designer: redcapKey('designer', 'project:read', 'design:write'),
  files: redcapKey('files', 'files:read'),
};
const CRF_KEY = createApiKey();
const EXPIRED = redcapKey('expired', ...SCOPES);

const API_KEYS = [
  ...Object.values(KEYS).map(({ apiKey }) => apiKey),
  { name: 'crf', sha256: hashApiKey(CRF_KEY), scopes: SCOPES },
  { ...EXPIRED.apiKey, expiresAt: new Date(0) },
];

/** What REDCap says of every invalid token, in the three formats. */
const FORBIDDEN = {
  json: '{"error":"You do not have permissions to use the API"}',
  csv: 'ERROR: You do not have permissions to use the API',
  xml: '<?xml version="1.0" encoding="UTF-8" ?><hash><error>You do not have permissions to use the API</error></hash>',
} as const;

const TYPES = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  xml: 'text/xml; charset=utf-8',
} as const;

describe("REDCap's API for its clients", () => {
  let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
  let client: CrfClient;
  let service: TestService;
  const open: TestService[] = [];

  before(async () => {
    const study = { ...armsStudy(), surveys: [{ instrument: 'meds', hasReturnCodes: false }] };
    // Exports with the time in them are compared.
    sandbox = await startTestSandbox(study, () => new Date(2026, 8, 1));
    client = createCrfClient({
      url: sandbox.url,
      token: sandbox.token,
      resilience: { callsPerMinute: 0 },
    });
    service = await start();
  });
  after(async () => {
    for (const each of open) await each.close();
    client.close();
    await sandbox.close();
  });

  async function start(options: Partial<CreateAppOptions> = {}): Promise<TestService> {
    const started = await startService({
      capture: client,
      apiDoor: true,
      access: { apiKeys: API_KEYS },
      ...options,
    });
    open.push(started);
    return started;
  }

  type Sent = Readonly<Record<string, string>>;
  const call = (sent: Parameters<typeof callRedcap>[1], headers?: Sent, at = service): Promise<DoorAnswer> =>
    callRedcap(`${at.url}/api/`, sent, headers);
  const redcap = (sent: Sent): Promise<DoorAnswer> =>
    callRedcap(sandbox.url, { token: sandbox.token, ...sent });
  const asWhole = (sent: Sent, headers?: Sent): Promise<DoorAnswer> =>
    call({ token: KEYS.whole.token, ...sent }, headers);

  /** Says that an answer is an error in REDCap's form and in no other. */
  function expectRefusal(
    answer: DoorAnswer,
    status: number,
    format: keyof typeof TYPES,
    text?: string,
  ): void {
    expect(answer.type, answer.text).to.equal(TYPES[format]);
    expect(answer.status, answer.text).to.equal(status);
    expect(textOf(answer.text, format), answer.text).to.be.a('string').and.not.equal('');
    if (text !== undefined) expect(textOf(answer.text, format)).to.equal(text);
    expect(answer.headers.get('www-authenticate')).to.equal(null);
  }
  function textOf(body: string, format: keyof typeof TYPES): string | undefined {
    if (format === 'csv') return /^ERROR: (.*)$/s.exec(body)?.[1];
    if (format === 'xml') return /^<\?xml[^>]*\?><hash><error>([^<]*)<\/error><\/hash>$/s.exec(body)?.[1];
    const document = JSON.parse(body) as Record<string, string>;
    expect(Object.keys(document)).to.deep.equal(['error']);
    return document['error'];
  }

  describe('a token', () => {
    it('is a key in the form of a token, in upper and lower case, or one of the service', async () => {
      for (const token of [KEYS.whole.token, KEYS.whole.token.toLowerCase(), CRF_KEY]) {
        const answer = await call({ token, content: 'version' });
        expect([answer.status, answer.text]).to.deep.equal([
          200,
          (await redcap({ content: 'version' })).text,
        ]);
      }
    });

    it('is refused like REDCap refuses one, whatever is wrong with it, in the format that the call asks for', async () => {
      const tokens = [
        undefined,
        '',
        'x',
        sandbox.token,
        EXPIRED.token,
        redcapKey('other').token,
        `${KEYS.whole.token}\n`,
      ];
      for (const token of tokens)
        for (const format of ['json', 'csv', 'xml'] as const) {
          const sent = { ...(token !== undefined && { token }), content: 'record' };
          expectRefusal(await call({ ...sent, format }), 403, format);
          expect((await call({ ...sent, format: 'csv', returnFormat: format })).text).to.equal(
            FORBIDDEN[format],
          );
        }
      expect((await call({ content: 'record' })).text).to.equal(FORBIDDEN.xml);
    });

    it('is nowhere but in the body: no header, no cookie, and not in the address', async () => {
      const authorization = `Bearer ${KEYS.whole.token}`;
      expectRefusal(await call({ content: 'version' }, { authorization }), 403, 'xml');
      expectRefusal(
        await call({ content: 'version' }, { cookie: `crf_session=${KEYS.whole.token}` }),
        403,
        'xml',
      );
      const url = `${service.url}/api/?token=${KEYS.whole.token}&content=version`;
      expectRefusal(await callRedcap(url, {}), 403, 'xml');
      expectRefusal(await callRedcap(url, { token: KEYS.whole.token, content: 'version' }), 403, 'xml');
      for (const at of [url, `${url}&type=module`]) expect((await fetch(at)).status).to.equal(403);
    });

    it('opens the REST API too', async () => {
      const headers = { authorization: `Bearer ${KEYS.whole.token}` };
      expect((await fetch(`${service.url}/api/v1/project/version`, { headers })).status).to.equal(200);
    });
  });

  describe('an answer to a caller without a policy', () => {
    it("is REDCap's own: status, type and bytes, in every format and for what it refuses", async () => {
      const calls: Sent[] = [
        ...['json', 'csv', 'xml', 'odm'].map((format) => ({ content: 'record', format })),
        {
          content: 'record',
          format: 'csv',
          type: 'eav',
          csvDelimiter: 'tab',
          'fields[1]': 'id',
          'fields[2]': 'name',
        },
        { content: 'record', format: 'json', fields: 'id,name', 'records[]': '2' },
        { content: 'metadata' },
        { content: 'metadata', format: 'csv' },
        { content: 'instrument', format: 'csv' },
        { content: 'exportFieldNames', format: 'json' },
        { content: 'user', format: 'json' },
        { content: 'project_xml' },
        { content: 'record', format: 'json', filterLogic: '[' },
        { content: 'record', format: 'yaml' },
        { content: 'nothing', format: 'json' },
        { content: 'file', action: 'export', record: '1', field: 'consent' },
        { content: 'file', action: 'export', record: '1', field: 'consent', event: 'start_arm_1' },
      ];
      for (const sent of calls) {
        const [own, passed] = [await redcap(sent), await asWhole(sent)];
        expect([passed.status, passed.type, passed.text], JSON.stringify(sent)).to.deep.equal([
          own.status,
          own.type,
          own.text,
        ]);
      }
    });

    it('is the same for a multipart form, and by a path without its slash', async () => {
      const sent = { token: KEYS.whole.token, content: 'record', format: 'csv', 'fields[1]': 'id' };
      const { text } = await call(sent);

      expect((await call(multipartOf(Object.entries(sent)))).text).to.equal(text);
      expect((await callRedcap(`${service.url}/api`, sent)).text).to.equal(text);
      expect(text).to.match(/^id,redcap_event_name/);
    });

    it('is compressed for those who accept it', async () => {
      const sent = { content: 'metadata', format: 'csv' };
      const answer = await asWhole(sent, { 'accept-encoding': 'gzip' });

      expect(answer.headers.get('content-encoding')).to.equal('gzip');
      expect(answer.text).to.equal((await redcap(sent)).text);
    });

    it('says for another method what REDCap says', async () => {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const response = await fetch(`${service.url}/api/`, { method });
        expect(response.status).to.equal(501);
        expect(textOf(await response.text(), 'xml')).to.equal('The requested method is not implemented.');
      }
    });

    it('is the page of a REDCap without modules for a call of one, whatever its token', async () => {
      for (const init of [{}, { method: 'POST', body: formOf({ token: 'nobody' }) }]) {
        const at = '/api/?NOAUTH&type=module&prefix=locking_api&page=status';
        const [own, passed] = await Promise.all(
          [sandbox.url, service.url].map((url) => fetch(new URL(at, url), init)),
        );
        expect([passed?.status, passed?.headers.get('content-type')]).to.deep.equal([
          own?.status,
          own?.headers.get('content-type'),
        ]);
        expect(await passed?.text()).to.equal(await own?.text());
      }
    });

    it('imports, and deletes', async () => {
      const data = JSON.stringify([{ id: '77', redcap_event_name: 'start_arm_1', name: 'Joan' }]);
      const sent = { content: 'record', format: 'json', type: 'flat', data, returnContent: 'ids' };
      expect((await asWhole(sent)).text).to.equal('["77"]');
      expect(
        (await asWhole({ content: 'record', format: 'csv', 'records[0]': '77', fields: 'name' })).text,
      ).to.include('Joan');
      const gone = { content: 'record', action: 'delete', 'records[0]': '77', returnFormat: 'json' };
      expect((await asWhole(gone)).text).to.equal('1');
    });

    it('breaks off if that of REDCap does', async () => {
      const server = await startFaultServer(() => ({
        kind: 'cut',
        body: `[${'{"id":"1"},'.repeat(50_000)}{}]`,
        fraction: 0.9,
      }));
      const cut = createCrfClient({
        url: server.url,
        token: sandbox.token,
        resilience: { callsPerMinute: 0 },
      });
      const at = await start({ capture: cut });

      const outcome = await call({ token: KEYS.whole.token, content: 'record', format: 'json' }, {}, at).then(
        ({ status }) => status,
        () => 'broken',
      );
      expect(outcome).to.equal('broken');
      cut.close();
      await server.close();
    });

    it('is "later" while REDCap is away, and never its page', async () => {
      const server = await startFaultServer(() => ({
        kind: 'answer',
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: '<!doctype html><html><body>Maintenance</body></html>',
      }));
      const away = createCrfClient({
        url: server.url,
        token: sandbox.token,
        resilience: { callsPerMinute: 0, maxRetries: 0 },
      });
      const at = await start({ capture: away });
      for (const format of ['json', 'csv', 'xml'] as const) {
        const answer = await call({ token: KEYS.whole.token, content: 'record', format }, {}, at);
        expect(answer.status).to.be.at.least(500);
        expectRefusal(answer, answer.status, format);
        expect(answer.text).to.not.include('Maintenance');
      }
      away.close();
      await server.close();
    });
  });

  describe('a scope', () => {
    it('of records opens what clients ask for on the way to them, and nothing else', async () => {
      const onTheWay = [
        'metadata',
        'exportFieldNames',
        'instrument',
        'project',
        'arm',
        'event',
        'dag',
        'formEventMapping',
        'repeatingFormsEvents',
        'version',
      ];
      for (const content of [...onTheWay, 'record']) {
        const answer = await call({ token: KEYS.reader.token, content, format: 'json' });
        expect([answer.status, content]).to.deep.equal([200, content]);
      }
      for (const content of ['user', 'log', 'project_xml', 'participantList', 'userRole']) {
        expectRefusal(await call({ token: KEYS.reader.token, content, format: 'json' }), 403, 'json');
      }
      expectRefusal(
        await call({ token: KEYS.surveys.token, content: 'metadata', format: 'csv' }),
        403,
        'csv',
      );
    });

    it('is that of what is done, not of what it is done to', async () => {
      const asReader = (sent: Sent) => call({ token: KEYS.reader.token, returnFormat: 'json', ...sent });
      const data = '[{"id":"1","redcap_event_name":"start_arm_1","name":"x"}]';
      for (const sent of [
        { content: 'record', data, format: 'json' },
        { content: 'record', action: 'import', data, format: 'json' },
        { content: 'record', action: 'delete', 'records[0]': '1' },
        { content: 'record', action: 'rename', record: '1', new_record_name: '9' },
        { content: 'metadata', data, format: 'json' },
        { content: 'version', data },
        { content: 'file', action: 'export', record: '1', field: 'consent', event: 'start_arm_1' },
      ] as Sent[])
        expectRefusal(await asReader(sent), 403, 'json');
      const arms = {
        token: KEYS.designer.token,
        content: 'arm',
        action: 'import',
        format: 'json',
        data: '[{"arm_num":"1","name":"Drug A"}]',
      };
      for (const override of ['1', 'true', 'TRUE', ' 1', '1.0', '2'])
        expectRefusal(await call({ ...arms, override }), 403, 'json');
      expect((await call({ ...arms, override: '0' })).text).to.equal('1');
    });

    it('of everything is needed for what no operation of the REST API does', async () => {
      for (const sent of [
        { content: 'dag', action: 'switch', dag: '' },
        { content: 'nothing' },
        { content: 'record', action: 'nothing' },
        { content: 'Record' },
        { content: 'constructor', action: '__proto__' },
      ] as Sent[]) {
        expectRefusal(await call({ token: KEYS.reader.token, format: 'json', ...sent }), 403, 'json');
      }
      expectRefusal(
        await asWhole({ content: 'nothing', format: 'json' }),
        400,
        'json',
        'The value of the parameter "content" is not valid',
      );
    });
  });

  describe('what PHP would read otherwise', () => {
    const token = ['token', KEYS.reader.token] as const;
    const SMUGGLED: readonly (readonly (readonly [string, string])[])[] = [
      [token, ['content', 'record'], [' content', 'user']],
      [token, ['content', 'record'], ['content ', 'user']],
      [token, ['content', 'record'], ['content[x]', 'user']],
      [token, ['content[x]', 'user'], ['content', 'record']],
      [token, ['content', 'user'], ['content[x]', '1'], ['content', 'record']],
      [token, ['content', 'record'], ['content[', 'user']],
      [token, ['content', 'record'], ['action', 'export'], ['action[]', 'delete'], ['records[0]', '1']],
      [token, ['content', 'record'], ['action', 'delete'], ['action', 'export'], ['records[0]', '1']],
      [token, ['content', 'record'], ['ac.tion', 'delete'], ['records[0]', '1']],
      [token, ['content', 'record'], ['action', 'export'], ['data', '[{"id":"1"}]']],
      [token, ['content', 'record'], [' data', '[{"id":"1"}]']],
      [token, ['content', 'record'], ['data[', '[{"id":"1"}]']],
      [token, ['content', 'record'], ['to.ken', 'x'], [' token', 'x'], ['token[', 'x']],
      [['token', 'x'], token, ['content', 'record']],
    ];

    it('reaches REDCap as the call whose scopes were checked', async () => {
      const server = await startFaultServer(() => ({ kind: 'answer', body: '[]' }));
      const recorded = createCrfClient({
        url: server.url,
        token: sandbox.token,
        resilience: { callsPerMinute: 0 },
      });
      const at = await start({ capture: recorded });
      for (const entries of SMUGGLED) {
        server.forget();
        const answer = await call([...entries, ['format', 'json']], {}, at);
        if (server.requests.length === 0) {
          expectRefusal(answer, 403, 'json');
          continue;
        }
        const [{ form } = { form: new URLSearchParams() }] = server.requests;
        const names = [...form.keys()];
        expect(form.getAll('content'), JSON.stringify(entries)).to.deep.equal(['record']);
        expect(['', 'export']).to.include(form.getAll('action').join());
        expect(form.getAll('token')).to.deep.equal([sandbox.token]);
        for (const name of names) expect(name).to.match(/^(?:content|token|format|action|records\[0\])$/);
      }
      recorded.close();
      await server.close();
    });

    it('keeps the items of lists and their order', async () => {
      const server = await startFaultServer(() => ({ kind: 'answer', body: '[]' }));
      const recorded = createCrfClient({
        url: server.url,
        token: sandbox.token,
        resilience: { callsPerMinute: 0 },
      });
      const at = await start({ capture: recorded });
      await call(
        [
          ['token', KEYS.whole.token],
          ['content', 'record'],
          ['fields[]', 'a'],
          ['fields[7]', 'b'],
          ['fields[]', 'c'],
          ['records[]', '1'],
          ['records[]', '2'],
          ['forms', 'x'],
          ['format', 'csv'],
          ['forms', 'y'],
        ],
        {},
        at,
      );
      const { form } = server.requests[0] ?? { form: new URLSearchParams() };
      expect([...form].filter(([name]) => name !== 'token')).to.deep.equal([
        ['content', 'record'],
        ['fields[0]', 'a'],
        ['fields[7]', 'b'],
        ['fields[8]', 'c'],
        ['records[0]', '1'],
        ['records[1]', '2'],
        ['format', 'csv'],
        ['forms', 'y'],
      ]);
      recorded.close();
      await server.close();
    });
  });

  describe('a file', () => {
    const place = [
      ['record', '1'],
      ['field', 'consent'],
    ] as const;
    const bytes = Buffer.from('\r\n--\u0000é\r\n');
    const head = (key = KEYS.whole): [string, string][] => [
      ['token', key.token],
      ['content', 'file'],
      ['action', 'import'],
    ];
    const file = ['file', new Blob([bytes], { type: 'text/plain' })] as const;
    const event = ['event', 'start_arm_1'] as const;
    const stored = () =>
      asWhole({ content: 'file', action: 'export', record: '1', field: 'consent', event: 'start_arm_1' });

    it('is stored wherever the form has it: some clients send the event or the token after it', async () => {
      const forms = [
        [...head(), ...place, event, file],
        [...head(), ...place, file, event, ['returnFormat', 'csv']],
        [...place, file, event, ...head()],
      ] as const;
      for (const [index, form] of forms.entries()) {
        await asWhole({
          content: 'file',
          action: 'delete',
          record: '1',
          field: 'consent',
          event: 'start_arm_1',
        });
        const answer = await call(multipartOf(form));
        expect([answer.status, answer.text, index]).to.deep.equal([200, '', index]);
        const { text, type } = await stored();
        expect(text).to.equal(bytes.toString());
        expect(type).to.match(/^text\/plain; name=/);
      }
    });

    it('is stored empty too, as REDCap does: the suite of PyCap uploads one', async () => {
      const empty = ['file', new Blob([], { type: 'text/plain' })] as const;
      expect((await call(multipartOf([...head(), ...place, event, empty]))).status).to.equal(200);
      expect((await stored()).text).to.equal('');
    });

    it('is refused as REDCap refuses it, in the format that stands after it', async () => {
      const answer = await call(
        multipartOf([...head(KEYS.files), ...place, file, event, ['returnFormat', 'csv']]),
      );
      expectRefusal(answer, 403, 'csv');
      const wrong = await call(
        multipartOf([...head(), ['record', '1'], ['field', 'name'], event, file, ['returnFormat', 'json']]),
      );
      expectRefusal(wrong, 400, 'json');
    });

    it('may be larger than what is held, and then has to be the last', async () => {
      const at = await start({ files: { limitBytes: 20 * 1024 * 1024 } });
      const large = ['file', new Blob([Buffer.alloc(17 * 1024 * 1024, 1)])] as const;
      expect(
        (await call(multipartOf([...head(), ...place, event, large, ['returnFormat', 'csv']]), {}, at))
          .status,
      ).to.equal(200);
      expect((await stored()).text.length).to.equal(17 * 1024 * 1024);
      expectRefusal(await call(multipartOf([...head(), ...place, large, event]), {}, at), 400, 'xml');
      const tooLarge = ['file', new Blob([Buffer.alloc(21 * 1024 * 1024, 1)])] as const;
      expectRefusal(await call(multipartOf([...head(), ...place, event, tooLarge]), {}, at), 413, 'xml');
    });

    it('comes from curl, which waits for "100 Continue" before it sends it', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'redcap-door-'));
      const path = join(folder, 'a.bin');
      await writeFile(path, Buffer.alloc(3 * 1024 * 1024, 7));
      const fields = [...head(), ...place, event].flatMap(([name, value]) => ['-F', `${name}=${value}`]);
      const { stderr } = await promisify(execFile)('curl', [
        '-sv',
        '--expect100-timeout',
        '60',
        '-H',
        'Expect: 100-continue',
        ...fields,
        '-F',
        `file=@${path}`,
        `${service.url}/api/`,
      ]);
      expect(stderr).to.match(/HTTP\/1.1 100 Continue[\s\S]*HTTP\/1.1 200 OK/);
      expect((await stored()).text.length).to.equal(3 * 1024 * 1024);
      await rm(folder, { recursive: true });
    });
  });

  describe('what is refused before a call is read', () => {
    it("has REDCap's form: another host", async () => {
      const local = await start({ access: { apiKeys: API_KEYS, isLoopbackOnly: true } });
      const request = http.request(`${local.url}/api/`, {
        method: 'POST',
        headers: { host: 'crf.example.org', 'content-type': 'application/x-www-form-urlencoded' },
      });
      request.end(formOf({ token: KEYS.whole.token, content: 'version', format: 'json' }).toString());
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      response.setEncoding('utf8');
      let text = '';
      for await (const chunk of response) text += chunk as string;
      expect([response.statusCode, response.headers['content-type']]).to.deep.equal([421, TYPES.xml]);
      expect(textOf(text, 'xml')).to.be.a('string');
    });

    it("has REDCap's form: too much at once", async () => {
      let isLate = false;
      const at = await start({ isOverloaded: () => isLate });
      const held = http.request(`${at.url}/api/`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      held.on('error', () => undefined);
      const arrived = once(at.server, 'request');
      held.write('content=');
      await arrived;
      isLate = true;
      const answer = await call({ token: KEYS.whole.token, content: 'version' }, {}, at);
      held.destroy();
      expectRefusal(answer, 503, 'xml');
      expect(answer.headers.get('retry-after')).to.equal('2');
    });

    it("has REDCap's form: too many calls, with the time after which one may be", async () => {
      const at = await start({ limits: { callsPerMinute: 2, failedAuthPerMinute: 1 } });
      const sent = { token: KEYS.whole.token, content: 'version', returnFormat: 'json' };
      await call(sent, {}, at);
      await call(sent, {}, at);
      const answer = await call(sent, {}, at);
      expectRefusal(answer, 503, 'json');
      expect(Number(answer.headers.get('retry-after'))).to.be.within(1, 60);

      const bad = { ...sent, token: 'x' };
      expectRefusal(await call(bad, {}, at), 403, 'json');
      expectRefusal(await call(bad, {}, at), 503, 'json');
      expect((await call({ ...sent, token: KEYS.reader.token }, {}, at)).status).to.equal(200);
    });

    it("has REDCap's form: a body that arrives too slowly", async () => {
      const at = await start({
        limits: { exportMinBytesPerSecond: 1_000_000, exportPaceAveragedOverMs: 20 },
      });
      const { hostname, port } = new URL(at.url);
      const socket = net.connect(Number(port), hostname);
      socket.write(
        `POST /api/ HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\ncontent=`,
      );
      // The service ends the connection.
      const answer = await text(socket);
      socket.destroy();
      expect(answer).to.match(/^HTTP\/1\.1 408 /);
      expect(answer).to.include(`Content-Type: ${TYPES.xml}`);
    });
  });

  describe('the service around it', () => {
    it('enters calls in the audit log under the names of its operations, and their values nowhere', async () => {
      const { log, audit } = await startMemoryAudit();
      const lines: string[] = [];
      const sink = new Writable({
        write: (chunk: Buffer, _encoding, done) => {
          lines.push(chunk.toString());
          done();
        },
      });
      const metrics: EndedRequest[] = [];
      const at = await start({
        audit,
        logger: pino({ level: 'trace' }, sink),
        requests: { began: () => (request) => void metrics.push(request) },
      });
      const data = JSON.stringify([{ id: 'SECRET-7', redcap_event_name: 'start_arm_1', name: 'SECRET-8' }]);
      await call(
        {
          token: KEYS.whole.token,
          content: 'record',
          format: 'json',
          'records[0]': 'SECRET-1',
          filterLogic: '[name]="SECRET-2"',
        },
        {},
        at,
      );
      await call({ token: KEYS.whole.token, content: 'record', format: 'json', data }, {}, at);
      await call(
        { token: KEYS.whole.token, content: 'record', action: 'delete', 'records[0]': 'SECRET-7' },
        {},
        at,
      );
      await call({ token: KEYS.reader.token, content: 'user', format: 'json' }, {}, at);
      await call({ token: EXPIRED.token, content: 'record', format: 'json' }, {}, at);
      await call({ token: KEYS.whole.token, content: 'nothing', 'SECRET-9': 'SECRET-3' }, {}, at);
      await until(() => metrics.length === 6 || undefined);
      await audit.settled(0);

      const kept = log.entries.filter(({ door }) => door === 'redcap');
      expect(kept.map(({ event, operation, actor }) => [event, operation, actor])).to.deep.equal([
        ['call.begun', 'ExportRecords', 'key:whole'],
        ['call.ended', 'ExportRecords', 'key:whole'],
        ['call.begun', 'ImportRecords', 'key:whole'],
        ['call.ended', 'ImportRecords', 'key:whole'],
        ['call.begun', 'DeleteRecord', 'key:whole'],
        ['call.ended', 'DeleteRecord', 'key:whole'],
        ['call.refused', 'ListUsers', 'key:reader'],
        ['call.refused', 'ExportRecords', 'key:expired'],
        ['call.begun', 'CallRedcapApi', 'key:whole'],
        ['call.ended', 'CallRedcapApi', 'key:whole'],
      ]);
      expect(metrics.map(({ method, route, status }) => [method, route, status])).to.deep.equal(
        [200, 200, 200, 403, 403, 400].map((status) => ['POST', '/api/', status]),
      );
      const everything = [...log.lines, ...lines].join('\n');
      for (const secret of ['SECRET', KEYS.whole.token, KEYS.reader.token, EXPIRED.token, sandbox.token])
        expect(everything.toLowerCase()).to.not.include(secret.toLowerCase());
    });

    it("refuses in REDCap's form while the audit log cannot be written", async () => {
      const { log, audit } = await startMemoryAudit();
      const at = await start({ audit });
      log.isFull = true;
      for (const format of ['csv', 'json', 'xml'] as const)
        expectRefusal(
          await call({ token: KEYS.whole.token, content: 'record', format }, {}, at),
          503,
          format,
        );
    });
  });

  describe('a caller under a policy', () => {
    const POLICY = `version: 1
policies:
  nurse: { records: all, forms: { enrol: write, meds: write }, fields: { hide: [note] }, create: { prefix: N- }, files: write }
bindings:
  - { key: nurse, policy: nurse }
`;
    const NURSE = redcapKey('nurse', ...SCOPES);
    const UNBOUND = redcapKey('unbound', ...SCOPES);
    const place = { record: '1', field: 'consent', event: 'start_arm_1' };
    let restricted: TestService;
    let log: MemoryAudit;

    before(async () => {
      const set = readPolicyFile(POLICY);
      const lock = acceptAll(set, await loadProjectStructure(client));
      const memory = await startMemoryAudit();
      log = memory.log;
      restricted = await start({
        policy: new CallerViews(client, { set, lock }, 'secret'),
        audit: memory.audit,
        access: { apiKeys: [NURSE.apiKey, UNBOUND.apiKey] },
      });
    });
    const asNurse = (sent: Sent) =>
      call({ token: NURSE.token, returnFormat: 'json', ...sent }, {}, restricted);

    it('sees the project of their view', async () => {
      const { text } = await asNurse({ content: 'record', format: 'csv' });
      expect(text.split('\n')[0])
        .to.include('mood')
        .and.not.match(/note|weight/);
      const { text: names } = await asNurse({ content: 'metadata', format: 'json', fields: '' });
      expect(names)
        .to.include('mood')
        .and.not.match(/weight/);
    });

    it('reads and writes records in ODM, in which nothing hidden has a name', async () => {
      const odm = { content: 'record', format: 'odm' };
      const { status, text } = await asNurse({ ...odm, records: '1' });
      expect(status).to.equal(200);
      expect(text)
        .to.match(/^<\?xml [^>]*>\n<ODM [^]*<\/ODM>$/)
        .and.include('<SubjectData SubjectKey="1" ')
        .and.include('ItemOID="mood"')
        .and.not.match(/note|weight/);

      expect((await asNurse({ ...odm, data: text })).text).to.equal('{"count":1}');
      const elsewhere = text.replaceAll('FormRepeatKey="1"', 'FormRepeatKey="2"');
      expectRefusal(await asNurse({ ...odm, data: elsewhere }), 400, 'json');
      expectRefusal(await asNurse({ ...odm, data: '<ODM>' }), 400, 'json');
    });

    it('is told by 403 what no policy grants, by 400 what is not there, and with the form of REDCap', async () => {
      expectRefusal(await asNurse({ content: 'arm', action: 'import', data: '[]' }), 403, 'json');
      expectRefusal(await asNurse({ content: 'project_xml' }), 403, 'json');
      expectRefusal(await asNurse({ content: 'record', fields: 'note' }), 400, 'json');
      expectRefusal(await asNurse({ content: 'report', report_id: '1', format: 'odm' }), 400, 'json');
      expectRefusal(await asNurse({ content: 'nothing' }), 400, 'json');
      expectRefusal(await asNurse({ content: 'record', action: 'nothing' }), 400, 'json');
      expectRefusal(
        await call({ token: UNBOUND.token, content: 'version', format: 'csv' }, {}, restricted),
        403,
        'csv',
      );
    });

    it('is told in the words of REDCap what is not imported, and what a survey does not have', async () => {
      const data = JSON.stringify([
        { id: '1', redcap_event_name: 'start_arm_1', note: 'x', mood: 'b', no_field: 'x' },
      ]);
      const sent = [
        { content: 'record', format: 'json', data },
        { content: 'surveyReturnCode', record: '1', instrument: 'meds', event: 'start_arm_1' },
      ];
      for (const each of sent) {
        const { status, text } = await asNurse(each);
        // note, which the nurse does not see, is for REDCap a field like any other.
        const inRedcap = each.data === undefined ? each : { ...each, data: data.replace('note', 'note2') };
        const bare = await redcap({ ...inRedcap, returnFormat: 'json' });
        expect({ status, text }).to.deep.equal({
          status: bare.status,
          text: bare.text.replace('note2', 'note'),
        });
      }
    });

    it('stores a file wherever the form has it, and gets it back', async () => {
      const file = ['file', new Blob(['a\r\n--b'], { type: 'text/plain' })] as const;
      const rest = Object.entries({ ...place, token: NURSE.token, content: 'file', action: 'import' });
      for (const form of [
        [...rest, file],
        [file, ...rest, ['returnFormat', 'csv']],
      ] as const)
        expect(await call(multipartOf(form), {}, restricted)).to.include({ status: 200, text: '' });
      expect((await asNurse({ content: 'file', action: 'export', ...place })).text).to.equal('a\r\n--b');
      const hidden = Object.entries({
        ...place,
        field: 'note',
        token: NURSE.token,
        content: 'file',
        action: 'import',
      });
      expectRefusal(
        await call(multipartOf([...hidden, file, ['returnFormat', 'csv']]), {}, restricted),
        400,
        'csv',
      );
    });

    it('changes a record while nobody else does', async () => {
      const row = { id: '1', redcap_event_name: 'start_arm_1', mood: 'b' };
      const sent = { content: 'record', format: 'json', data: JSON.stringify([row]) };
      const answers = await Promise.all(Array.from({ length: 6 }, () => asNurse(sent)));
      // Whoever has to wait too long is told to come back.
      expect(new Set(answers.map(({ text }) => text))).to.deep.equal(new Set(['{"count":1}']));
      expectRefusal(
        await asNurse({ ...sent, data: JSON.stringify([row, { ...row, note: 'x' }]) }),
        400,
        'json',
      );
    });

    it('has an answer only if it is in the audit log, and never its values', async () => {
      const sent = {
        content: 'record',
        format: 'csv',
        'records[0]': 'SECRET-1',
        filterLogic: "[mood] = 'SECRET-2'",
      };
      await asNurse(sent);
      await asNurse({ content: 'record', format: 'json', data: '[{"id":"SECRET-3","mood":"SECRET-4"}]' });
      const found = log.entries.filter(({ door }) => door === 'redcap');
      expect(found.map(({ operation }) => operation)).to.include.members([
        'ExportRecords',
        'ImportRecords',
        'PutFile',
      ]);
      expect(found.every(({ policy }) => policy === undefined || policy === 'nurse')).to.equal(true);
      for (const secret of ['SECRET', NURSE.token]) expect(log.lines.join('\n')).to.not.include(secret);

      log.isFull = true;
      expectRefusal(await asNurse({ content: 'record' }), 503, 'json');
      log.isFull = false;
    });
  });

  describe('a service of several projects', () => {
    const OF_TWO = redcapKey('of-two', ...SCOPES);
    const OF_OTHER = redcapKey('of-other', ...SCOPES);
    let url: string;
    let other: Awaited<ReturnType<typeof startSandboxClient>>;
    let server: http.Server;

    before(async () => {
      other = await startSandboxClient(classicStudy());
      const app = createApp({
        apiDoor: true,
        access: {
          apiKeys: [
            { ...OF_TWO.apiKey, projects: ['arms', 'other'] },
            { ...OF_OTHER.apiKey, projects: ['other'] },
          ],
        },
        projects: { arms: { capture: client }, other: { capture: other.client } },
      });
      server = createHttpServer(app);
      url = await listen(server);
    });
    after(async () => {
      await closeServer(server);
      await other.close();
    });

    it('is chosen by the key of one project, and by the path for others', async () => {
      const fields = async (token: string, path: string): Promise<string> =>
        (await callRedcap(url + path, { token, content: 'exportFieldNames', format: 'csv' })).text;
      expect(await fields(OF_OTHER.token, '/api/'))
        .to.include('weight')
        .and.not.include('consent');
      expect(await fields(OF_OTHER.token, '/projects/other/api/')).to.include('sites');
      expect(await fields(OF_TWO.token, '/projects/arms/api/')).to.include('mood');
      expect(await fields(OF_TWO.token, '/projects/other/api')).to.include('sites');
    });

    it("has no project for another's key, in REDCap's form", async () => {
      for (const name of ['arms', 'nowhere']) {
        const sent = { token: OF_OTHER.token, content: 'version', format: 'json' };
        expectRefusal(await callRedcap(`${url}/projects/${name}/api/`, sent), 404, 'json');
      }
      const answer = await callRedcap(`${url}/api/`, { token: OF_TWO.token, content: 'version' });
      expectRefusal(answer, answer.status, 'xml');
      expect(answer.status).to.be.within(400, 404);
    });
  });
});

import { expect } from 'chai';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { createDemoStudy } from '../../../src/sandbox/demo-study/demo-study.js';
import { OPERATIONS, resolved, type ApiOperation } from '../../support/api-operations.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { startService, type TestService } from '../../support/start-service.js';

/** A file has any media type. */
const ANY = '*/*';

const answersOf = ({ responses }: ApiOperation) => Object.keys(responses['200']?.content ?? {});
const isRead = ({ method, id }: ApiOperation) => method === 'GET' || id === 'QueryRecords';
const reads = OPERATIONS.filter(
  (operation) =>
    operation.template.startsWith('/api/') &&
    isRead(operation) &&
    !answersOf(operation).includes(ANY) &&
    (answersOf(operation).join() !== 'application/json' || formatsOf(operation).length > 0),
);
const imports = OPERATIONS.filter(({ bodies }) => Object.keys(bodies).length > 1 && !(ANY in bodies));

/** Returns the values of `format`, in the query or in the body. */
function formatsOf({ parameters, bodies }: ApiOperation): readonly unknown[] {
  const body = resolved(bodies['application/json']?.schema ?? {});
  const schema = parameters.find(({ name }) => name === 'format')?.schema ?? body.properties?.['format'];
  return schema?.enum ?? [];
}

describe('The media types of the OpenAPI document', () => {
  let service: TestService;
  let stop: () => Promise<void>;

  before(async () => {
    const reports = [{ id: 1, title: 'Ages', fields: ['age'], filterLogic: '' }];
    const sandbox = await startTestSandbox({ ...createDemoStudy({ participants: 3 }), reports });
    service = await startService({ capture: createCrfClient({ url: sandbox.url, token: sandbox.token }) });
    stop = () => sandbox.close();
  });
  after(async () => {
    await service.close();
    await stop();
  });

  function call(
    { method, template, parameters }: ApiOperation,
    sent: { query?: string; headers?: Record<string, string>; body?: string },
  ) {
    const path = parameters
      .filter((parameter) => parameter.in === 'path')
      .reduce(
        (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
        template,
      );
    return fetch(`${service.url}${path}?${sent.query ?? ''}`, {
      method,
      headers: { Authorization: service.authorization, 'Content-Type': 'application/json', ...sent.headers },
      ...(method !== 'GET' && { body: sent.body ?? '{}' }),
    });
  }

  for (const operation of reads) {
    const { method, template } = operation;

    it(`are those of the answers of ${method} ${template}, by Accept and by format`, async () => {
      const declared = answersOf(operation);
      const asked = [
        ...declared.map((type) => ({ headers: { Accept: type } })),
        ...formatsOf(operation).map((format) => ({ query: `format=${String(format)}` })),
      ];
      const answered = new Set<string | undefined>();
      for (const each of asked) {
        const { status, headers } = await call(operation, each);
        expect(status).to.equal(200);
        answered.add(headers.get('content-type')?.split(';')[0]);
      }

      expect([...answered]).to.have.members(declared);
      if (declared.includes('application/json')) expect(declared[0]).to.equal('application/json');
    });
  }

  for (const operation of imports) {
    const { method, template, bodies } = operation;

    it(`are those that ${method} ${template} reads`, async () => {
      expect(Object.keys(bodies)[0]).to.equal('application/json');
      for (const [type, { example }] of Object.entries(bodies)) {
        const body = typeof example === 'string' ? example : JSON.stringify(example);
        const { status } = await call(operation, { headers: { 'Content-Type': type }, body });

        expect(status, type).to.not.equal(415);
      }
    });
  }
});

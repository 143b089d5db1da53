import { expect } from 'chai';
import fc from 'fast-check';
import type { SandboxProject } from '../../../src/sandbox/redcap/project.js';
import type { StudySummary } from '../../../src/services/summary/study-summary.js';
import { OPERATIONS, resolved, type ApiOperation, type Schema } from '../../support/api-operations.js';
import { groupsStudy, NORTH_TOKEN, OTHERS, OWN, SECRETS } from '../../support/groups-study.js';
import { startStudyService, type StudyService } from '../../support/study-service.js';
import { projectXmlOf } from '../../support/project-xml-of.js';

/** Operations that read records and the project. Those of accounts and the service reveal nothing of a project. */
const READS = OPERATIONS.filter(
  ({ method, template }) =>
    template.startsWith('/api/v1/') &&
    !/^\/api\/v1\/(auth|people)\//.test(template) &&
    (method === 'GET' || template === '/api/v1/records/query'),
);

/** The statuses of a request that the user may not make, and of a file that does not exist. */
const REFUSED: Readonly<Record<string, number>> = {
  '/api/v1/project/roles': 403,
  '/api/v1/project/role-assignments': 403,
  '/api/v1/project/users': 403,
  '/api/v1/project/dag-assignments': 403,
  '/api/v1/file-repository/{id}': 404,
  // The service has no policy.
  '/api/v1/records/manifest': 404,
};

/** The parameters and body of one call. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: object | undefined;
}

const record = fc.constantFrom(OWN, ...OTHERS);
const event = fc.constantFrom('start_arm_1', 'start_arm_1', 'visit_arm_1', 'start_arm_2');
const instrument = fc.constantFrom('enrol', 'enrol', 'visit', 'meds');
const field = fc.constantFrom('id', 'name', 'note', 'weight', 'half', 'drug', 'consent');
const aFew = <Value>(of: fc.Arbitrary<Value>) => fc.uniqueArray(of, { minLength: 1, maxLength: 3 });

/** One in four optional parameters is given, since many at once would contradict each other. */
const seldom = (value: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

/** The values of a parameter by name, in paths, queries and bodies. */
const BY_NAME: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  ...{ record, records: aFew(record) },
  ...{
    event,
    events: aFew(event),
    instrument,
    forms: aFew(instrument),
    dag: fc.constantFrom('north', 'south'),
    field,
    fields: aFew(field).map((some) => ['id', ...some]),
  },
  filterLogic: fc.constantFrom(
    '[name] <> ""',
    '[start_arm_1][id] = "SOUTH-1"',
    '[visit_arm_1][weight] > 100',
    `[name] = "${SECRETS[0]}"`,
  ),
  ...{ report: fc.constant(1), id: fc.integer({ min: 1, max: 4 }) },
  ...{ instance: fc.constant(1), batchSize: fc.constantFrom(1, 2), limit: fc.constantFrom(1, 100) },
  ...{ arms: fc.constant([1]), user: fc.constantFrom('coordinator', 'north') },
  ...{ from: fc.constant('2000-01-01 00:00'), until: fc.constant('2126-01-01 00:00') },
};

/** Parameters that require others, and change only the format of an answer. */
const LEFT_OUT = [
  'cursor',
  'csvDelimiter',
  'decimalCharacter',
  'folder',
  'missing',
  'spreadsheetSafe',
  'trailer',
];

function valueOf(name: string, schema: Schema): fc.Arbitrary<unknown> {
  const known = BY_NAME[name];
  if (known !== undefined) return known;
  const { type, enum: values, minimum = 1, items } = resolved(schema);
  if (values !== undefined) return fc.constantFrom(...values);
  if (type === 'boolean') return fc.boolean();
  if (type === 'array' && items !== undefined) return aFew(valueOf('', items));
  if (type === 'integer') return fc.integer({ min: minimum, max: minimum + 2 });
  throw new Error(`Say in BY_NAME what ${name} may be.`);
}

/** Returns requests of an operation with its required parameters and some optional ones. */
function requestOf({ method, template, parameters, bodies }: ApiOperation): fc.Arbitrary<Sent> {
  const chosen = (properties: Readonly<Record<string, Schema>>, required: readonly string[]) =>
    fc
      .record(
        Object.fromEntries(
          Object.entries(properties)
            .filter(([name]) => !LEFT_OUT.includes(name))
            .map(([name, schema]) => {
              const value = valueOf(name, schema);
              const isRequired = required.includes(name) || name === 'event';
              return [name, isRequired ? value : seldom(value)];
            }),
        ),
      )
      .map((given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)));
  const placed = (place: 'path' | 'query') => {
    const those = parameters.filter((parameter) => parameter.in === place);
    const required = those.filter((parameter) => parameter.required).map(({ name }) => name);
    return chosen(Object.fromEntries(those.map(({ name, schema }) => [name, schema])), required);
  };
  const schema = bodies['application/json']?.schema;
  const body = schema === undefined ? fc.constant(undefined) : chosen(resolved(schema).properties ?? {}, []);
  return fc.record({ path: placed('path'), query: placed('query'), body }).map((given) => ({
    method,
    path:
      template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(given.path[name]))) +
      queryOf(given.query),
    body: given.body,
  }));
}

/** Returns the request of an operation for a record, with its required parameters and the event. */
function plainRequestOf({ method, template, parameters, bodies }: ApiOperation, id = OWN): Sent {
  const query = parameters
    .filter(({ name, in: place, required }) => place === 'query' && (required || name === 'event'))
    .map(({ name }) => [name, name === 'event' ? 'start_arm_1' : id]);
  const values: Readonly<Record<string, string>> = {
    ...{ record: id, instrument: 'enrol', report: '1', id: '1' },
    field: template.includes('/files/') ? 'consent' : 'name',
  };
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  return {
    method,
    path: path + queryOf(Object.fromEntries(query)),
    body: 'application/json' in bodies ? {} : undefined,
  };
}

function queryOf(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((item): [string, string] => [name, String(item)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

const others = fc.shuffledSubarray([...OTHERS], { minLength: 1 });
const TEXT = 'changed by the north';
const rowOf = (id: string) => ({ id, redcap_event_name: 'start_arm_1', name: TEXT });
const OWN_CHANGE: Sent = { method: 'POST', path: '/api/v1/records', body: { records: [rowOf(OWN)] } };

/**
 * A change to records of other groups, possibly along with the user's own, or one that would let the user leave the
 * group.
 */
const CHANGE: fc.Arbitrary<Sent> = fc
  .record({
    ids: fc.tuple(others, fc.boolean()).map(([ids, hasOwn]) => (hasOwn ? [OWN, ...ids] : ids)),
    id: fc.constantFrom(...OTHERS),
    overwriteBehavior: fc.constantFrom('normal', 'overwrite'),
    values: fc.constantFrom('', '&values=typed'),
  })
  .chain(({ ids, id, overwriteBehavior, values }) =>
    fc.constantFrom<Sent>(
      {
        method: 'POST',
        path: `/api/v1/records?overwriteBehavior=${overwriteBehavior}${values}`,
        body: { records: ids.map(rowOf) },
      },
      { method: 'DELETE', path: `/api/v1/records/${id}` },
      { method: 'DELETE', path: `/api/v1/records/${id}?event=start_arm_1&instrument=enrol` },
      { method: 'POST', path: '/api/v1/records/delete', body: { records: ids } },
      { method: 'POST', path: `/api/v1/records/${id}/rename`, body: { newRecord: 'N-2' } },
      { method: 'POST', path: `/api/v1/records/${OWN}/rename`, body: { newRecord: id } },
      { method: 'POST', path: `/api/v1/records/${id}/randomize`, body: { randomizationId: 1 } },
      { method: 'PUT', path: `/api/v1/records/${id}/files/consent?event=start_arm_1`, body: { text: TEXT } },
      { method: 'DELETE', path: `/api/v1/records/${id}/files/consent?event=start_arm_1` },
      {
        method: 'PUT',
        path: '/api/v1/project/dag-assignments',
        body: { data: [{ username: 'north', dag: '' }] },
      },
      { method: 'PUT', path: '/api/v1/project/users', body: { data: [{ username: 'north', dag: '' }] } },
      { method: 'DELETE', path: '/api/v1/project/dags/south' },
    ),
  );

describe('A service with the token of a user in a data access group', function () {
  this.timeout(60_000);
  let service: StudyService;
  beforeEach(async () => {
    service = await startStudyService(groupsStudy(), {
      token: NORTH_TOKEN,
      imports: { recordIdMinLength: 1 },
    });
  });
  afterEach(() => service.close());

  /** Sends a request and returns its status, and everything its answer contains: body, file name and links. */
  async function answerTo({ method, path, body }: Sent) {
    const answer = await fetch(service.url + path, {
      method,
      headers: {
        authorization: service.authorization,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const { headers, status } = answer;
    const values = ['content-disposition', 'location', 'etag'].map((name) => headers.get(name) ?? '');
    return { status, next: headers.get('link'), text: [...values, bytes.toString('latin1')].join('\n') };
  }

  /** Checks that an answer reveals nothing of other groups: no value, and no record id except those in the request. */
  async function holdsBack(sent: Sent): Promise<{ status: number; next: string | null }> {
    const answer = await answerTo(sent);
    const asked = sent.path + JSON.stringify(sent.body ?? '');
    const name = `${sent.method} ${asked}`;
    expect(answer.status, name).to.be.below(500);
    for (const secret of SECRETS) expect(answer.text, name).not.to.include(secret);
    for (const id of OTHERS) if (!asked.includes(id)) expect(answer.text, name).not.to.include(id);
    return answer;
  }

  it('never reveals a record of another group, on any route that reads', async () => {
    const before = await dataOf(service.project);
    for (const operation of READS) {
      const { status } = await holdsBack(plainRequestOf(operation));
      expect(status, operation.template).to.equal(REFUSED[operation.template] ?? 200);
      if (operation.template.includes('{record}'))
        for (const id of OTHERS)
          expect((await holdsBack(plainRequestOf(operation, id))).status, operation.template).to.equal(404);
      // Operations with more parameters are tried more often.
      const numRuns = operation.id === 'QueryRecords' ? 20 : 3 + operation.parameters.length;
      await fc.assert(
        fc.asyncProperty(requestOf(operation), async (sent) => void (await holdsBack(sent))),
        { numRuns },
      );
    }
    expect(await dataOf(service.project)).to.equal(before);
  });

  it("counts only the records of the user's group", async () => {
    const { body } = await service.send('get', '/project/summary');
    const { records, dags, completeness } = body.data as StudySummary;

    expect(records).to.equal(1);
    for (const counted of [...dags, ...completeness]) expect(counted.records).to.be.oneOf([0, 1]);
    const participants = await service.send('get', '/surveys/enrol/participants?event=start_arm_1');
    expect(participants.body.data).to.have.lengthOf(1);
  });

  it("pages only through the records of the user's group", async () => {
    const pages: string[] = [];
    let path: string | undefined = '/api/v1/records?pageSize=1&type=flat';
    while (path !== undefined && pages.length < 5) {
      pages.push(path);
      const { status, next } = await holdsBack({ method: 'GET', path });
      expect(status).to.equal(200);
      path = /<([^>]+)>; rel="next"/.exec(next ?? '')?.[1];
    }
    expect(pages).to.have.lengthOf(1);
  });

  it('is refused every change to a record of another group, and nothing changes', async () => {
    await fc.assert(
      fc.asyncProperty(CHANGE, async (sent) => {
        const before = await dataOf(service.project);
        const { status } = await holdsBack(sent);

        expect(status, `${sent.method} ${sent.path} ${JSON.stringify(sent.body)}`).to.be.within(400, 499);
        expect(await dataOf(service.project)).to.equal(before);
      }),
      { numRuns: 50 },
    );
    // The same change to the user's own record succeeds.
    expect((await answerTo(OWN_CHANGE)).status).to.equal(200);
    expect(await dataOf(service.project)).to.include(TEXT);
  });
});

/** Returns the data of a project with its files, as the data manager sees it. */
async function dataOf(project: SandboxProject): Promise<string> {
  return /<SubjectData[^]*/.exec(await projectXmlOf(project))?.[0] ?? '';
}

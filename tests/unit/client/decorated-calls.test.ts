import { expect } from 'chai';
import { callsOf, composeClient } from '../../../src/client/compose-client.js';
import type { CrfCalls, CrfClient, ExportRecordsOptions } from '../../../src/gateways/redcap/crf-client.js';
import { rejection } from '../../support/rejection.js';
import { startSandboxClient, type SandboxClient } from '../../support/sandbox-client.js';
import { classicStudy } from '../../support/studies.js';

const OWN = '2';
const HIDDEN = 'weight';

/** A decorator that forgets a member, also one of a group, does not compile. */
type EveryCall = { readonly [Member in keyof CrfCalls]: CrfCalls[Member] };

/** Shows one record of a project without one of its fields. */
function ownRecord(calls: CrfCalls): EveryCall {
  const own = <Options extends ExportRecordsOptions>(options: Options): Options => ({
    ...options,
    records: (options.records ?? [OWN]).filter((id) => id === OWN),
  });
  return {
    ...calls, // the groups of which this test reads nothing that is hidden
    getVersion: (options) => calls.getVersion(options),
    ping: (options) => calls.ping(options),
    fields: {
      list: async (options) => (await calls.fields.list(options)).filter(({ name }) => name !== HIDDEN),
      put: refuse,
    },
    exportRecords: async (options = {}) =>
      own(options).records?.length === 0 ? [] : calls.exportRecords(own(options)),
    openRecords: (options) => calls.openRecords(own(options)),
    importData: () => Promise.reject(new Error('Writes nothing.')),
    checkImport: () => Promise.reject(new Error('Writes nothing.')),
    users: {
      list: async (options) => (await calls.users.list(options)).slice(0, 1),
      put: refuse,
      delete: refuse,
    },
    log: { list: refuse, open: refuse },
    call: refuse,
    clearCache: () => calls.clearCache(),
    close: () => calls.close(),
  };
}

const refuse = (): Promise<never> => Promise.reject(new Error('Not in this view.'));

/** What the compiler says of a decorator that forgets something. It is never called. */
export function forgetful(calls: CrfCalls): readonly EveryCall[] {
  const { ping: _ping, ...withoutPing } = ownRecord(calls);
  const { checkImport: _check, ...withoutCheck } = ownRecord(calls);
  const { list: _list, ...withoutList } = calls.arms;
  return [
    // @ts-expect-error the decorator forgets `ping`
    withoutPing,
    // @ts-expect-error the decorator forgets what its imports refuse, which a dry run says
    withoutCheck,
    // @ts-expect-error the decorator forgets `arms.list`
    { ...ownRecord(calls), arms: withoutList },
  ];
}

describe('A decorator of the calls of a client', () => {
  let started: SandboxClient;
  let client: CrfClient;

  before(async () => {
    started = await startSandboxClient(classicStudy());
    client = composeClient(ownRecord(callsOf(started.client)));
  });
  after(() => started.close());

  const idsOf = async (rows: AsyncIterable<Readonly<Record<string, unknown>>>): Promise<unknown[]> => {
    const ids = [];
    for await (const row of rows) ids.push(row.id);
    return ids;
  };

  it('is obeyed by streamRecords, in one call and in batches', async () => {
    expect(await idsOf(client.streamRecords())).to.deep.equal([OWN]);
    expect(await idsOf(client.streamRecords({ batchSize: 1 }))).to.deep.equal([OWN]);
  });

  it('is obeyed by exportRecords with a limit', async () => {
    expect(await client.exportRecords({ limit: 3 })).to.have.length(1);
  });

  it('is obeyed by rows, whose hidden field is unknown', async () => {
    const rows = [];
    for await (const row of client.rows('base')) rows.push(row);

    expect(rows.map(({ id }) => id)).to.deep.equal([OWN]);
    expect(rows[0]).to.not.have.property(HIDDEN);
  });

  it('is obeyed by getRecord, for which a hidden record does not exist', async () => {
    expect(await client.getRecord(OWN)).to.have.property('record', OWN);
    expect(await rejection(client.getRecord('10'))).to.have.property('code', 'record_not_found');
  });

  it('is obeyed by the check of a filter, for which a hidden field does not exist', async () => {
    const hidden = await rejection(client.exportRecords({ filterLogic: `[${HIDDEN}] > 1` }));
    const unknown = await rejection(client.exportRecords({ filterLogic: '[nonesuch] > 1' }));

    expect(hidden.message).to.equal(unknown.message.replace('nonesuch', HIDDEN));
  });

  it('is obeyed by the suggestion for a misspelt field', async () => {
    const misspelt = await rejection(client.exportRecords({ fields: ['weigth'] }));

    expect(misspelt.message).to.not.include(HIDDEN);
  });

  it('is obeyed by importRows and importRecords', async () => {
    const typed = await rejection(client.importRows([{ id: OWN, age: 31 }]));
    const raw = await rejection(client.importRecords([{ id: OWN, age: 31 }], { check: false }));

    expect(typed.message).to.equal('Writes nothing.');
    expect(raw.message).to.equal('Writes nothing.');
  });

  it('is obeyed by findProjectUser and by the iteration over the log', async () => {
    const [, hidden] = await started.client.users.list();
    const user = await rejection(client.findProjectUser(hidden?.email ?? ''));
    const log = await rejection(idsOf(client.log.stream() as AsyncIterable<never>));

    expect(user).to.have.property('code', 'user_not_found');
    expect(log.message).to.equal('Not in this view.');
  });
});

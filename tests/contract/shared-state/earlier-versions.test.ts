import { expect } from 'chai';
import { SYSTEM_CLOCK } from '../../../src/gateways/redcap/resilience/clock.js';
import { SharedState } from '../../../src/gateways/redis/shared-state.js';
import { describeWith } from '../../support/needed-programs.js';
import { RedisServer } from '../../support/redis-server.js';
import { rejection } from '../../support/rejection.js';

const HOUR_MS = 3_600_000;
const SECRET = 'a secret of the project';
/** What the keys of this project begin with. */
const PROJECT = 'crf:vBLm-PP3mB8cq5tKNixwp2:';

/**
 * What the version of 23 November 2026 (commit f483fa2) wrote with this secret, read from its Redis. A change that
 * cannot read this would sign people out, and store imports twice, while replicas are replaced one by one. If a form
 * has to change, record what the last release wrote, and read both.
 */
const WRITTEN: readonly (readonly [command: string, key: string, ...values: string[]])[] = [
  ['SET', 'cache-version', 'dHWNUzOAUWoq'],
  [
    'HSET',
    'idempotency:XR-_zNlmkj_Ba0INY08uc7',
    'result',
    't8Nj0UhrdryaxmxKnaz7W35Fw7F2m7ousR9Ri-FslBARPz9NgdfpHafU0k9zolCvX7XgMQUYf-lRiS',
    'state',
    'done',
  ],
  [
    'HSET',
    'idempotency:ntKrDqhXunenvNamOonaJ-',
    'state',
    'running',
    'token',
    'fsIrEBj1piuS.2',
    'owner',
    'fsIrEBj1piuS',
    'once',
    '1',
  ],
  ['SET', 'limit:address-hour:E16IUS6dtZ9jgxZ9XEsn-E', '2'],
  [
    'SET',
    'note:1TI6WgOFTLTgYi95Z5sF0p',
    '132DeEesB4RUpdNt8JIcpWjKUX9_dWxX28VSYNVjqIlblPVbaNuK1x7i1ELao6ss5XLRbcuNpu-00',
  ],
  ['SET', 'note:IHut-gUp_8Sbqc6lY8-RDN', '3'],
  [
    'SET',
    'note:_zP5AM2NEOEMzQPIUyJ2mZ',
    'wg_nYbKNfswGSWRWqc93kQ_KVOydr9Yf6WldrgmDxao23taEaNuCUQLVWz-sIpQo2wm6w',
  ],
];

describeWith(['redis'], 'State that an earlier version wrote', () => {
  let server: RedisServer;
  let shared: SharedState;

  before(async () => {
    server = await RedisServer.start();
    for (const [command, key, ...values] of WRITTEN) {
      await server.command(command, PROJECT + key, ...values);
      await server.command('PEXPIRE', PROJECT + key, String(HOUR_MS));
    }
    shared = await SharedState.connect({ url: server.url, secret: SECRET, host: 'redcap.example.org' });
  });
  after(async () => {
    await shared.close();
    await server.dispose();
  });

  it('SHARE-05: of sign-ins is read and counted on', async () => {
    const notes = shared.keyValueStore('note');

    expect(await notes.get('set')).to.equal('a value');
    expect(await notes.get('added')).to.equal('another value');
    expect(await notes.add('added', 'a third value', HOUR_MS)).to.equal(false);
    expect(await notes.count('counted', HOUR_MS)).to.equal(4);
    await notes.delete('set', 'a value');
    expect(await notes.get('set')).to.equal(undefined);
  });

  it('SHARE-05: of limits is counted on', async () => {
    const limit = shared.limitStore({ name: 'address-hour', windowMs: HOUR_MS });

    expect(await limit.increment('ada')).to.have.property('totalHits', 3);
  });

  it('SHARE-05: of imports is repeated, or not run again', async () => {
    const keys = shared.idempotencyStore<object>();

    expect(await keys.reserve('done')).to.deep.equal({ state: 'done', result: { imported: 7 } });
    expect(await keys.reserve('once')).to.deep.equal({ state: 'running' });
  });

  it('SHARE-01: shares one ceiling of calls with replicas of that version, which count by project', async () => {
    const ceiling = shared.resilience.ceiling(3, SYSTEM_CLOCK);
    const [seconds = ''] = (await server.command('TIME')) as string[];
    const now = String(Number(seconds) * 1000);
    await server.command('ZADD', `${PROJECT}calls`, now, 'old.1', now, 'old.2');

    await ceiling.take(undefined);

    expect(await rejection(Promise.resolve(ceiling.take(undefined)))).to.have.property('code', 'overloaded');
    // The older replicas count this project's key, and find the call of this one there.
    expect(await server.command('ZCARD', `${PROJECT}calls`)).to.equal(3);
  });
});

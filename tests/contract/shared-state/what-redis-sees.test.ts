import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { SYSTEM_CLOCK } from '../../../src/gateways/redcap/resilience/clock.js';
import { SharedState } from '../../../src/gateways/redis/shared-state.js';
import { makeCertificate } from '../../support/certificate.js';
import { freePort } from '../../support/free-port.js';
import { describeWith } from '../../support/needed-programs.js';
import { RedisServer } from '../../support/redis-server.js';
import { until } from '../../support/until.js';

const HOUR_MS = 3_600_000;
const ADDRESS = 'ada.lovelace@example.org';

/** Uses everything that processes share. */
async function useAll(shared: SharedState): Promise<void> {
  await shared.limitStore({ name: 'address-hour', windowMs: HOUR_MS }).increment(ADDRESS);
  const notes = shared.keyValueStore('note');
  await notes.set(ADDRESS, ADDRESS, HOUR_MS);
  await notes.add(`${ADDRESS} added`, ADDRESS, HOUR_MS);
  await notes.count(`${ADDRESS} tries`, HOUR_MS);
  const keys = shared.idempotencyStore<object>();
  await keys.reserve(ADDRESS);
  await keys.markOnce(ADDRESS);
  await keys.reserve(`${ADDRESS} done`);
  await keys.complete(`${ADDRESS} done`, { note: ADDRESS });
  await shared.resilience.ceiling(10, SYSTEM_CLOCK).take(ADDRESS);
  await shared.resilience.cacheVersion?.renew();
}

describeWith(['redis'], 'The state in Redis', () => {
  let server: RedisServer;
  let shared: SharedState | undefined;

  afterEach(async () => {
    await shared?.close();
    await server.dispose();
  });

  it('SHARE-04: contains no plain addresses, in keys or values, and every key expires', async () => {
    server = await RedisServer.start();
    shared = await SharedState.connect({ url: server.url, keyPrefix: 'study:', secret: 'a secret' });
    await useAll(shared);

    const keys = (await server.command('KEYS', '*')) as string[];
    expect(keys).to.have.length.greaterThan(9);
    for (const key of keys) {
      expect(key).to.match(/^study:/);
      expect(Number(await server.command('PTTL', key)), key).to.be.greaterThan(0);
      const dump = String(await server.command('DUMP', key));
      expect(`${key} ${dump}`.toLowerCase()).to.not.include('lovelace').and.to.not.include('example.org');
    }
  });

  it('SHARE-01, UP-06: has nothing of an outage of REDCap, which each replica finds itself', async () => {
    server = await RedisServer.start();
    shared = await SharedState.connect({ url: server.url, secret: 'a secret' });
    const other = await SharedState.connect({ url: server.url, secret: 'a secret' });
    const options = { breakerFailures: 1, breakerOpenMs: HOUR_MS };
    const [here, there] = [shared, other].map(({ resilience }) => resilience.circuit(options, SYSTEM_CLOCK));

    here?.enter()('failed');

    expect(() => here?.check())
      .to.throw()
      .with.property('phase', 'circuit open');
    expect(() => there?.enter()).to.not.throw();
    expect(await server.command('KEYS', '*circuit*')).to.deep.equal([]);
    await other.close();
  });

  it('SHARE-04: reveals nothing of a project to a process with another secret', async () => {
    server = await RedisServer.start();
    shared = await SharedState.connect({ url: server.url, secret: 'a secret' });
    await shared.keyValueStore('note').set('ada', 'text', HOUR_MS);
    const stranger = await SharedState.connect({ url: server.url, secret: 'another secret' });

    expect(await stranger.keyValueStore('note').get('ada')).to.equal(undefined);
    expect(await stranger.keyValueStore('note').add('ada', 'text', HOUR_MS)).to.equal(true);
    await stranger.close();
  });

  it('SHARE-04: works with the Redis configuration in docs/operations.md', async () => {
    const page = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
    const [, configuration = ''] = /```\n([^`]*^user crf [^`]*)```/m.exec(page) ?? [];
    const folder = await mkdtemp(join(tmpdir(), 'crf-redis-conf-'));
    await writeFile(join(folder, 'redis.conf'), configuration);
    // Differs from Redis's default policy, so that only the page can have set the expected one.
    const evicting = ['--maxmemory-policy', 'allkeys-lru'];
    server = await RedisServer.start([...evicting, '--include', join(folder, 'redis.conf')]);
    await rm(folder, { recursive: true });
    const url = new URL(server.url);
    [url.username, url.password] = ['crf', 'password'];

    shared = await SharedState.connect({ url: url.href, secret: 'a secret' });
    await useAll(shared);

    expect(shared.status).to.include({ isUp: true, failedCommands: 0 });
    expect(await server.command('CONFIG', 'GET', 'maxmemory-policy')).to.include('noeviction');
  });

  describeWith(['openssl'], 'with TLS', () => {
    it('SHARE-04: is reached over rediss:, and refused with an untrusted certificate', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'crf-tls-'));
      const { certificate: cert, key } = await makeCertificate(folder, 'localhost');
      const port = await freePort();
      const tls = ['--tls-port', String(port), '--tls-cert-file', cert, '--tls-key-file', key];
      server = await RedisServer.start([...tls, '--tls-ca-cert-file', cert, '--tls-auth-clients', 'no']);

      shared = await SharedState.connect({ url: `rediss://localhost:${port}`, secret: 'a secret' });

      // Node reads additional authorities only from NODE_EXTRA_CA_CERTS, at its start.
      const { reason } = await until(() =>
        shared?.status.reason === 'connecting' ? undefined : shared?.status,
      );
      expect(reason).to.match(/SELF_SIGNED_CERT/);
      expect(await isUpFor(cert, `rediss://localhost:${port}`)).to.equal('true');
      await rm(folder, { recursive: true });
    });
  });
});

/** Connects from a process that trusts one more certificate. @returns whether Redis was available there */
async function isUpFor(certificate: string, url: string): Promise<string> {
  const module = new URL('../../../src/gateways/redis/shared-state.ts', import.meta.url).href;
  const script = `
    const { SharedState } = await import(${JSON.stringify(module)});
    const shared = await SharedState.connect({ url: ${JSON.stringify(url)}, secret: 'a secret', timeoutMs: 20_000 });
    console.log(shared.status.isUp);
    await shared.close();`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), '--input-type=module', '--eval', script],
    { env: { ...process.env, NODE_EXTRA_CA_CERTS: certificate } },
  );
  return stdout.trim();
}

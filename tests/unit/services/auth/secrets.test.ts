import { expect } from 'chai';
import crypto, { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { syncBuiltinESMExports } from 'node:module';
import { createApiKey, findApiKey, hashApiKey } from '../../../../src/services/access/api-key.js';
import { deriveAuthKeys, isSameBytes } from '../../../../src/services/auth/auth-keys.js';
import { randomUserId } from '../../../../src/services/auth/random-ids.js';
import { API_KEY, LINK_SECRET } from '../../../support/identity-answers.js';
import { MemoryCookies } from '../../../support/memory-cookies.js';
import { startAuth } from '../../../support/start-auth.js';

const BINDING = '__Host-crf_session_link';
const NOW = new Date('2026-11-20T20:00:00.000Z');

describe('The secrets of this service', () => {
  describe('AUTH-05: are compared in constant time', () => {
    const original = crypto.timingSafeEqual;
    let compared: number[];

    beforeEach(() => {
      compared = [];
      crypto.timingSafeEqual = (left, right) => {
        compared.push(left.byteLength, right.byteLength);
        return original(left, right);
      };
      syncBuiltinESMExports();
    });
    afterEach(() => {
      crypto.timingSafeEqual = original;
      syncBuiltinESMExports();
    });

    it('API keys, by their digests', () => {
      const key = createApiKey();
      const known = { name: 'known', sha256: hashApiKey(key), scopes: [] };

      expect(findApiKey([known], key, NOW)).to.equal(known);
      expect(findApiKey([known], createApiKey(), NOW)).to.equal(undefined);
      expect(compared).to.deep.equal([32, 32, 32, 32]);
    });

    it('signatures, including those of different lengths', () => {
      expect(isSameBytes(Buffer.from('abc'), Buffer.from('abc'))).to.equal(true);
      expect(isSameBytes(Buffer.from('abc'), Buffer.from('abd'))).to.equal(false);
      expect(isSameBytes(Buffer.from('abc'), Buffer.from('ab'))).to.equal(false);
      expect(compared).to.deep.equal([3, 3, 3, 3]);
    });

    it('the browser and the address that a link is bound to', async () => {
      const auth = await startAuth({ loginConfirm: 'unbound' });
      const cookies = new MemoryCookies();
      await auth.service.signupWithEmail('ada@example.org', cookies);
      compared.length = 0;

      await auth.service.login('ada', LINK_SECRET, cookies, { st: auth.lastState() });
      await auth.server.stop();

      expect(compared, 'signature, browser and address').to.include.members([32, 16]);
    });
  });

  it("AUTH-05: put only the SHA-256 digest of the browser's cookie in the link", async () => {
    const auth = await startAuth();
    const cookies = new MemoryCookies();
    await auth.service.signupWithEmail('ada@example.org', cookies);
    await auth.server.stop();
    const value = cookies.get(BINDING) ?? '';
    const state = Buffer.from(auth.lastState(), 'base64url');

    expect(value).to.match(/^[A-Za-z0-9_-]{43}$/);
    expect(state.includes(createHash('sha256').update(value).digest())).to.equal(true);
    expect(state.includes(Buffer.from(value, 'base64url'))).to.equal(false);
    expect(state.includes(Buffer.from(value))).to.equal(false);
  });

  it('AUTH-05: are not kept in memory once issued', async () => {
    const times = 40;
    const auth = await startAuth();
    const folder = await mkdtemp(join(tmpdir(), 'crf-heap-'));
    const file = join(folder, 'heap.heapsnapshot');
    const issued = new Set<string>();
    try {
      // In a process of its own, whose heap has nothing else: this one knows the secrets.
      const child = fork(
        fileURLToPath(new URL('../../../support/sign-in-and-dump.ts', import.meta.url)),
        [auth.server.endpoint, String(times), file],
        { execArgv: ['--import=tsx', '--expose-gc'] },
      );
      child.on('message', (secrets: string[]) => secrets.forEach((secret) => issued.add(secret)));
      const [code] = (await once(child, 'exit')) as [number];
      expect(code).to.equal(0);

      const heap = await readFile(file, 'latin1');
      expect(heap, 'something that the service keeps').to.include(API_KEY);
      const kept = [...issued].filter((secret) => heap.includes(secret.slice(0, 40)));
      expect(issued).to.have.length(3 * times);
      // The last ones may be in buffers and in what the regular expressions matched last.
      expect(kept.length, 'secrets in the heap').to.be.below(times / 4);
    } finally {
      await auth.server.stop();
      await rm(folder, { recursive: true, force: true });
    }
  }).timeout(60_000);

  it('AUTH-05: are distinct in ten thousand draws, and derived keys have 256 bits', () => {
    const keys = new Set(Array.from({ length: 10_000 }, createApiKey));
    const ids = new Set(Array.from({ length: 10_000 }, randomUserId));

    expect([keys.size, ids.size]).to.deep.equal([10_000, 10_000]);
    expect(Object.values(deriveAuthKeys('key', 'project')).map((key: Buffer) => key.length)).to.deep.equal([
      32, 32, 32,
    ]);
  });

  it('are derived in the same way by every version, so that an update ends no session', () => {
    const keys = Object.entries(deriveAuthKeys('key', 'project')).map(([purpose, key]: [string, Buffer]) => [
      purpose,
      key.toString('hex'),
    ]);

    expect(Object.fromEntries(keys)).to.deep.equal({
      cookie: '71e848752e916b75c94b6d93f34d48f3cab186f4bf98197be60e8fdcd76c0533',
      link: 'b7c23a736242598607b726f22a3f5cbf03be67341fd8cf4255eda85b5bc4cce4',
      pseudonym: '0b5ddf771d0e49a1567868088c9d12a6fbd03fb72065c6d1525094369767e122',
    });
  });

  it('AUTH-05: never come from Math.random', () => {
    for (const folder of ['auth', 'access']) {
      const url = new URL(`../../../../src/services/${folder}/`, import.meta.url);
      for (const file of readdirSync(url, { recursive: true, encoding: 'utf8' })) {
        if (!file.endsWith('.ts')) continue;
        expect(readFileSync(new URL(file, url), 'utf8'), file).to.not.include('Math.random');
      }
    }
  });
});

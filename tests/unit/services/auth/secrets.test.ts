import { expect } from 'chai';
import crypto, { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { inspect } from 'node:util';
import { createApiKey, findApiKey, hashApiKey } from '../../../../src/services/access/api-key.js';
import { deriveAuthKeys, isSameBytes } from '../../../../src/services/auth/auth-keys.js';
import { randomUserId } from '../../../../src/services/auth/random-ids.js';
import { LINK_SECRET } from '../../../support/identity-answers.js';
import { MemoryCookies } from '../../../support/memory-cookies.js';
import { startAuth } from '../../../support/start-auth.js';

const BINDING = '__Host-crf_session_link';
const SESSION = '__Host-crf_session';
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
    const auth = await startAuth();
    const cookies = new MemoryCookies();
    await auth.service.signupWithEmail('ada@example.org', cookies);
    const issued = [cookies.get(BINDING), auth.lastState()];
    await auth.service.login('ada', LINK_SECRET, cookies, { st: auth.lastState() });
    issued.push(LINK_SECRET, cookies.get(SESSION));
    await auth.service.currentUser(cookies);
    await auth.server.stop();

    const kept = inspect(auth.service, { depth: Infinity, showHidden: true, maxArrayLength: null });
    for (const secret of issued) {
      expect(secret).to.be.a('string').that.is.not.empty;
      expect(kept.includes(String(secret)), `${String(secret).slice(0, 8)}…`).to.equal(false);
    }
  });

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

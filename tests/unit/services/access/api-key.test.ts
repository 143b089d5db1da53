import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { ConfigurationError } from '../../../../src/domain/errors/operator-errors.js';
import {
  createApiKey,
  createRedcapKey,
  findApiKey,
  hashApiKey,
  type ApiKey,
} from '../../../../src/services/access/api-key.js';

const NOW = new Date('2026-03-01T12:00:00Z');

describe('findApiKey', () => {
  const [key, other] = [createApiKey(), createApiKey()];
  const stored: ApiKey = { name: 'portal', sha256: hashApiKey(key), scopes: ['project:read'] };
  const first: ApiKey = { name: 'first', sha256: hashApiKey(other), scopes: ['project:read'] };

  it('AUTH-05: finds a key by its hash, wherever it stands in the list', () => {
    expect(findApiKey([first, stored], key, NOW)).to.equal(stored);
    expect(findApiKey([stored, first], key, NOW)).to.equal(stored);
    expect(findApiKey([first], key, NOW)).to.equal(undefined);
  });

  for (const [what, presented] of [
    ['a character before it', `x${key}`],
    ['a character after it', `${key}x`],
    ['a line break after it', `${key}\n`],
  ] as const) {
    it(`does not find a key with ${what}`, () => {
      expect(findApiKey([stored], presented, NOW)).to.equal(undefined);
    });
  }

  it('finds a key until it expires, and not from then on', () => {
    const expiring = { ...stored, expiresAt: NOW };

    expect(findApiKey([expiring], key, new Date(NOW.getTime() - 1))).to.equal(expiring);
    expect(findApiKey([expiring], key, NOW)).to.equal(undefined);
    expect(findApiKey([expiring], key)).to.equal(expiring);
  });
});

describe('createApiKey', () => {
  it('AUTH-05: creates distinct keys of 256 random bits', () => {
    const keys = new Set(Array.from({ length: 10_000 }, createApiKey));

    expect(keys.size).to.equal(10_000);
    for (const key of keys) expect(key).to.match(/^crf_[A-Za-z0-9_-]{43}$/);
  });
});

describe('createRedcapKey', () => {
  it('AUTH-05: creates distinct keys of 128 random bits, which are the same in upper and lower case', () => {
    const keys = new Set(Array.from({ length: 10_000 }, createRedcapKey));
    expect(keys.size).to.equal(10_000);
    for (const key of keys) expect(key).to.match(/^[0-9A-F]{32}$/);

    const [key = ''] = keys;
    const stored: ApiKey = { name: 'stats', sha256: hashApiKey(key), scopes: ['records:read'] };
    expect(findApiKey([stored], key.toLowerCase(), NOW)).to.equal(stored);
  });
});

describe('hashApiKey', () => {
  it('AUTH-05: returns the SHA-256 digest in hexadecimal', () => {
    expect(hashApiKey(`crf_${'A'.repeat(43)}`)).to.equal(
      createHash('sha256')
        .update(`crf_${'A'.repeat(43)}`)
        .digest('hex'),
    );
    expect(hashApiKey(createApiKey())).to.match(/^[0-9a-f]{64}$/);
  });

  it('refuses what is not a key of this service, without repeating it', () => {
    for (const text of [
      `x ${createApiKey()}`,
      `${createApiKey()}MARKER`,
      `crf_${'A'.repeat(42)}`,
      undefined as unknown as string,
      7 as unknown as string,
    ])
      expect(() => hashApiKey(text))
        .to.throw(ConfigurationError, 'key must be a key as createApiKey makes it')
        .that.satisfies(({ message }: Error) => !message.includes('MARKER'));
  });
});

import { expect } from 'chai';
import { parseApiKeys, parseScopes } from '../../../../src/server/config/value-types.js';

const [A, B] = ['a'.repeat(64), 'b'.repeat(64)];

describe('parseApiKeys', () => {
  for (const separator of [',', ';', ' ', '\n', ' ,\t']) {
    it(`parses keys separated by ${JSON.stringify(separator)}`, () => {
      const text = [`portal:${A}:project:read`, `trial-2:${B}:records:read+records:write`].join(separator);

      expect(parseApiKeys(text)).to.deep.equal([
        { name: 'portal', sha256: A, scopes: ['project:read'] },
        { name: 'trial-2', sha256: B, scopes: ['records:read', 'records:write'] },
      ]);
    });
  }

  it('turns the hash into lower case', () => {
    expect(parseApiKeys(`portal:${A.toUpperCase()}:project:read`)).to.deep.equal([
      { name: 'portal', sha256: A, scopes: ['project:read'] },
    ]);
  });

  for (const [what, entry] of [
    ['another character before the name', `!portal:${A}:project:read`],
    ['a name of 65 characters', `${'n'.repeat(65)}:${A}:project:read`],
    ['a hash of 63 digits', `portal:${A.slice(1)}:project:read`],
    ['a hash that is not hexadecimal', `portal:${'g'.repeat(64)}:project:read`],
    ['no scope', `portal:${A}:`],
    ['an unknown scope', `portal:${A}:project:read+records:erase`],
    ['text after the date', `portal:${A}:project:read:2027-01-31x`],
    ['a date that does not exist', `portal:${A}:project:read:2027-02-30`],
  ]) {
    it(`names the position of an entry with ${what}, and not its text`, () => {
      expect(parseApiKeys(`first:${B}:project:read,${entry}`)).to.equal(
        'has a malformed entry at position 2; crf key create prints what it takes: name:sha256:scope+scope[:YYYY-MM-DD]',
      );
    });
  }

  it('names the position of a key that is given twice', () => {
    expect(parseApiKeys(`one:${A}:project:read,two:${B}:project:read,three:${A}:records:read`)).to.equal(
      'names the same key twice, at position 3',
    );
  });

  it('refuses a list without an entry', () => {
    expect(parseApiKeys(' , ')).to.be.a('string').that.includes('has no entry');
  });
});

describe('parseScopes', () => {
  it('returns each scope once', () => {
    expect(parseScopes('project:read, records:read project:read')).to.deep.equal([
      'project:read',
      'records:read',
    ]);
  });

  it('names the scopes that exist when one does not', () => {
    expect(parseScopes('project:read,records:erase'))
      .to.be.a('string')
      .that.matches(/^may contain only project:read, .*users:write$/);
  });
});

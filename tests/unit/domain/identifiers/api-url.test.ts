import { expect } from 'chai';
import { ApiUrl, isApiUrl, isLoopbackHost } from '../../../../src/domain/identifiers/api-url.js';

describe('ApiUrl', () => {
  const accepted: readonly [string, string][] = [
    ['https://redcap.example.org/api/', 'https://redcap.example.org/api/'],
    ['https://redcap.example.org/api', 'https://redcap.example.org/api/'],
    ['https://redcap.example.org/api///', 'https://redcap.example.org/api/'],
    ['https://REDCAP.example.org:443/api/', 'https://redcap.example.org/api/'],
    ['http://127.0.0.1:8080/api', 'http://127.0.0.1:8080/api/'],
    ['http://localhost/api/', 'http://localhost/api/'],
    ['http://[::1]:3000/api/', 'http://[::1]:3000/api/'],
  ];
  for (const [given, normalised] of accepted) {
    it(`accepts ${given}`, () => {
      expect(ApiUrl(given)).to.equal(normalised);
    });
  }

  const refused: readonly [string, string][] = [
    ['http on another host', 'http://redcap.example.org/api/'],
    ['a host that only starts like a loopback address', 'http://127.0.0.1.example.org/api/'],
    ['credentials', 'https://user:pass@redcap.example.org/api/'],
    ['a query', 'https://redcap.example.org/api/?content=version'],
    ['an empty query', 'https://redcap.example.org/api/?'],
    ['a fragment', 'https://redcap.example.org/api/#x'],
    ['another scheme', 'ftp://redcap.example.org/api/'],
    ['no scheme', 'redcap.example.org/api/'],
    ['a tab, which URL would drop', 'https://redcap.example\t.org/api/'],
    ['a blank at the end', 'https://redcap.example.org/api/ '],
    ['UP-01: the metadata address of cloud providers', 'https://169.254.169.254/api/'],
    ['UP-01: the metadata address in IPv6 notation', 'https://[::ffff:169.254.169.254]/api/'],
    ['UP-01: a link-local address', 'https://[fe80::1]/api/'],
    ['nothing', ''],
  ];
  for (const [description, value] of refused) {
    it(`refuses ${description}`, () => {
      expect(() => ApiUrl(value))
        .to.throw()
        .with.property('code', 'invalid_identifier');
    });
  }

  it('accepts its own output, and only that', () => {
    expect(isApiUrl(ApiUrl('https://redcap.example.org/api'))).to.be.true;
    expect(isApiUrl('https://redcap.example.org/api')).to.be.false;
  });
});

describe('isLoopbackHost', () => {
  it('accepts all of 127.0.0.0/8', () => {
    expect(isLoopbackHost('127.8.9.10')).to.be.true;
    expect(isLoopbackHost('128.0.0.1')).to.be.false;
  });
});

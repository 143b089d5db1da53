import { expect } from 'chai';
import { likelyMistakes } from '../../../../src/server/config/rules.js';
import { loadSettings } from '../../../../src/server/config/settings.js';

describe('likelyMistakes', () => {
  for (const url of [
    'https://SENTINEL.example.org/',
    'https://SENTINEL.example.org/signin',
    'https://SENTINEL.example.org/login/',
    'https://SENTINEL.example.org/?to=/login',
  ]) {
    it(`warns of the LOGIN_URL ${url}`, () => {
      const [warning = ''] = likelyMistakes({ LOGIN_URL: url });

      expect(warning)
        .to.match(/^LOGIN_URL does not end in \/login/)
        .and.not.include('SENTINEL');
    });
  }

  for (const pattern of ['example.org', '(a|b)\\.example.org', '[a-z]+.org', '\\\\.', '[\\]].org', '^.$']) {
    it(`warns of the ALLOWED_DOMAINS_REGEXP ${pattern}`, () => {
      const [warning = ''] = likelyMistakes({ ALLOWED_DOMAINS_REGEXP: pattern });

      expect(warning).to.match(/^ALLOWED_DOMAINS_REGEXP has a dot/);
    });
  }

  for (const environment of [
    { LOGIN_URL: 'https://crf.example.org/login' },
    { LOGIN_URL: 'https://example.org/crf/login?lang=de' },
    { ALLOWED_DOMAINS_REGEXP: 'any' },
    { ALLOWED_DOMAINS_REGEXP: 'example\\.org' },
    { ALLOWED_DOMAINS_REGEXP: '(.*\\.)?example[.]org' },
    { ALLOWED_DOMAINS_REGEXP: '.+\\.org|.{2,9}\\.net|[^\\].]+\\.com' },
  ]) {
    it(`accepts ${JSON.stringify(environment)}`, () => {
      expect(likelyMistakes(environment)).to.deep.equal([]);
    });
  }

  it('is reported as a warning, and does not prevent the start', () => {
    expect(loadSettings({ ALLOWED_DOMAINS_REGEXP: 'example.org' }).warnings).to.have.length(1);
  });
});

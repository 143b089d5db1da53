import { expect } from 'chai';
import { describeUserAgent } from '../../../../src/sandbox/appwrite/user-agent.js';

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0';

describe('describeUserAgent', () => {
  for (const [userAgent, clientName, clientVersion, osName, deviceName] of [
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`,
      'Chrome',
      '150.0.0.0',
      'Windows',
      'desktop',
    ],
    [
      `Mozilla/5.0 (Windows NT 10.0) ${CHROME} Safari/537.36 Edg/150.1`,
      'Microsoft Edge',
      '150.1',
      'Windows',
      'desktop',
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      'Firefox',
      '140.0',
      'GNU/Linux',
      'desktop',
    ],
    [
      `Mozilla/5.0 (Linux; Android 16; Pixel) ${CHROME} Mobile Safari/537.36`,
      'Chrome',
      '150.0.0.0',
      'Android',
      'smartphone',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15',
      'Safari',
      '26.0',
      'Mac',
      'desktop',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) Version/26.0 Mobile/15E148 Safari/604.1',
      'Safari',
      '26.0',
      'iOS',
      'smartphone',
    ],
    ['curl/8.5.0', '', '', '', ''],
    ['', '', '', '', ''],
  ] as const) {
    it(`reads ${userAgent || 'nothing'} as ${clientName || 'nothing'} on ${osName || 'nothing'}`, () => {
      expect(describeUserAgent(userAgent)).to.include({ clientName, clientVersion, osName, deviceName });
    });
  }

  it('always returns twelve texts', () => {
    for (const userAgent of ['', 'Firefox/1']) {
      const values = Object.values(describeUserAgent(userAgent));
      expect(values).to.have.length(12);
      for (const value of values) expect(value).to.be.a('string');
    }
  });
});

import { expect } from 'chai';
import { deviceName } from '../../../../src/services/auth/device-name.js';

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

describe('The name of a device', () => {
  const table: readonly [userAgent: string | undefined, name: string][] = [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox on Linux'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME}`, 'Chrome on Windows'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Edg/142.0.0.0`, 'Edge on Windows'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} OPR/120.0.0.0`, 'Opera on Windows'],
    [
      'Mozilla/5.0 (Linux; Android 14; SM-S911B) AppleWebKit/537.36 SamsungBrowser/27.0 Chrome/125.0 Mobile Safari/537.36',
      'Samsung Internet on Android',
    ],
    [`Mozilla/5.0 (Linux; Android 14; Pixel 8) ${CHROME}`, 'Chrome on Android'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15',
      'Safari on macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 CriOS/142.0 Mobile/15E148 Safari/604.1',
      'Chrome on iOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 FxiOS/150.0 Mobile/15E148 Safari/605.1.15',
      'Firefox on iOS',
    ],
    ['Mozilla/5.0 (Windows NT 10.0; Trident/7.0)', 'Windows'],
    ['Firefox/150.0', 'Firefox'],
    ['<b>curl</b>/8.0 NotFirefox/1 SubLinuxes', ''],
    ['', ''],
    [undefined, ''],
  ];
  for (const [userAgent, name] of table) {
    it(`LOGIN-15: is "${name}" for ${JSON.stringify(userAgent)}`, () => {
      expect(deviceName(userAgent)).to.equal(name);
    });
  }

  it('LOGIN-15: is read from the first 512 characters', () => {
    expect(deviceName(`${' '.repeat(511)} Firefox/150.0`)).to.equal('');
    expect(deviceName(`${' '.repeat(504)}Firefox/150.0`)).to.equal('Firefox');
  });
});

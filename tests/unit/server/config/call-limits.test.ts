import { expect } from 'chai';
import { callLimitsOf } from '../../../../src/server/config/call-limits.js';
import { loadSettings } from '../../../../src/server/config/settings.js';

const capture = {
  CAPTURE_API_URL: 'https://redcap.example.org/api',
  CAPTURE_API_TOKEN: '0123456789ABCDEF0123456789ABCDEF',
};
const DEFAULTS = { callsPerMinute: 600, failedAuthPerMinute: 60 };
const NONE = { callsPerMinute: 0, failedAuthPerMinute: 0 };

describe('callLimitsOf', () => {
  for (const [where, environment, expected] of [
    ['in front of REDCap, open', capture, DEFAULTS],
    ['in front of REDCap, closed', { ...capture, ALLOW_ANONYMOUS: 'false' }, DEFAULTS],
    ['on the sandbox, closed', { ALLOW_ANONYMOUS: 'false' }, DEFAULTS],
    ['on the sandbox, open', {}, NONE],
  ] as const) {
    it(`RATE-01: ${where}: ${expected.callsPerMinute} calls, ${expected.failedAuthPerMinute} failures`, () => {
      expect(callLimitsOf(loadSettings(environment))).to.deep.equal(expected);
    });
  }

  it('RATE-01: applies configured limits on the sandbox and in front of REDCap', () => {
    const set = { API_CALLS_PER_MINUTE: '7', API_FAILED_AUTH_PER_MINUTE: '0' };

    for (const environment of [capture, {}]) {
      expect(callLimitsOf(loadSettings({ ...environment, ...set }))).to.deep.equal({
        callsPerMinute: 7,
        failedAuthPerMinute: 0,
      });
    }
  });
});

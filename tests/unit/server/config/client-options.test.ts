import { expect } from 'chai';
import { clientOptionsOf } from '../../../../src/server/config/client-options.js';
import { loadSettings } from '../../../../src/server/config/settings.js';
import { DEFAULT_RESILIENCE } from '../../../../src/gateways/redcap/resilience/resilience-options.js';

const capture = {
  CAPTURE_API_URL: 'https://redcap.example.org/api',
  CAPTURE_API_TOKEN: '0123456789ABCDEF0123456789ABCDEF',
};

describe('clientOptionsOf', () => {
  it('uses the defaults of the client library when nothing is set', () => {
    const { resilience } = clientOptionsOf(loadSettings(capture));

    expect(DEFAULT_RESILIENCE).to.include(resilience);
  });

  it('sets no rate limit on the sandbox unless one is configured', () => {
    expect(clientOptionsOf(loadSettings({})).resilience.callsPerMinute).to.equal(0);
    expect(
      clientOptionsOf(loadSettings({ CAPTURE_CALLS_PER_MINUTE: '7' })).resilience.callsPerMinute,
    ).to.equal(7);
  });

  it('passes each variable to its option', () => {
    const { timeouts, resilience } = clientOptionsOf(
      loadSettings({
        CAPTURE_CONNECT_TIMEOUT_MS: '1',
        CAPTURE_FIRST_BYTE_TIMEOUT_MS: '2',
        CAPTURE_IDLE_TIMEOUT_MS: '3',
        CAPTURE_TOTAL_TIMEOUT_MS: '4',
        CAPTURE_MAX_CONCURRENT: '5',
        CAPTURE_QUEUE_LIMIT: '6',
        CAPTURE_QUEUE_TIMEOUT_MS: '7',
        CAPTURE_CALLS_PER_MINUTE: '8',
        CAPTURE_RETRIES: '1',
        CAPTURE_BREAKER_FAILURES: '9',
        CAPTURE_BREAKER_RESET_MS: '10',
        CAPTURE_CACHE_SECONDS: '11',
      }),
    );

    expect(timeouts).to.deep.equal({ connectMs: 1, firstByteMs: 2, idleMs: 3 });
    expect(resilience).to.deep.equal({
      totalMs: 4,
      concurrency: 5,
      queueLimit: 6,
      queueWaitMs: 7,
      callsPerMinute: 8,
      maxRetries: 1,
      breakerFailures: 9,
      breakerOpenMs: 10,
      cacheMs: 11_000,
    });
  });
});

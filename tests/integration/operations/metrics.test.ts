import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { PROBLEMS } from '../../../src/domain/errors/problem-table.js';
import type { RunningServer } from '../../../src/server/start-server.js';
import { describeWith, pathOf } from '../../support/needed-programs.js';
import { RedisServer } from '../../support/redis-server.js';
import { startWholeService } from '../../support/start-whole-service.js';
import { until } from '../../support/until.js';

const deploy = new URL('../../../deploy/', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, deploy), 'utf8');

describe('The admin port', () => {
  let service: RunningServer;
  const ask = (path: string, init?: RequestInit) => fetch(`${service.adminUrl}${path}`, init);

  before(async () => {
    service = await startWholeService({ ADMIN_PORT: '0' });
    await fetch(`${service.url}/api/v1/records?limit=1`);
    await fetch(`${service.url}/api/v1/people/nobody.of.them@example.org`);
    await fetch(`${service.url}/no/such/path/SENTINEL`);
    await fetch(`${service.url}/api/v1/auth/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ email: 'ada@example.org' }),
    });
  });
  after(() => service.stop());

  it('OPS-01: reports whether the process is alive and ready', async () => {
    expect((await ask('/live')).status).to.equal(200);
    const ready = await ask('/ready');

    expect(ready.status).to.equal(200);
    expect(await ready.json()).to.have.property('status', 'ready');
  });

  it('LOG-05: counts requests by route template', async () => {
    const text = await (await ask('/metrics')).text();

    expect(text).to.match(
      /http_server_request_duration_seconds_count\{http_request_method="GET",http_route="\/api\/v1\/people\/\{email\}",http_response_status_code="404"\} 1/,
    );
    expect(text).to.include('crf_problems_total{code="user_not_found"} 1');
    expect(text).to.match(/crf_redcap_request_duration_seconds_count\{content="record",outcome="ok"\} [1-9]/);
    expect(text).to.include('crf_sign_in_events_total{event="link.requested"} 1');
  });

  it('OPS-01: reports what the last checks of readiness have found', async () => {
    const text = await (await ask('/metrics')).text();

    expect(text).to.include('crf_dependency_up{dependency="redcap"} 1');
    expect(text).to.include('crf_dependency_up{dependency="identity"} 1');
  });

  it('UP-05: report how many calls to REDCap of the last minute count towards the ceiling', async () => {
    const text = await (await ask('/metrics')).text();

    expect(text).to.match(/^crf_redcap_calls_last_minute \d+$/m);
    expect(text).to.match(/^crf_redcap_calls_ceiling 0$/m);
  });

  it('LOG-05: has no address, id or path in its labels', async () => {
    const text = await (await ask('/metrics')).text();

    expect(text).to.not.match(/nobody|example\.org|SENTINEL|127\.0\.0\.1/);
  });

  it('LOG-05: does not serve metrics on the port of the service', async () => {
    expect((await fetch(`${service.url}/metrics`)).status).to.equal(404);
  });

  for (const file of ['prometheus/alerts.yml', 'grafana/dashboard.json']) {
    it(`uses only existing metrics and labels in ${file}`, async () => {
      const text = await (await ask('/metrics')).text();
      const known = new Set([...text.matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(namesOf));
      const asked = read(file).match(/\b(?:crf|http_server|nodejs|process)_[a-z0-9_]+\b/g) ?? [];
      const metrics = asked.filter((name) => !LABELS.has(name));

      expect(metrics).to.not.be.empty;
      expect(metrics.filter((name) => !known.has(name))).to.deep.equal([]);
    });
  }
});

describeWith(['redis'], 'The metrics of the shared state', () => {
  it('LOG-05, SHARE-02: report when Redis is unavailable and when it is back', async () => {
    const redis = await RedisServer.start();
    const service = await startWholeService({ ADMIN_PORT: '0', REDIS_URL: redis.url });
    const metrics = async () => (await fetch(`${service.adminUrl}/metrics`)).text();
    try {
      expect(await metrics())
        .to.include('\ncrf_shared_state_away 0\n')
        .and.include('\ncrf_shared_state_replicas 1\n');
      await redis.stop();
      await until(async () => (await metrics()).includes('\ncrf_shared_state_away 1\n'));
      await redis.startAgain();
      await until(async () => (await metrics()).includes('\ncrf_shared_state_away 0\n'));
    } finally {
      await service.stop();
      await redis.dispose();
    }
  });
});

const LABELS: ReadonlySet<string> = new Set([
  'http_route',
  'http_response_status_code',
  'http_request_method',
]);

/** The expectations of promtool for one alert. */
interface RuleTest {
  readonly alertname: string;
  readonly exp_alerts?: readonly object[];
}

/** A histogram is queried by its parts. */
function namesOf([, name = '', type = '']: RegExpMatchArray): string[] {
  return type === 'histogram' ? ['_bucket', '_count', '_sum'].map((end) => `${name}${end}`) : [name];
}

describe('The alerts', () => {
  const alerts = [...read('prometheus/alerts.yml').matchAll(/alert: (\w+)/g)].map(([, name = '']) => name);

  it('are each triggered by the rule test', () => {
    const { tests } = parse(read('prometheus/alerts.test.yml')) as {
      tests: { alert_rule_test: RuleTest[] }[];
    };
    const fired = tests
      .flatMap(({ alert_rule_test: each }) => each)
      .filter(({ exp_alerts: expected = [] }) => expected.length > 0);

    expect(alerts).to.have.length.greaterThan(9);
    expect(new Set(fired.map(({ alertname }) => alertname))).to.deep.equal(new Set(alerts));
  });

  it('refer to existing problem codes', () => {
    const codes = [...read('prometheus/alerts.yml').matchAll(/\b(?:code|outcome)="(\w+)"/g)];

    expect(codes).to.not.be.empty;
    for (const [, code = ''] of codes) expect(PROBLEMS).to.have.property(code);
  });

  it('each have a runbook', () => {
    const page = readFileSync(new URL('../docs/operations.md', deploy), 'utf8');
    const headings = new Set(
      [...page.matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => text.toLowerCase().replaceAll(' ', '-')),
    );
    const runbooks = [...read('prometheus/alerts.yml').matchAll(/operations\.md#([a-z-]+)/g)];

    expect(runbooks).to.have.length(alerts.length);
    for (const [, anchor = ''] of runbooks) expect(headings, anchor).to.include(anchor);
  });
});

describeWith(['promtool'], 'The alerts, in Prometheus', () => {
  for (const args of [
    ['test', 'rules', 'alerts.test.yml'],
    ['check', 'config', 'prometheus.yml'],
  ]) {
    it(`pass promtool ${args.join(' ')}`, async () => {
      const { stdout } = await promisify(execFile)(pathOf('promtool') ?? '', args, {
        cwd: fileURLToPath(new URL('prometheus/', deploy)),
      });

      expect(stdout).to.include('SUCCESS');
    });
  }
});

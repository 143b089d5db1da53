import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { CallObserver } from '../../gateways/redcap/observe.js';
import type { RequestObserver } from '../../http/request-observer.js';

/** The ceiling of calls to one REDCap. */
export interface WatchedCalls {
  readonly limit: number;
  used(): Promise<number>;
}

interface Checked {
  readonly name: string;
  readonly status: 'up' | 'down' | 'unknown';
}

/** What is read at each scrape. */
interface Watched {
  /** Whether any audit log cannot be written. */
  isAuditFailing(): boolean;
  /** The state that replicas share: how many are alive with this one, and what will be written when Redis is back. */
  sharedState(): { readonly isUp: boolean; readonly replicas: number; readonly owedWrites: number };
  /** The ceiling on calls to REDCap, and how much of it the last minute has used, by host, which may be blank. */
  calls: ReadonlyMap<string, WatchedCalls>;
  /** The projects that are served: the series of all others go. Undefined in a process of one. */
  projects: ReadonlySet<string> | undefined;
  apiKeys(): readonly { readonly name: string; readonly expiresAt?: Date | undefined }[];
  /** What the last checks of readiness have found, also of the projects of a process that has several. */
  readiness(): Promise<{ readonly dependencies: readonly Checked[]; readonly projects?: readonly Checked[] }>;
}

type Reading = readonly [labels: Readonly<Record<string, string>>, value: number];

/** From a cached answer to an export that takes minutes. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/**
 * The metrics for operators (LOG-05), with OpenTelemetry names where they exist, bounded labels, and no addresses or
 * ids. Each instance has its own registry, so that several services in one process are counted separately.
 */
export class ServiceMetrics {
  readonly #registry = new Registry();
  readonly #requests = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code'],
    buckets: SECONDS,
    registers: [this.#registry],
  });
  readonly #active = this.#gauge('http_server_active_requests', 'Requests under way.');
  readonly #bytes = this.#counter('http_server_sent_bytes_total', 'Bytes sent, by route.', ['http_route']);
  readonly #problems = this.#counter(
    'crf_problems_total',
    'Problem documents and pages, by code; rate_limited are the limits that were hit.',
    ['code', 'project'],
  );
  readonly #ofProjects = this.#counter(
    'crf_project_requests_total',
    'Requests that entered a project, of a service that has several.',
    ['project', 'http_response_status_code'],
  );
  readonly #redcap = new Histogram({
    name: 'crf_redcap_request_duration_seconds',
    help: 'Time from a request to REDCap to its answer, of a stream to its first bytes.',
    labelNames: ['content', 'outcome'],
    buckets: SECONDS,
    registers: [this.#registry],
  });
  readonly #calls = this.#counter('crf_redcap_calls_total', 'Calls of REDCap, with their retries.', [
    'content',
    'outcome',
    'project',
  ]);
  readonly #retries = this.#counter('crf_redcap_retries_total', 'Requests to REDCap sent again.', [
    'content',
    'project',
  ]);
  readonly #running = this.#gauge('crf_redcap_requests_running', 'Requests to REDCap without an answer.');
  readonly #underWay = this.#gauge(
    'crf_redcap_calls_running',
    'Calls of REDCap under way, with those that wait for their turn; a stream until it is closed.',
    ['kind'],
  );
  readonly #circuit = this.#gauge(
    'crf_redcap_circuit_open',
    '1 while calls to REDCap are suspended after failures.',
    ['project'],
  );
  readonly #signIns = this.#counter('crf_sign_in_events_total', 'Events of the sign-in.', ['event']);
  /** Without Redis, the state is always up. */
  readonly #watched: Watched = {
    isAuditFailing: () => false,
    sharedState: () => ({ isUp: true, replicas: 1, owedWrites: 0 }),
    calls: new Map(),
    projects: undefined,
    apiKeys: () => [],
    readiness: () => Promise.resolve({ dependencies: [] }),
  };

  /** @param version of the service */
  constructor(version: string) {
    collectDefaultMetrics({ register: this.#registry });
    const watched = this.#watched;
    this.#gauge('crf_service_info', 'The version that runs.', ['version']).set({ version }, 1);
    for (const kind of ['call', 'stream']) this.#underWay.set({ kind }, 0);
    this.#read('crf_audit_log_failing', '1 while an audit log cannot be written.', [], () => [
      [{}, watched.isAuditFailing() ? 1 : 0],
    ]);
    this.#read('crf_shared_state_away', '1 while Redis does not answer (REDIS_URL).', [], () => [
      [{}, watched.sharedState().isUp ? 0 : 1],
    ]);
    this.#read(
      'crf_shared_state_replicas',
      'Processes that share one Redis and call the same REDCap, as this one knows.',
      [],
      () => [[{}, watched.sharedState().replicas]],
    );
    this.#read(
      'crf_shared_state_owed_writes',
      'Outcomes of imports and sign-ins not yet written to Redis.',
      [],
      () => [[{}, watched.sharedState().owedWrites]],
    );
    const byHost = (value: (calls: WatchedCalls) => number | Promise<number>) => () =>
      Promise.all(
        [...watched.calls].map(async ([host, calls]): Promise<Reading> => [
          host === '' ? {} : { host },
          await value(calls),
        ]),
      );
    this.#read(
      'crf_redcap_calls_ceiling',
      'Calls to the host of REDCap allowed in a minute (CAPTURE_CALLS_PER_MINUTE); 0 for no ceiling.',
      ['host'],
      byHost(({ limit }) => limit),
    );
    this.#read(
      'crf_redcap_calls_last_minute',
      'Calls to the host of REDCap in the last minute, by all that share the ceiling.',
      ['host'],
      byHost((calls) => calls.used()),
    );
    this.#read(
      'crf_api_key_expiry_timestamp_seconds',
      'When an API key expires, by its name; missing for keys that do not.',
      ['key'],
      () =>
        watched
          .apiKeys()
          .flatMap(({ name, expiresAt }): Reading[] =>
            expiresAt === undefined ? [] : [[{ key: name }, expiresAt.getTime() / 1000]],
          ),
    );
    this.#read(
      'crf_dependency_up',
      '1 if what the service depends on answered the last check, 0 if it did not.',
      ['dependency', 'project'],
      async () => {
        const { dependencies, projects = [] } = await watched.readiness();
        const found = [
          ...dependencies.map(({ name, status }) => [{ dependency: name }, status] as const),
          ...projects.map(({ name, status }) => [{ dependency: 'redcap', project: name }, status] as const),
        ];
        return found.flatMap(([labels, status]): Reading[] =>
          status === 'unknown' ? [] : [[labels, status === 'up' ? 1 : 0]],
        );
      },
    );
  }

  /** Has something else read at each scrape. */
  watch(what: Partial<Watched>): void {
    Object.assign(this.#watched, what);
  }

  readonly requests: RequestObserver = {
    began: () => {
      this.#active.inc();
      return ({ method, route, project, status = 'none', seconds, bytes, problem }) => {
        const ofProject = project === undefined ? {} : { project };
        this.#active.dec();
        this.#requests.observe(
          { http_request_method: method, http_route: route, http_response_status_code: status },
          seconds,
        );
        this.#bytes.inc({ http_route: route }, bytes);
        if (problem !== undefined) this.#problems.inc({ code: problem, ...ofProject });
        if (project !== undefined) this.#ofProjects.inc({ project, http_response_status_code: status });
      };
    },
  };

  /** @param project the configured name, in a process that has several */
  redcapOf(project?: string): CallObserver {
    const ofProject = project === undefined ? {} : { project };
    this.#circuit.set(ofProject, 0);
    return {
      began: (content, kind) => {
        this.#underWay.inc({ kind });
        return (outcome) => {
          this.#underWay.dec({ kind });
          this.#calls.inc({ content, outcome, ...ofProject });
        };
      },
      sent: (content, isRetry) => {
        const end = this.#redcap.startTimer({ content });
        this.#running.inc();
        if (isRetry) this.#retries.inc({ content, ...ofProject });
        return (outcome) => {
          end({ outcome });
          this.#running.dec();
        };
      },
      circuitChanged: (isOpen) => this.#circuit.set(ofProject, isOpen ? 1 : 0),
    };
  }

  /** @param event as named by the sign-in, such as `session.created` */
  signIn(event: string): void {
    this.#signIns.inc({ event });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** @returns all metrics in Prometheus's text format */
  async text(): Promise<string> {
    await this.#forgetOthers();
    return this.#registry.metrics();
  }

  /** Not when a project is taken out, because its last requests are counted after that. */
  async #forgetOthers(): Promise<void> {
    for (const metric of [this.#problems, this.#ofProjects, this.#calls, this.#retries, this.#circuit])
      for (const { labels } of (await metric.get()).values)
        if (labels.project !== undefined && this.#watched.projects?.has(String(labels.project)) === false)
          metric.remove(labels);
  }

  #gauge(name: string, help: string, labelNames: readonly string[] = []): Gauge {
    return new Gauge({ name, help, labelNames, registers: [this.#registry] });
  }

  /** A gauge whose values are read at each scrape. */
  #read(
    name: string,
    help: string,
    labelNames: readonly string[],
    readings: () => readonly Reading[] | Promise<readonly Reading[]>,
  ): void {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [this.#registry],
      async collect() {
        this.reset();
        for (const [labels, value] of await readings()) this.set(labels, value);
      },
    });
  }

  #counter<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }
}

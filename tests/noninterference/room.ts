import { hkdfSync } from 'node:crypto';
import { Writable } from 'node:stream';
import { createApp } from '../../src/app/app.js';
import { callsOf, composeClient } from '../../src/client/compose-client.js';
import { createCrfClient } from '../../src/client/create-crf-client.js';
import type { CrfCalls, CrfClient, RecordSelection } from '../../src/gateways/redcap/crf-client.js';
import { createHttpServer } from '../../src/http/http-server.js';
import { createLogger } from '../../src/logging/create-logger.js';
import { ServiceMetrics } from '../../src/metrics/service-metrics.js';
import { CallerViews, type BoundCaller, type PolicyFiles } from '../../src/policy/caller-views.js';
import { readPolicyFile } from '../../src/policy/policy-file.js';
import type { ProjectView } from '../../src/policy/project-view.js';
import { DEMO_TOKEN } from '../../src/sandbox/demo-study/demo-study.js';
import { startRedcapSandbox } from '../../src/sandbox/redcap/redcap-sandbox.js';
import type { Study } from '../../src/sandbox/redcap/study.js';
import { startMemoryAudit } from '../support/memory-audit.js';
import { startSandboxClient } from '../support/sandbox-client.js';
import { closeServer, keyWith, listen } from '../support/start-service.js';
import { seed, type Leak } from './leak.js';
import type { Case } from './made-up.js';
import type { Request } from './requests.js';

/** What somebody gets of a request, without what differs from answer to answer by itself. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A project with an application in front of it. */
export interface Room {
  readonly send: (request: Request) => Promise<Answer>;
  /** What was written to the log, at every level, to the audit log, and what is counted. */
  written(): Promise<readonly string[]>;
  /** The fields that a view asked REDCap for; `*` for all of them. */
  readonly asked: ReadonlySet<string>;
  /** All of the project, whatever the policy. */
  readonly whole: CrfCalls;
  /** What the cursors and versions of the view are made with, for the smaller project to make the same. */
  readonly cursorKey: Buffer;
  /** Sends a request to the other project. */
  readonly sendBeside: (request: Request) => Promise<Answer>;
  close(): Promise<void>;
}

/** Headers and parts of a body that differ from answer to answer, whoever asks. Nothing else is left out of a comparison. */
const RANDOM_HEADERS = new Set([
  'date',
  'x-request-id',
  'ratelimit',
  'ratelimit-policy',
  'connection',
  'keep-alive',
]);
const RANDOM_TEXTS: readonly (readonly [RegExp, string])[] = [
  // The id of the request, in a problem document.
  [/"instance":"[^"]*"/g, '"instance":""'],
  // When a dataset was made.
  [/"datasetJSONCreationDateTime":"[^"]*"/g, '"datasetJSONCreationDateTime":""'],
  // Survey identifiers, which a view never has.
  [/"redcap_survey_identifier":"",|,"redcap_survey_identifier":""/g, ''],
  // Cursors are encrypted with a random number each.
  [/(cursor=|"nextCursor":")[\w-]+/g, '$1'],
];

/** Visits, of which some are at hidden events, and a date that may be hidden. */
const STUDY = {
  schedule: {
    anchor: 'on_day',
    visits: {
      week_arm_1: { day: 7, before: 1, after: 1 },
      end_arm_1: { day: 30, before: 3, after: 3 },
    },
  },
};
const CURSOR_KEY = Buffer.alloc(32, 1);
/** Somebody who may know counts, but no records. */
const COUNTS = keyWith('project:read');
/** Counts for all rooms, because what it watches of the process cannot be given back. */
const METRICS = new ServiceMetrics('test');

/**
 * @param beside the study of another project that the application serves too
 * @param who undefined for somebody who sees everything
 * @param leak what to do wrong
 * @param cursorKey what cursors and versions are made with where there is no view
 */
export async function openRoom(
  study: Study,
  who?: Case,
  leak?: Leak,
  cursorKey: Buffer = CURSOR_KEY,
  beside?: Study,
): Promise<Room> {
  const sandbox = await startRedcapSandbox({ study, clock: () => new Date('2026-03-01T12:00:00Z') });
  // What is read here is not logged, because a view does not show it and a project would.
  sandbox.project.log.add = () => undefined;
  const client = createCrfClient({
    url: sandbox.url,
    token: DEMO_TOKEN,
    resilience: { callsPerMinute: 0 },
    observer: METRICS.redcapOf(),
  });
  const lines: string[] = [];
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  const whole = callsOf(client);
  const watch = { asked: new Set<string>(), isOn: true };
  const capture = who === undefined ? client : composeClient(watched(whole, watch));
  const views = who && (await PersonViews.of(capture, who, leak));
  const { log, audit } = await startMemoryAudit();
  const own = { capture, policy: views, imports: { recordIdMinLength: 1 }, cursorKey, study: STUDY, audit };
  const common = {
    // Everybody has every scope, on the pages too.
    access: { allowAnonymous: true, apiKeys: [COUNTS.apiKey] },
    sandbox: {},
    limits: { callsPerMinute: 0, failedAuthPerMinute: 0 },
    requests: METRICS.requests,
    logger: await createLogger({ level: 'trace', destination }),
  };
  const neighbour = beside && (await startSandboxClient(beside));
  const app = createApp(
    neighbour === undefined
      ? { ...common, ...own }
      : {
          ...common,
          audit,
          projects: { own, neighbour: { capture: neighbour.client } },
          defaultProject: 'own',
        },
  );
  if (leak !== undefined && views !== undefined)
    seed(leak, app, { capture, whole, cursorKeyOf, study: STUDY });
  const server = createHttpServer(app);
  const url = await listen(server);

  const exchange = async ({ method = 'GET', path, body, type, key, as }: Request): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        'sec-fetch-site': 'same-origin',
        ...(body !== undefined && { 'content-type': type ?? 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(as === 'counts' && { authorization: COUNTS.authorization }),
      },
      body: body ?? null,
    });
    const text = await response.arrayBuffer().then(
      (bytes) => Buffer.from(bytes).toString('latin1'),
      () => 'The answer broke off.',
    );
    const headers = [...response.headers].filter(([name]) => !RANDOM_HEADERS.has(name));
    return {
      status: response.status,
      headers: Object.fromEntries(headers.map(([name, value]) => [name, value.replaceAll(url, '')])),
      body: text.replaceAll(url, ''),
    };
  };
  /** Asks as the same person did while their policy granted everything. */
  const before = async (request: Request): Promise<Answer | undefined> => {
    if (views === undefined) return undefined;
    watch.isOn = false;
    views.grantAll(true);
    const answer = await exchange(request);
    views.grantAll(false);
    watch.isOn = true;
    return answer;
  };

  // In rooms with a leak, there is somebody whose state may be mistaken for that of the view.
  if (leak !== undefined) await before({ path: '/api/v1/project/info' });

  return {
    whole,
    asked: watch.asked,
    cursorKey: views === undefined ? cursorKey : cursorKeyOf(await views.viewOf()),
    written: async () => [...lines, ...log.lines, ...(await METRICS.text()).split('\n')],
    send: async (request) => {
      if (request.isAfterMore === true) await before(request);
      let { path } = request;
      if (path.includes(FOREIGN_CURSOR)) {
        const first = await before({ path: path.replace(`&cursor=${FOREIGN_CURSOR}`, '') });
        const [, cursor = 'none'] = /cursor=([\w-]+)/.exec(first?.headers['link'] ?? '') ?? [];
        path = path.replace(FOREIGN_CURSOR, cursor);
      }
      const answer = plain(await exchange({ ...request, path }));
      if (who === undefined || leak?.answer === undefined) return answer;
      return leak.answer(answer, { whole, lines, request });
    },
    sendBeside: (request) => exchange({ ...request, path: `/projects/neighbour${request.path}` }),
    close: async () => {
      await closeServer(server);
      client.close();
      await neighbour?.close();
      await sandbox.close();
    },
  };
}

/** In the address of a request: a cursor of the same list, from the time when the person saw everything. */
export const FOREIGN_CURSOR = '{cursor}';

/** The key that an application derives for a view, so that nobody reads the cursors of others. */
function cursorKeyOf({ key }: ProjectView): Buffer {
  return Buffer.from(hkdfSync('sha256', CURSOR_KEY, '', `view ${key}`, 32));
}

/** The views of one person, who is the only caller of an open service. */
class PersonViews extends CallerViews {
  private constructor(
    private readonly capture: CrfClient,
    private readonly proved: PolicyFiles,
    private readonly all: PolicyFiles,
    private readonly email: string,
    private readonly leak: Leak | undefined,
  ) {
    super(capture, proved, 'secret');
  }

  static async of(
    capture: CrfClient,
    { rules, accepted, person, mirrored }: Case,
    leak: Leak | undefined,
  ): Promise<PersonViews> {
    const fields = await capture.getMetadata();
    const filesOf = (policy: unknown, binding: object, names: (name: string) => boolean): PolicyFiles => {
      const lock: Record<string, string[]> = {};
      for (const { name, instrument } of fields) if (names(name)) (lock[instrument] ??= []).push(name);
      const file = { version: 1, policies: { proved: policy }, bindings: [{ session: '*', ...binding }] };
      return {
        set: readPolicyFile(JSON.stringify(file)),
        lock: { version: 1, policies: { proved: lock } },
      };
    };
    const bound = mirrored ? { mirror: 'redcap-user' } : { policy: 'proved', group: person.group };
    return new PersonViews(
      capture,
      filesOf(fileOf(rules), bound, (name) => accepted.has(name)),
      filesOf(EVERYTHING, { policy: 'proved' }, () => true),
      person.email,
      leak,
    );
  }

  /** Reads other files, as a service does when they have changed. */
  grantAll(isAll: boolean): void {
    this.replace(isAll ? this.all : this.proved);
  }

  override async viewOf(): Promise<ProjectView> {
    const caller: BoundCaller = { kind: 'session', name: 'session:one', user: { email: this.email } };
    const view = await super.viewOf(caller);
    return this.leak?.view?.(view, await this.capture.getMetadata()) ?? view;
  }
}

const EVERYTHING = { records: 'all', forms: { '*': 'write' }, create: 'auto', files: 'write', logs: 'read' };

function fileOf({ records, ...rules }: Case['rules']): unknown {
  if (typeof records === 'string') return { records, ...rules };
  if ('group' in records) return { records: { group: '$caller.group' }, ...rules };
  if ('where' in records) {
    const { name, code, event, is, than } = records.where;
    const place = event === undefined ? '' : `[${event}]`;
    const reference = `${place}[${name}${code === undefined ? '' : `(${code})`}]`;
    return { records: { where: `${reference} ${is} '${than}'` }, ...rules };
  }
  const { field, event } = records.own;
  return { records: { own: { field, event, equals: '$session.email' } }, ...rules };
}

/** Returns the same calls, with a note of the fields that exports ask for. */
function watched(calls: CrfCalls, watch: { readonly asked: Set<string>; readonly isOn: boolean }): CrfCalls {
  const note = ({ fields = ['*'], forms }: RecordSelection): void => {
    if (watch.isOn) for (const name of forms === undefined ? fields : ['*']) watch.asked.add(name);
  };
  const exports: Pick<CrfCalls, 'exportRecords' | 'openRecords'> = {
    exportRecords: (options = {}) => {
      note(options);
      return calls.exportRecords(options);
    },
    openRecords: (options) => {
      note(options);
      return calls.openRecords(options);
    },
  };
  return new Proxy(calls, {
    get: (target, name) => {
      if (Object.hasOwn(exports, name)) return Reflect.get(exports, name) as unknown;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

function plain({ status, headers, body }: Answer): Answer {
  const fixed = (text: string): string =>
    RANDOM_TEXTS.reduce((cut, [pattern, by]) => cut.replace(pattern, by), text);
  return {
    status,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fixed(value)])),
    body: fixed(body),
  };
}

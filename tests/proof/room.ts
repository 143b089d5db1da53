import { hkdfSync } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { createApp } from '../../src/app/app.js';
import { callsOf } from '../../src/client/compose-client.js';
import { createCrfClient } from '../../src/client/create-crf-client.js';
import { SCOPES } from '../../src/domain/identifiers/scope.js';
import { heard } from '../../src/domain/bytes/heard.js';
import type { AuditSink } from '../../src/gateways/audit/audit-sink.js';
import type { CrfCalls } from '../../src/gateways/redcap/crf-client.js';
import { createHttpServer } from '../../src/http/http-server.js';
import { createLogger } from '../../src/server/logging/logger.js';
import { ServiceMetrics } from '../../src/server/metrics/service-metrics.js';
import type { ProjectView } from '../../src/policy/project-view.js';
import { DEMO_TOKEN } from '../../src/sandbox/demo-study/demo-study.js';
import { startRedcapSandbox } from '../../src/sandbox/redcap/redcap-sandbox.js';
import type { Study } from '../../src/sandbox/redcap/study.js';
import { createApiKey, createRedcapKey, hashApiKey } from '../../src/services/access/api-key.js';
import { AuditTrail } from '../../src/services/audit/audit-trail.js';
import type { StudyOptions } from '../../src/services/summary/study-options.js';
import { NOW } from './chosen-records.js';
import { textOf } from './compare.js';
import { seed, type Leak } from './leaks/leak.js';
import type { Case, Design } from './made-up.js';
import { PersonViews, watched } from './person-views.js';
import { FOREIGN_CURSOR, type Answer, type ApiCall, type Request } from './request.js';

/** A project with an application in front of it. */
export interface Room {
  readonly send: (request: Request) => Promise<Answer>;
  /** Sends a call of REDCap's API: under a policy to the application, and otherwise to the project itself. */
  readonly call: (call: ApiCall) => Promise<Answer>;
  /** What was written to the log, at every level, to the audit log, and into cursors; and what is counted. */
  written(): Promise<readonly string[]>;
  /** The keys of the ids that a view made up for an export each. */
  readonly drawn: readonly string[];
  /** The fields that a view asked REDCap for; `*` for all of them. */
  readonly asked: ReadonlySet<string>;
  /** All of the project, whatever the policy. */
  readonly whole: CrfCalls;
  /** What the cursors and versions of the view are made with, for the smaller project to make the same. */
  readonly cursorKey: Buffer;
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
const CURSORS = /(cursor=|"next":")[\w-]+/g;
const RANDOM_TEXTS: readonly (readonly [RegExp, string])[] = [
  // The id of the request, in a problem document.
  [/"instance":"[^"]*"/g, '"instance":""'],
  // Survey identifiers, which a view never has.
  [/"redcap_survey_identifier":"",|,"redcap_survey_identifier":""/g, ''],
  // Cursors are encrypted with a random number each.
  [CURSORS, '$1'],
];

/** Visits at the events of a project, of which some are hidden, and a date that may be hidden. */
export function scheduleOf({ fields, events }: Design): StudyOptions {
  const anchor = fields.findLast(({ validationType }) => validationType.startsWith('date_'))?.name;
  const visits = events
    .slice(1)
    .map(({ uniqueName }, at) => [uniqueName, { day: 7 * (at + 1), before: 1, after: 1 }] as const);
  return anchor === undefined || visits.length === 0
    ? {}
    : { schedule: { anchor, visitDate: anchor, visits: Object.fromEntries(visits) } };
}

const CURSOR_KEY = Buffer.alloc(32, 1);
/** The key of somebody who may know counts, but no records. */
const COUNTS = createApiKey();
/** The key of somebody with every scope, for REDCap's API. */
const TOKEN = createRedcapKey();
/** Counts for all rooms, because what it watches of the process cannot be given back. */
const METRICS = new ServiceMetrics('proof');

/** What a room is opened with besides its study. */
export interface RoomOptions {
  /** Undefined for somebody who sees everything. */
  readonly who?: Case | undefined;
  /** What to do wrong. */
  readonly leak?: Leak | undefined;
  /** What cursors and versions are made with where there is no view. */
  readonly cursorKey?: Buffer | undefined;
  /** The schedule of the study; by default the one of its own design. */
  readonly schedule?: StudyOptions | undefined;
}

/** Starts a project, and an application in front of it. */
export async function openRoom(
  study: Study,
  { who, leak, cursorKey = CURSOR_KEY, schedule = scheduleOf(study) }: RoomOptions = {},
): Promise<Room> {
  const project = await openProject(study);
  const { sandbox, client } = project;
  // What is read here is not logged, because a view does not show it and a project would.
  sandbox.project.log.add = () => undefined;
  const lines: string[] = [];
  const whole = callsOf(client);
  const watch = { asked: new Set<string>(), isOn: true };
  const capture = who === undefined ? client : watched(whole, watch);
  const views = who && (await PersonViews.of(capture, who, leak));
  const view = await views?.viewOf().catch(async (error: unknown) => {
    await closeProject(project);
    throw error;
  });
  const entries: string[] = [];
  const cursors: string[] = [];
  const audit = new AuditTrail(memoryOf(entries));
  await audit.start();
  const app = createApp({
    capture,
    policy: views,
    imports: { recordIdMinLength: 1 },
    cursorKey,
    study: schedule,
    audit,
    // Everybody has every scope, on the pages too.
    access: {
      allowAnonymous: true,
      isLoopbackOnly: true,
      apiKeys: [
        { name: 'counts', sha256: hashApiKey(COUNTS), scopes: ['project:read'] },
        { name: 'script', sha256: hashApiKey(TOKEN), scopes: SCOPES },
      ],
    },
    apiDoor: true,
    sandbox: {},
    limits: { callsPerMinute: 0, failedAuthPerMinute: 0 },
    requests: METRICS.requests,
    logger: await createLogger({ level: 'trace', destination: writingTo(lines) }),
  });
  if (leak !== undefined && views !== undefined)
    seed(leak, app, { capture, whole, cursorKeyOf, study: schedule });
  const server = createHttpServer(app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** Asks as the same person did while their policy granted everything. */
  const before = async (request: Request): Promise<Answer | undefined> => {
    if (views === undefined) return undefined;
    watch.isOn = false;
    views.grantAll(true);
    const answer = await exchange(url, request);
    views.grantAll(false);
    watch.isOn = true;
    return answer;
  };

  // In rooms with a leak, there is somebody whose state may be mistaken for that of the view.
  if (leak !== undefined) await before({ path: '/api/v1/project/info' });

  return {
    whole,
    drawn: views?.drawn ?? [],
    asked: watch.asked,
    cursorKey: view === undefined ? cursorKey : cursorKeyOf(view),
    written: async () => [...lines, ...entries, ...cursors, ...(await METRICS.text()).split('\n')],
    send: async (request) => {
      if (request.isAfterMore === true) await before(request);
      let { path } = request;
      if (path.includes(FOREIGN_CURSOR)) {
        const first = await before({ path: path.replace(`&cursor=${FOREIGN_CURSOR}`, '') });
        const [, cursor = 'none'] = /cursor=([\w-]+)/.exec(first?.headers['link'] ?? '') ?? [];
        path = path.replace(FOREIGN_CURSOR, cursor);
      }
      const right = await exchange(url, { ...request, path });
      const isLeaking = who !== undefined && leak?.answer !== undefined;
      const answer = isLeaking ? await leak.answer(right, { whole, lines, request }) : right;
      cursors.push(...(textOf(answer).match(CURSORS) ?? []));
      return plain(answer);
    },
    call: (call) =>
      who === undefined
        ? exchangeCall(sandbox.url, DEMO_TOKEN, call)
        : exchangeCall(`${url}/api/`, TOKEN, call),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      await closeProject(project);
    },
  };
}

const CLOSED: Answer = { status: 0, headers: {}, body: 'The connection was closed.' };

/** Sends a request, and leaves out of its answer what differs whoever asks. */
async function exchange(
  url: string,
  { method = 'GET', path, body, type, headers: others, key, as }: Request,
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      'sec-fetch-site': 'same-origin',
      ...(body !== undefined && { 'content-type': type ?? 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...others,
      ...(as === 'counts' && { authorization: `Bearer ${COUNTS}` }),
    },
    body: body ?? null,
  }).catch(() => undefined);
  if (response === undefined) return CLOSED;
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
}

/** Sends a call of REDCap's API. Clients look at the status, the content type and the body of its answer. */
async function exchangeCall(url: string, token: string, call: ApiCall): Promise<Answer> {
  const { entries, file, isMultipart = file !== undefined } = call;
  const form = new FormData();
  const fields = new URLSearchParams();
  for (const [name, value] of [['token', token] as const, ...entries]) {
    form.append(name, value);
    fields.append(name, value);
  }
  if (file !== undefined) form.append('file', new Blob([file.text], { type: 'text/plain' }), file.name);
  const body = isMultipart ? form : fields;
  const response = await fetch(url, { method: 'POST', body }).catch(() => undefined);
  if (response === undefined) return CLOSED;
  return {
    status: response.status,
    headers: { 'content-type': response.headers.get('content-type') ?? '' },
    body: Buffer.from(await response.arrayBuffer()).toString('latin1'),
  };
}

function writingTo(lines: string[]): Writable {
  return heard(
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        lines.push(chunk.toString());
        done();
      },
    }),
  );
}

async function openProject(study: Study) {
  const sandbox = await startRedcapSandbox({ study, clock: () => NOW });
  const client = createCrfClient({
    url: sandbox.url,
    token: DEMO_TOKEN,
    resilience: { callsPerMinute: 0 },
    observer: METRICS.redcapOf(),
  });
  return { sandbox, client };
}

async function closeProject({ sandbox, client }: Awaited<ReturnType<typeof openProject>>): Promise<void> {
  client.close();
  await sandbox.close();
}

/** An audit log that is only kept in memory. */
function memoryOf(entries: string[]): AuditSink {
  return {
    open: () => Promise.resolve({ lastLine: entries.at(-1) }),
    append: (lines) => {
      entries.push(...lines.split('\n').filter((line) => line !== ''));
      return Promise.resolve();
    },
    reopen: () => undefined,
    close: () => Promise.resolve(),
  };
}

/** The key that an application derives for a view, so that nobody reads the cursors of others. */
function cursorKeyOf({ key }: ProjectView): Buffer {
  return Buffer.from(hkdfSync('sha256', CURSOR_KEY, '', `view ${key}`, 32));
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

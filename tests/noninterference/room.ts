import { Writable } from 'node:stream';
import { createApp } from '../../src/app/app.js';
import { callsOf, composeClient } from '../../src/client/compose-client.js';
import { createCrfClient } from '../../src/client/create-crf-client.js';
import type { CrfCalls, RecordSelection } from '../../src/gateways/redcap/crf-client.js';
import { createHttpServer } from '../../src/http/http-server.js';
import { createLogger } from '../../src/logging/create-logger.js';
import { CallerViews } from '../../src/policy/caller-views.js';
import { readPolicyFile } from '../../src/policy/policy-file.js';
import type { ProjectView } from '../../src/policy/project-view.js';
import { restrict } from '../../src/policy/restrict.js';
import { DEMO_TOKEN } from '../../src/sandbox/demo-study/demo-study.js';
import { startRedcapSandbox } from '../../src/sandbox/redcap/redcap-sandbox.js';
import type { Study } from '../../src/sandbox/redcap/study.js';
import { closeServer, listen } from '../support/start-service.js';
import type { Leak } from './leaks.js';
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
  /** What was logged, at every level. */
  readonly lines: readonly string[];
  /** The fields that a view asked REDCap for; `*` for all of them. */
  readonly asked: ReadonlySet<string>;
  /** All of the project, whatever the policy. */
  readonly whole: CrfCalls;
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
  // Survey identifiers, which a view never has.
  [/"redcap_survey_identifier":"",|,"redcap_survey_identifier":""/g, ''],
  // Cursors are encrypted with a random number each.
  [/(cursor=|"nextCursor":")[\w-]+/g, '$1'],
];

/**
 * @param who undefined for somebody who sees everything
 * @param leak what to do wrong
 */
export async function openRoom(study: Study, who?: Case, leak?: Leak): Promise<Room> {
  const sandbox = await startRedcapSandbox({ study, clock: () => new Date('2026-03-01T12:00:00Z') });
  // What is read here is not logged, because a view does not show it and a project would.
  sandbox.project.log.add = () => undefined;
  const client = createCrfClient({ url: sandbox.url, token: DEMO_TOKEN, resilience: { callsPerMinute: 0 } });
  const lines: string[] = [];
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  const whole = callsOf(client);
  const compiled = who && (await viewOf(whole, client, who));
  const view = compiled && (leak?.view?.(compiled, await whole.getMetadata()) ?? compiled);
  const asked = new Set<string>();
  const shown = view && restrict(watched(whole, asked), view);
  const capture =
    view === undefined || shown === undefined
      ? client
      : composeClient(leak?.calls?.(shown, whole, view) ?? shown);
  const app = createApp({
    capture,
    // Everybody has every scope, on the pages too.
    access: { allowAnonymous: true },
    sandbox: {},
    limits: { callsPerMinute: 0, failedAuthPerMinute: 0 },
    imports: { recordIdMinLength: 1 },
    cursorKey: Buffer.alloc(32, 1),
    logger: await createLogger({ level: 'trace', destination }),
  });
  const server = createHttpServer(app);
  const url = await listen(server);
  return {
    lines,
    whole,
    asked,
    send: async ({ method = 'GET', path, body, type = 'application/json' }) => {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { 'sec-fetch-site': 'same-origin', ...(body !== undefined && { 'content-type': type }) },
        body: body ?? null,
      });
      const text = Buffer.from(await response.arrayBuffer()).toString('latin1');
      const answer = {
        status: response.status,
        headers: Object.fromEntries(
          [...response.headers]
            .filter(([name]) => !RANDOM_HEADERS.has(name))
            .map(([name, value]) => [name, fixed(value.replaceAll(url, ''))]),
        ),
        body: fixed(text.replaceAll(url, '')),
      };
      return who === undefined ? answer : ((await leak?.answer?.(answer, whole, lines)) ?? answer);
    },
    close: async () => {
      await closeServer(server);
      client.close();
      await sandbox.close();
    },
  };
}

/** Returns the same calls, with a note of the fields that exports ask for. */
function watched(calls: CrfCalls, asked: Set<string>): CrfCalls {
  const note = ({ fields = ['*'], forms }: RecordSelection): void => {
    for (const name of forms === undefined ? fields : ['*']) asked.add(name);
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

function fixed(text: string): string {
  return RANDOM_TEXTS.reduce((cut, [pattern, by]) => cut.replace(pattern, by), text);
}

/** Compiles the policy as a service does: from the file, its lock and the project. */
async function viewOf(
  whole: CrfCalls,
  client: ConstructorParameters<typeof CallerViews>[0],
  { rules, accepted, person }: Case,
): Promise<ProjectView> {
  const binding = { session: '*', policy: 'proved', group: person.group };
  const set = readPolicyFile(
    JSON.stringify({ version: 1, policies: { proved: fileOf(rules) }, bindings: [binding] }),
  );
  const fields = await whole.getMetadata();
  const lock: Record<string, string[]> = {};
  for (const { name, instrument } of fields) if (accepted.has(name)) (lock[instrument] ??= []).push(name);
  const views = new CallerViews(client, { set, lock: { version: 1, policies: { proved: lock } } }, 'secret');
  return views.viewOf({ kind: 'session', name: 'session', user: { email: person.email } });
}

function fileOf({ records, ...rules }: Case['rules']): unknown {
  if (typeof records === 'string') return { records, ...rules };
  if ('group' in records) return { records: { group: '$caller.group' }, ...rules };
  const { field, event } = records.own;
  return { records: { own: { field, event, equals: '$session.email' } }, ...rules };
}

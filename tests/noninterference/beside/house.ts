import { createApp, replaceProjects } from '../../../src/app/app.js';
import type { ProjectOptions, ProjectsAppOptions } from '../../../src/app/create-app-options.js';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { SharedHost } from '../../../src/gateways/redcap/resilience/shared-host.js';
import type { ResilienceState } from '../../../src/gateways/redcap/resilience/resilience-options.js';
import type { CrfClient } from '../../../src/gateways/redcap/crf-client.js';
import { createHttpServer } from '../../../src/http/http-server.js';
import { SCOPES } from '../../../src/domain/identifiers/scope.js';
import { CallerViews } from '../../../src/policy/caller-views.js';
import { readPolicyFile } from '../../../src/policy/policy-file.js';
import { DEMO_TOKEN } from '../../../src/sandbox/demo-study/demo-study.js';
import { startRedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { startFaultServer } from '../../support/fault-server.js';
import { forward } from '../../support/forward.js';
import { startMemoryAudit } from '../../support/memory-audit.js';
import { closeServer, keyWith, listen } from '../../support/start-service.js';
import type { Request } from '../../proof/request.js';
import type { BesideLeak } from './beside-leaks.js';

/** What somebody gets of a request, without what differs from answer to answer by itself. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A service of two projects, of which one must not notice the other. */
export interface House {
  /** Sends a request to the project of which the answers are compared, or to its neighbour, with the same API key. */
  readonly send: (project: 'own' | 'neighbour', request: Sent) => Promise<Answer>;
  /** Lets every call of the neighbour to REDCap fail, or no more. */
  readonly failBeside: (isFailing: boolean) => void;
  /** Reads other options of the neighbour, as SIGHUP does. */
  readonly rereadBeside: () => void;
  /** The lines of the audit log of each, which are in order. */
  readonly audited: () => Promise<Readonly<Record<'own' | 'neighbour', readonly string[]>>>;
  close(): Promise<void>;
}

export type Sent = Request & { readonly headers?: Readonly<Record<string, string>> };

const TIMED = new Set(['date', 'x-request-id', 'connection', 'keep-alive']);
const CURSOR = /(cursor=|"next":")([\w-]+)/g;
const INSTANCE = /"instance":"[^"]*"/g;
/** The seconds until a quota is new, in a header. */
const SECONDS = /; t=\d+$/;

/** One policy that grants everything, and so chooses a service of a view. */
const POLICY = {
  version: 1,
  policies: {
    all: { records: 'all', forms: { '*': 'write' }, create: 'auto', files: 'write', log: 'read' },
  },
  bindings: [{ key: 'test', policy: 'all' }],
};

async function viewsOf(client: CrfClient): Promise<CallerViews> {
  const all: Record<string, string[]> = {};
  for (const { name, instrument } of await client.fields.list()) (all[instrument] ??= []).push(name);
  const set = readPolicyFile(JSON.stringify(POLICY));
  return new CallerViews(client, { set, lock: { version: 1, policies: { all } } }, 'secret');
}

/** @param hasPolicy whether both projects have a policy */
export async function openHouse(
  studies: Readonly<Record<'own' | 'neighbour', Study>>,
  hasPolicy: boolean,
  leak: BesideLeak = { name: 'nothing' },
): Promise<House> {
  const clock = (): Date => new Date('2026-03-01T12:00:00Z');
  const [sandbox, beside] = await Promise.all(
    [studies.own, studies.neighbour].map((study) => startRedcapSandbox({ study, clock })),
  );
  if (sandbox === undefined || beside === undefined) throw new TypeError('There are two projects.');
  // What is read is not logged, so that the log has the same numbers whatever was asked between.
  sandbox.project.log.add = () => undefined;
  let isFailing = false;
  const front = await startFaultServer((request) =>
    isFailing ? { kind: 'answer', status: 500, body: 'Out of order' } : forward(beside.url, request),
  );
  const host = new SharedHost();
  host.projects = 2;
  const stateOf = (name: string): ResilienceState => leak.resilienceOf?.(name) ?? host.of(name);
  const clientOf = (url: string, name: string): CrfClient =>
    createCrfClient({
      url,
      token: DEMO_TOKEN,
      shared: stateOf(name),
      resilience: { callsPerMinute: 0, maxRetries: 0, breakerOpenMs: 200 },
    });
  const clients = { own: clientOf(sandbox.url, 'own'), neighbour: clientOf(front.url, 'neighbour') };
  const audits = { own: await startMemoryAudit(), neighbour: await startMemoryAudit() };
  const optionsOf = async (name: 'own' | 'neighbour', number: number): Promise<ProjectOptions> => ({
    capture: clients[name],
    audit: audits[name].audit,
    policy: hasPolicy ? await viewsOf(clients[name]) : undefined,
    imports: { recordIdMinLength: 1 },
    cursorKey: Buffer.alloc(32, number),
    pseudonymKey: Buffer.alloc(32, number),
  });
  const made = { own: await optionsOf('own', 1), neighbour: await optionsOf('neighbour', 2) };
  const { own, neighbour } = leak.projects?.(made) ?? made;
  const key = keyWith(...SCOPES);
  const projects = ['own', 'neighbour'];
  const options: ProjectsAppOptions = {
    access: { allowAnonymous: true, apiKeys: [{ ...key.apiKey, projects }] },
    sandbox: {},
    limits: { callsPerMinute: 100_000, failedAuthPerMinute: 0, stores: leak.stores?.() },
    projects: { own, neighbour },
  };
  const app = createApp(options);
  leak.app?.(app);
  const server = createHttpServer(app);
  const url = await listen(server);

  const exchange = async (
    project: string,
    { method = 'GET', path, body, type, key: once, headers }: Sent,
  ) => {
    const response = await fetch(`${url}/projects/${project}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        'sec-fetch-site': 'same-origin',
        // Pages are for people.
        ...(path.startsWith('/api/') && { authorization: key.authorization }),
        ...(body !== undefined && { 'content-type': type ?? 'application/json' }),
        ...(once !== undefined && { 'idempotency-key': once }),
        ...headers,
      },
      body: body ?? null,
    });
    const text = await response.arrayBuffer().then(
      (bytes) => Buffer.from(bytes).toString('latin1'),
      () => 'The answer broke off.',
    );
    const kept = [...response.headers].filter(([name]) => !TIMED.has(name));
    return {
      status: response.status,
      headers: Object.fromEntries(kept.map(([name, value]) => [name, value.replaceAll(url, '')])),
      body: text.replaceAll(url, ''),
    };
  };

  return {
    send: async (project, request) => {
      const answer = await exchange(project, request);
      return leak.answer?.(answer, project) ?? answer;
    },
    failBeside: (fails) => (isFailing = fails),
    rereadBeside: () =>
      replaceProjects(app, {
        projects: leak.reread?.({ own, neighbour }) ?? { own, neighbour: { ...neighbour } },
        sessions: undefined,
      }),
    audited: async () => {
      await Promise.all([audits.own.audit.settled(), audits.neighbour.audit.settled()]);
      return { own: audits.own.log.lines, neighbour: audits.neighbour.log.lines };
    },
    close: async () => {
      await closeServer(server);
      for (const client of Object.values(clients)) client.close();
      await Promise.all([front.close(), sandbox.close(), beside.close()]);
    },
  };
}

/** Returns an answer without what is random in it. */
export function plain({ status, headers, body }: Answer): Answer {
  const fixed = (text: string): string =>
    text.replace(CURSOR, '$1').replace(INSTANCE, '"instance":""').replace(SECONDS, '');
  return {
    status,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fixed(value)])),
    body: fixed(body),
  };
}

/** Returns the cursor of an answer, if it has a next page. */
export function cursorOf({ headers, body }: Answer): string | undefined {
  const [first] = `${headers['link'] ?? ''}${body}`.matchAll(CURSOR);
  return first?.[2];
}

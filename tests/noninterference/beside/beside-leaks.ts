import type { Express } from 'express';
import type { ProjectOptions } from '../../../src/app/create-app-options.js';
import {
  LOCAL_RESILIENCE,
  type ResilienceState,
} from '../../../src/gateways/redcap/resilience/resilience-options.js';
import type { Circuit } from '../../../src/gateways/redcap/resilience/circuit-breaker.js';
import { allProjectsOf, setAppState, stateOf } from '../../../src/http/app-state.js';
import type { ProjectParts } from '../../../src/http/project-parts.js';
import type { LimitCount, LimitStoreFactory } from '../../../src/http/middleware/limits/limit-store.js';
import type { CrfService } from '../../../src/services/crf-service.js';
import { MemoryIdempotencyStore } from '../../../src/services/idempotency/memory-idempotency-store.js';
import type { Answer } from './house.js';

type Pair<Value> = Readonly<Record<'own' | 'neighbour', Value>>;

/** Something that two projects have in common and must not. */
export interface BesideLeak {
  readonly name: string;
  /** Changes the options of the projects. */
  readonly projects?: (made: Pair<ProjectOptions>) => Pair<ProjectOptions>;
  readonly resilienceOf?: (name: string) => ResilienceState | undefined;
  readonly stores?: () => LimitStoreFactory;
  /** Changes the application. */
  readonly app?: (app: Express) => void;
  /** What is read where the options of the neighbour have changed. */
  readonly reread?: (made: Pair<ProjectOptions>) => Pair<ProjectOptions>;
  readonly answer?: (answer: Answer, project: string) => Answer;
}

const both =
  (change: Partial<ProjectOptions>) =>
  ({ own, neighbour }: Pair<ProjectOptions>) => ({
    own: { ...own, ...change },
    neighbour: { ...neighbour, ...change },
  });

/** Lets clients have a cache in common. */
function withCache<Calls extends object>(client: Calls, name: string, cache: Map<string, unknown>): Calls {
  const [member = name, ...within] = name.split('.');
  return new Proxy(client, {
    get: (target, asked) => {
      const value: unknown = Reflect.get(target, asked);
      if (typeof value === 'object' && value !== null && asked === member)
        return withCache(value, within.join('.'), cache);
      if (typeof value !== 'function') return value;
      const call = value.bind(target) as (...given: unknown[]) => Promise<unknown>;
      if (asked !== name) return call;
      return async (...given: unknown[]) => {
        const known = cache.get(name) ?? (await call(...given));
        cache.set(name, known);
        return known;
      };
    },
  });
}

const cached = (name: 'fields.list' | 'project.getInfo'): BesideLeak => ({
  name: `a cache of ${name}`,
  projects: ({ own, neighbour }) => {
    const cache = new Map<string, unknown>();
    return {
      own: { ...own, capture: withCache(own.capture, name, cache) },
      neighbour: { ...neighbour, capture: withCache(neighbour.capture, name, cache) },
    };
  },
});

/** Exchanges the parts of the projects of an application. */
function withParts(
  app: Express,
  change: (parts: Pair<ProjectParts>) => ReadonlyMap<string, ProjectParts>,
): void {
  const [state, projects] = [stateOf(app), allProjectsOf(app)];
  const [own, neighbour] = [projects?.byName.get('own'), projects?.byName.get('neighbour')];
  if (state === undefined || projects === undefined || own === undefined || neighbour === undefined)
    throw new TypeError('There are two projects.');
  setAppState(app, state, { ...projects, byName: change({ own, neighbour }) });
}

/** A service of the other project, where both have policies as well. */
const exchanged = (
  name: string,
  ...services: readonly Exclude<keyof CrfService, 'surveyParticipants'>[]
): BesideLeak => ({
  name,
  app: (app) =>
    withParts(app, ({ own, neighbour }) => {
      const given = (crf: CrfService): CrfService =>
        Object.assign(crf, Object.fromEntries(services.map((service) => [service, neighbour.crf[service]])));
      const { serviceOf } = own;
      const parts: ProjectParts = {
        ...own,
        crf: given(own.crf),
        serviceOf:
          serviceOf &&
          (async (caller) => {
            const found = await serviceOf(caller);
            return { ...found, crf: given(found.crf) };
          }),
      };
      return new Map([
        ['own', parts],
        ['neighbour', neighbour],
      ]);
    }),
});

/** Counts the calls of a caller in all projects together. */
const countingTogether = (): LimitStoreFactory => {
  const counts = new Map<string, LimitCount>();
  return ({ name, windowMs }) => {
    const keyOf = (key: string): string => `${name} ${key.replace(/^[a-z]+\//, '')}`;
    return {
      get: (key) => counts.get(keyOf(key)),
      increment: (key) => {
        const totalHits = (counts.get(keyOf(key))?.totalHits ?? 0) + 1;
        const count = { totalHits, resetTime: new Date(Date.now() + windowMs) };
        counts.set(keyOf(key), count);
        return count;
      },
    };
  };
};

/** One circuit for whoever asks. */
const oneCircuit = (): ((name: string) => ResilienceState) => {
  let circuit: Circuit | undefined;
  return () => ({
    ...LOCAL_RESILIENCE,
    circuit: (options, clock) =>
      (circuit ??= LOCAL_RESILIENCE.circuit({ ...options, breakerFailures: 1 }, clock)),
  });
};

export const BESIDE_LEAKS: readonly (() => BesideLeak)[] = [
  () => cached('project.getInfo'),
  () => cached('fields.list'),
  () => ({ name: 'the key of cursors and versions', projects: both({ cursorKey: Buffer.alloc(32, 9) }) }),
  () => ({
    name: 'the results of idempotency keys',
    projects: both({
      shared: { idempotency: new MemoryIdempotencyStore(), ping: () => Promise.resolve() },
    }),
  }),
  () => ({ name: 'the key of pseudonyms', projects: both({ pseudonymKey: Buffer.alloc(32, 9) }) }),
  () => ({
    name: 'the audit log and its chain',
    projects: ({ own, neighbour }) => ({ own, neighbour: { ...neighbour, audit: own.audit } }),
  }),
  () => ({ name: 'quotas of callers', stores: countingTogether }),
  () => ({ name: 'the circuit breaker', resilienceOf: oneCircuit() }),
  () => exchanged('figures', 'summaries', 'lists'),
  () => exchanged('the schema and its documents', 'documents'),
  () => exchanged('the pages of records', 'recordSheets'),
  () => exchanged('exports', 'typedRows', 'pager'),
  () => exchanged('what writes', 'writer', 'recordActions', 'recordChanges'),
  () => exchanged('the log', 'logReader'),
  () => exchanged('findings', 'quality'),
  () => {
    let isBeside = false;
    return {
      name: 'the project of the request before',
      app: (app) =>
        withParts(app, ({ own, neighbour }) => {
          const byName = new Map([
            ['own', own],
            ['neighbour', neighbour],
          ]);
          byName.get = (name: string) => {
            const before = isBeside;
            isBeside = name === 'neighbour';
            return name === 'own' && before
              ? neighbour
              : (Map.prototype.get.call(byName, name) as ProjectParts);
          };
          return byName;
        }),
    };
  },
  () => ({
    name: 'a reload of the other, which forgets the results of this one',
    reread: ({ own, neighbour }) => ({ own: { ...own, users: {} }, neighbour: { ...neighbour } }),
  }),
  () => {
    let requests = 0;
    return {
      name: 'the number of requests to the other in an error',
      answer: (answer, project) => {
        if (project === 'neighbour') requests += 1;
        return answer.status === 404 ? { ...answer, body: `${answer.body}${requests}` } : answer;
      },
    };
  },
];

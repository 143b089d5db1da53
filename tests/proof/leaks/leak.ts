import type { Express } from 'express';
import { callsOf, composeClient } from '../../../src/client/compose-client.js';
import type { Field } from '../../../src/domain/dictionary/field.js';
import type { CrfCalls, CrfClient, RecordRow } from '../../../src/gateways/redcap/crf-client.js';
import { allProjectsOf, setAppState, stateOf } from '../../../src/http/app-state.js';
import type { ViewService } from '../../../src/http/project-parts.js';
import { apiDocument } from '../../../src/http/openapi/api-document.js';
import type { ProjectView } from '../../../src/policy/project-view.js';
import { restrict } from '../../../src/policy/restrict.js';
import { CrfService } from '../../../src/services/crf-service.js';
import type { StudyOptions } from '../../../src/services/summary/study-options.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import type { Rules } from '../chosen-records.js';
import type { Answer, Request } from '../request.js';
import type { Smaller } from '../smaller-study.js';

/** A leak that is seeded into an application, to see that the comparison finds it. */
export interface Leak {
  readonly name: string;
  /** Whether a view could have it; by default any. */
  readonly isFor?: (left: Smaller, study: Study, rules: Rules) => boolean;
  /** Changes what the view has: what a compiler of policies would get wrong. */
  readonly view?: (view: ProjectView, fields: readonly Field[], groups: readonly string[]) => ProjectView;
  /** Changes the calls of the view: what a decorator of calls would get wrong. */
  readonly calls?: (shown: CrfCalls, whole: CrfCalls, view: ProjectView) => CrfCalls;
  /** Changes what the application gives a caller: what would be wrong in the choice of a service, or in a service. */
  readonly given?: (shown: ViewService, others: Others) => ViewService;
  /** Whether cursors and versions have one key for all views. */
  readonly isKeyShared?: boolean;
  /** Changes an answer, or what is logged: what everything above would get wrong. */
  readonly answer?: (answer: Answer, room: AnsweringRoom) => Promise<Answer>;
  /** The requests that may show it; all by default. */
  readonly at?: RegExp;
}

/** What is not for the caller. */
interface Others {
  /** The service of the whole project. */
  readonly whole: CrfService;
  /** What the first caller was given: in these rooms, the same person while they saw everything. */
  readonly first: ViewService;
}

interface AnsweringRoom {
  readonly whole: CrfCalls;
  readonly lines: string[];
  readonly request: Request;
}

interface Parts {
  readonly capture: CrfClient;
  readonly whole: CrfCalls;
  readonly cursorKeyOf: (view: ProjectView) => Buffer;
  readonly study: StudyOptions;
}

/** The requests for records. */
export const EXPORTS = /^\/api\/v1\/records(\?|$)/;

/** A group of calls, or a call, that is not restricted at all. */
export const unrestricted = (
  name: string,
  at: RegExp,
  group: (whole: CrfCalls, shown: CrfCalls) => Partial<CrfCalls>,
): Leak => ({
  name,
  at,
  calls: (shown, whole) => ({ ...shown, ...group(whole, shown) }),
});

/** What is left of a dictionary without the fields of a view. */
export async function hiddenFields(whole: CrfCalls, { fields }: ProjectView): Promise<readonly Field[]> {
  return (await whole.fields.list()).filter(({ name }) => !fields.has(name));
}

/** The number of rows of a project. */
export const rowCount = async (whole: CrfCalls): Promise<number> => (await whole.exportRecords()).length;

/** The record of a row in which all columns are. */
export function recordOf(row: RecordRow): string {
  return String(Object.values(row)[0] ?? '');
}

/** Puts a leak where the application chooses the service of a caller. */
export function seed(
  { calls, given, isKeyShared }: Leak,
  app: Express,
  { capture, whole, cursorKeyOf, study }: Parts,
): void {
  const [state, projects] = [stateOf(app), allProjectsOf(app)];
  const [sole] = projects?.byName.values() ?? [];
  const { serviceOf } = sole ?? {};
  if (state === undefined || projects === undefined || sole === undefined || serviceOf === undefined)
    throw new Error('The application has no policy.');
  const services = new Map<string, CrfService>();
  const leaking = (found: ViewService): ViewService => {
    if (calls === undefined && isKeyShared !== true) return found;
    const { view } = found;
    const known = services.get(view.key);
    const shown = restrict(callsOf(capture), view);
    const leaked = calls?.(shown, whole, view) ?? shown;
    const client = composeClient(leaked);
    const cursorKey = isKeyShared === true ? Buffer.alloc(32, 2) : cursorKeyOf(view);
    const service = known ?? new CrfService(client, { ...SERVICE, study, cursorKey });
    services.set(view.key, service);
    return { view, crf: service, calls: leaked };
  };
  let first: ViewService | undefined;
  const change = async (caller: Parameters<typeof serviceOf>[0]): Promise<ViewService> => {
    const found = leaking(await serviceOf(caller));
    first ??= found;
    return given?.(found, { whole: sole.crf, first }) ?? found;
  };
  setAppState(app, state, { ...projects, byName: new Map([[sole.name, { ...sole, serviceOf: change }]]) });
}

const SERVICE = {
  imports: { recordIdMinLength: 1 },
  openApi: (): string => apiDocument(true).json,
};

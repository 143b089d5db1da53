import * as z from 'zod';
import type { ProjectStructure } from '../domain/dictionary/project-structure.js';
import { strictObject } from '../domain/identifiers/check-options.js';
import { nearestName } from '../domain/identifiers/nearest-name.js';
import { readYaml } from '../domain/bytes/read-yaml.js';
import type { CrfCalls } from '../gateways/redcap/crf-client.js';
import type { Access, ProjectView } from './project-view.js';

const list = <Item>(item: z.ZodType<Item>) => z.array(item, 'must be a list').min(1, 'must not be empty');
const names = list(z.string('must be a name')).optional();
/** Ids of digits only are numbers in YAML. */
const ids = list(
  z.union([z.string(), z.int()], 'must be a record id: put it in quotation marks').transform(String),
).optional();
const numbers = list(z.int('must be the number of a report').transform(String)).optional();

const Shown = strictObject(
  { fields: names, instruments: names, events: names, records: ids, reports: numbers },
  'a property',
).optional();
const Changed = strictObject({ fields: names, instruments: names }, 'a property').optional();

/** What a case may say of a view, and whether the view grants it. */
const GRANTS = {
  'create records': ({ create }: ProjectView) => create.kind !== 'none',
  'download files': ({ files }: ProjectView) => files !== 'none',
  'upload files': ({ files }: ProjectView) => files === 'write',
  'read the log': ({ log }: ProjectView) => log === 'read',
};
type Grant = keyof typeof GRANTS;
const MAY = Object.keys(GRANTS) as Grant[];
const may = list(z.enum(MAY, `must be one of ${MAY.join(', ')}`)).optional();

const Case = strictObject(
  {
    as: z.string().regex(/^(?:key|session):./, 'must be key:NAME or session:ADDRESS'),
    /** The name of the policy, or `none` for a caller who has no rights. */
    policy: z.string('must be the name of a policy, or none').optional(),
    visible: Shown,
    writable: Changed,
    hidden: Shown,
    may,
    mayNot: may,
  },
  'a property of a case',
).refine(({ as: _as, ...expected }) => Object.keys(expected).length > 0, 'must expect something');

/** What is expected of a policy: as one caller, what is visible, can be changed, or is hidden. */
export type PolicyCase = z.output<typeof Case>;

/** @throws {ConfigurationError} names each mistake with its line, its place and the rule, never a value */
export function readPolicyCases(text: string): PolicyCase[] {
  const File = strictObject({ version: z.literal(1, 'must be 1'), cases: list(Case) }, 'a property');
  return readYaml(text, File).cases;
}

/** What a case names, and how that is found in the project and in a view. */
interface Named {
  readonly word: string;
  /** Returns the names that there are; undefined for reports, which REDCap does not list. */
  readonly known: (project: CheckedProject) => readonly string[] | undefined;
  readonly access: (name: string, view: ProjectView, project: CheckedProject) => Access | boolean | undefined;
}

const KINDS = {
  fields: {
    word: 'field',
    known: ({ structure }) => structure.dictionary.fields.map(({ name }) => name),
    access: (name, { fields, deciding }) => (deciding.has(name) ? fields.has(name) : fields.get(name)),
  },
  instruments: {
    word: 'instrument',
    known: ({ structure }) => structure.dictionary.instruments,
    access: (name, { forms }) => forms.get(name),
  },
  events: {
    word: 'event',
    known: ({ structure }) => structure.events.map(({ uniqueName }) => uniqueName),
    access: (name, { events }) => events?.has(name) ?? true,
  },
  records: {
    word: 'record',
    known: ({ existing }) => [...existing],
    access: (name, _view, { visible }) => visible.has(name),
  },
  reports: {
    word: 'report',
    known: () => undefined,
    access: (name, { reports }) => reports.has(Number(name)),
  },
} satisfies Readonly<Record<string, Named>>;
type Kind = keyof typeof KINDS;
type State = 'visible' | 'writable' | 'hidden';

/** One thing that a case expects. */
export interface Expectation {
  /** What is expected of what, in words. */
  readonly text: string;
  /** What is wrong, as the end of a sentence; undefined if it is as expected. */
  readonly failure: string | undefined;
}

/** The project that cases are about, and which of the records that a case names exist and are visible. */
export interface CheckedProject {
  readonly structure: ProjectStructure;
  readonly existing: ReadonlySet<string>;
  readonly visible: ReadonlySet<string>;
}

/** Returns the records that a case names. */
export function recordsIn({ visible, hidden }: PolicyCase): string[] {
  return [...(visible?.records ?? []), ...(hidden?.records ?? [])];
}

/**
 * Compares what a case expects with what its caller sees.
 *
 * @param view undefined if the caller has no rights
 */
export function compareCase(
  expected: PolicyCase,
  view: ProjectView | undefined,
  project: CheckedProject,
): Expectation[] {
  const { policy, may: can = [], mayNot = [] } = expected;
  const actual = view?.policy ?? 'none';
  const isAllowed = (what: Grant): boolean =>
    view !== undefined && view.deidentify === undefined && GRANTS[what](view);
  return [
    ...(policy === undefined
      ? []
      : [{ text: `policy ${policy}`, failure: policy === actual ? undefined : `the policy is ${actual}` }]),
    ...(['visible', 'writable', 'hidden'] as const).flatMap((state) =>
      (Object.keys(KINDS) as Kind[]).flatMap((kind) => {
        const named: { readonly [Each in Kind]?: readonly string[] | undefined } = expected[state] ?? {};
        return (named[kind] ?? []).map((name) => compare(state, kind, name, view, project));
      }),
    ),
    ...can.map((what) => ({ text: `may ${what}`, failure: isAllowed(what) ? undefined : 'may not' })),
    ...mayNot.map((what) => ({ text: `may not ${what}`, failure: isAllowed(what) ? 'may' : undefined })),
  ];
}

/** What does not exist is not hidden: most likely a name is misspelt, and what was meant is visible. */
function compare(
  wanted: State,
  kind: Kind,
  name: string,
  view: ProjectView | undefined,
  project: CheckedProject,
): Expectation {
  const { word, known: knownIn }: Named = KINDS[kind];
  const text = `${word} ${name} ${wanted}`;
  const known = knownIn(project);
  if (known !== undefined && !known.includes(name)) {
    const meant = kind === 'records' ? undefined : nearestName(name, known);
    return { text, failure: `does not exist${meant === undefined ? '' : `; did you mean ${meant}?`}` };
  }
  const state = view === undefined ? 'hidden' : stateOf(kind, name, view, project);
  const isAsWanted = state === wanted || (wanted === 'visible' && state === 'writable');
  const is = state === 'visible' && wanted === 'writable' ? 'read-only' : state;
  return { text, failure: isAsWanted ? undefined : `is ${is}` };
}

function stateOf(kind: Kind, name: string, view: ProjectView, project: CheckedProject): State {
  const { access }: Named = KINDS[kind];
  const has = access(name, view, project);
  if (has === 'write' && view.deidentify === undefined) return 'writable';
  return has === undefined || has === false ? 'hidden' : 'visible';
}

/**
 * Returns which of some records a view has.
 *
 * @param calls restricted to the view
 * @param ids as the project has them
 */
export async function visibleRecords(
  calls: Pick<CrfCalls, 'exportRecords'>,
  { deidentify }: ProjectView,
  { dictionary }: ProjectStructure,
  ids: readonly string[],
): Promise<Set<string>> {
  const idName = dictionary.recordIdField?.name ?? '';
  if (ids.length === 0) return new Set();
  const { recordId = 'kept', keys } = deidentify ?? {};
  const shownBy = (id: string): string => (recordId === 'kept' ? id : (keys?.pseudonymOf(id) ?? id));
  const rows = await calls.exportRecords({ records: ids.map(shownBy), fields: [idName] });
  const shown = new Set(rows.map((row) => row[idName]));
  return new Set(ids.filter((id) => shown.has(shownBy(id))));
}

import type { Rules } from './chosen-records.js';
import type { Deidentified } from './deidentified.js';
import type { Study } from '../../src/sandbox/redcap/study.js';
import { idOf } from './made-up.js';
import { likeExport } from './manifests.js';
import { countsOf, exportsOf, pagesOf, placesOf, structureOf } from './reads.js';
import { actionsOf, neverGranted, replaysOf, writesOf } from './refusals.js';
import { get, type Names, type Request } from './request.js';
import type { Smaller } from './smaller-study.js';
import { variationsOf } from './varied.js';
import { mayFillIn } from './writes.js';

/** @returns one request at least for every operation and page, with what is visible, what is hidden and what nobody has */
export function requestsFor(study: Study, left: Smaller, rules: Rules): Request[] {
  const names = namesOf(study, left);
  const { log = 'none', files = 'none', create = false } = rules;
  /** What this policy does not grant, and every project has. */
  const notGranted = [
    ...(log === 'none' ? [/^\/api\/v1\/log/] : []),
    ...(files === 'none' ? [/^\/api\/v1\/records\/[^/]+\/files\//] : []),
    ...(create === 'auto' ? [] : [/next-id$/]),
    ...closedSurveys(study, left, rules),
  ];
  const asked: Request[] = [
    ...exportsOf(names),
    ...placesOf(names),
    ...structureOf(names),
    ...[
      'records',
      'project/info',
      'project/fields',
      ...names.records.map((record) => `records/${record}`),
    ].map((path) => ({ ...get(path), method: 'HEAD' })),
    ...countsOf(names),
    ...pagesOf(names).map((page) =>
      log === 'none' && OF_LOG.test(page.path)
        ? { ...page, unlike: 'a view may be without a log, which no project is' }
        : page,
    ),
    ...writesOf(names),
    ...actionsOf(names),
    ...replaysOf(study, left),
    ...neverGranted(names),
  ];
  // What is imported without its parameters is a change.
  const varied = asked.filter(({ path }) => !path.includes('dryRun'));
  const variations = variationsOf(varied, names).map((request) => ({ ...request, refusals: undefined }));
  const all = [...asked, ...variations];
  const isIdElsewhere = !left.forms.has(study.fields[0]?.instrument ?? '');
  return all.map((request, at) => ({
    ...request,
    ...(isIdElsewhere && /\/pdf(\?|$)/.test(request.path) && { unlike: ID_ELSEWHERE }),
    ...(left.others !== undefined &&
      MANIFEST.test(request.path) && { like: likeExport(request, left, left.others, rules) }),
    ...(notGranted.some((pattern) => pattern.test(request.path)) && { isNeverGranted: true }),
    // What was kept for the same person under other rights is not for this view.
    ...((request.method ?? 'GET') === 'GET' && at % 3 === 0 && { isAfterMore: true }),
  }));
}

/** The surveys that let their holder change what the policy does not let change; the queue has all of them. */
function closedSurveys(study: Study, left: Smaller, rules: Rules): RegExp[] {
  const closed = study.instruments
    .map(({ name }) => name)
    .filter((form) => !mayFillIn(study, left, rules, form));
  return [
    ...closed.flatMap((form) => [
      new RegExp(`/surveys/${form}/(link|return-code)(\\?|$)`),
      new RegExp(`/surveys/${form}/access-code`),
    ]),
    ...(closed.length > 0 ? [/queue-link$/] : []),
  ];
}

/** The pages that show how much is done each day, or when visits were entered. */
const OF_LOG = /^\/dashboard(\?|\/plots\/(activity|dags)|\/report|$)/;

const MANIFEST = /^\/api\/v1\/records\/manifest/;

const ID_ELSEWHERE = 'a view shows the id on its first form, on which REDCap does not draw it';

/** What the first record has of each field whose values are others, as it is and as it is shown. */
function filtersOf({ rows }: Study, left: Study, { changed }: Deidentified): string[] {
  const found = (all: Study['rows']): string[] =>
    [...changed].flatMap((name) => {
      const value = all.find((row) => (row[name] ?? '') !== '')?.[name];
      return value === undefined ? [] : [`[${name}] = '${value}'`];
    });
  return [...found(rows), ...found(left.rows)];
}

export function namesOf(study: Study, { study: left, fields, forms, others }: Smaller): Names {
  const id = idOf(study);
  const idsOf = ({ rows }: Study): string[] => [...new Set(rows.map((row) => row[id] ?? ''))];
  const [visible, all] = [idsOf(left), idsOf(study)];
  const events = left.events.map(({ uniqueName }) => uniqueName);
  const hiddenEvents = study.events
    .map(({ uniqueName }) => uniqueName)
    .filter((name) => !events.includes(name));
  const visibleFields = left.fields.filter(({ type }) => type !== 'descriptive').map(({ name }) => name);
  const hiddenFields = study.fields.map(({ name }) => name).filter((name) => !fields.has(name));
  const visibleForms = left.instruments.map(({ name }) => name);
  const hiddenForms = study.instruments.map(({ name }) => name).filter((name) => !forms.has(name));
  return {
    id,
    visibleFields,
    hiddenFields,
    fields: [...visibleFields.slice(1, 2), ...hiddenFields.slice(0, 1), 'nonesuch'],
    visibleForms,
    forms: [...visibleForms.slice(0, 2), ...hiddenForms.slice(0, 1), 'nonesuch'],
    visibleEvents: events,
    hiddenEvents,
    events:
      study.events.length === 0 ? [] : [...events.slice(0, 1), ...hiddenEvents.slice(0, 1), 'none_arm_1'],
    visibleRecords: visible,
    fileFields: study.fields.filter(({ type }) => type === 'file').map(({ name }) => name),
    surveys: (study.surveys ?? []).slice(0, 1).map(({ instrument }) => instrument),
    groups: (study.groups ?? []).map(({ uniqueName }) => uniqueName),
    reports: (study.reports ?? []).map(({ id: number, others }) => ({
      id: number,
      hasSurveyFields: others?.['output_survey_fields'] === '1',
    })),
    records: [...visible.slice(0, 1), ...all.filter((each) => !visible.includes(each)).slice(0, 1), 'nobody'],
    filters: others === undefined ? [] : filtersOf(study, left, others),
  };
}

import { UpstreamForbiddenError } from '../../src/domain/errors/upstream-errors.js';
import type { CrfClient } from '../../src/gateways/redcap/crf-client.js';
import type { Policy, PolicySet } from '../../src/policy/policy-file.js';
import { DEMO_USERS } from '../../src/sandbox/demo-study/demo-study.js';
import type { StudyReport } from '../../src/sandbox/redcap/study.js';
import type { Design } from './made-up.js';

type Source = Pick<
  CrfClient,
  'fields' | 'project' | 'events' | 'arms' | 'instruments' | 'mappings' | 'repeating' | 'dags'
>;

/** Reads the design of a project, and no record: dictionary, instruments, events, repeats, groups and settings. */
export async function readDesign(source: Source, { policies, bindings }: PolicySet): Promise<Design> {
  const [fields, info, instruments, groups] = await Promise.all([
    source.fields.list(),
    source.project.getInfo(),
    source.instruments.list(),
    source.dags.list().catch(noneWithoutRight),
  ]);
  const [arms, events, mappings] = info.isLongitudinal
    ? await Promise.all([source.arms.list(), source.events.list(), source.mappings.list()])
    : [[], [], []];
  const repeating = info.hasRepeatingInstrumentsOrEvents ? await source.repeating.list() : [];
  const named = [...Object.values(policies).map(groupIn), ...bindings.map(({ dag }) => dag)];
  return {
    project: {
      title: info.title,
      notes: info.notes,
      purpose: info.purpose,
      piFirstName: info.piFirstName,
      piLastName: info.piLastName,
      surveysEnabled: info.surveysEnabled,
      missingDataCodes: info.missingDataCodes,
      creationTime: info.creationTime,
      settings: {
        custom_record_label: info.customRecordLabel,
        secondary_unique_field: info.secondaryUniqueField,
      },
    },
    fields,
    instruments,
    arms,
    events: events.map((event, at) => ({ ...event, id: at + 1 })),
    keepsEvents: info.isLongitudinal,
    mappings,
    repeating,
    users: DEMO_USERS,
    groups: groupsOf([...groups.map(({ uniqueName }) => uniqueName), ...named, ...MADE_UP_GROUPS]),
    surveys: info.surveysEnabled
      ? instruments.map(({ name }) => ({ instrument: name, hasReturnCodes: true }))
      : [],
    reports: reportsOf(
      Object.values(policies),
      fields.filter(({ type }) => type !== 'descriptive').map(({ name }) => name),
    ),
    hasStoredCalculations: true,
  };
}

/** Somebody has to be hidden in a project without groups too. */
const MADE_UP_GROUPS = ['made_up_1', 'made_up_2'];

function noneWithoutRight(error: unknown): [] {
  if (error instanceof UpstreamForbiddenError) return [];
  throw error;
}

function groupIn({ records }: Policy): string | undefined {
  return typeof records === 'object' && 'dag' in records ? records.dag : undefined;
}

function groupsOf(names: readonly (string | undefined)[]): NonNullable<Design['groups']> {
  const known = new Set(names.filter((name) => name !== undefined && !name.startsWith('$')));
  return [...known].map((uniqueName = '', at) => ({ uniqueName, name: uniqueName, id: at + 1 }));
}

/** REDCap's API does not tell what a report is made of: each that a policy lists is one of all fields. */
function reportsOf(policies: readonly Policy[], fields: readonly string[]): StudyReport[] {
  const numbers = new Set(policies.flatMap(({ reports = [] }) => reports));
  return [...numbers].map((id) => ({ id, title: `Report ${id}`, fields, filterLogic: '' }));
}

import { RIGHT_NAMES, rightsOf, type FormRights, type RightName } from '../rights.js';
import type { StudyRole } from '../study.js';

/** Rights that have another name in project XML than in the API. @see docs/protocol/redcap.md 9.8 (client) */
const OTHER_NAMES: Readonly<Partial<Record<RightName, string>>> = {
  stats_and_charts: 'graphical',
  manage_survey_participants: 'participants',
  logging: 'data_logging',
  data_quality_create: 'data_quality_design',
  lock_records: 'lock_record',
  lock_records_all_forms: 'lock_record_multiform',
  lock_records_customization: 'lock_record_customize',
};

const nameOf = (right: RightName): string => OTHER_NAMES[right] ?? right;

/** Returns the attributes of a role in project XML. @see docs/protocol/redcap.md 9.8 (client) */
export function roleAttributes(role: StudyRole, formRights: FormRights): Record<string, string> {
  return {
    role_name: role.label,
    unique_role_name: role.uniqueName,
    ...role.others,
    ...Object.fromEntries(RIGHT_NAMES.map((right) => [nameOf(right), String(role.rights[right])])),
    data_export_tool: '',
    data_export_instruments: writeByForm(formRights.formsExport),
    data_entry: writeByForm(formRights.forms),
  };
}

/**
 * Reads a role from its attributes in project XML. Attributes that the sandbox does not use are kept in `others`.
 *
 * @param instruments unique names, used for files of older versions, in which a role has one export right for all
 * instruments
 */
export function readRole(attributes: ReadonlyMap<string, string>, instruments: readonly string[]): StudyRole {
  const own = new Set([...RIGHT_NAMES.map(nameOf), ...FORM_ATTRIBUTES]);
  const given = RIGHT_NAMES.map((right): [RightName, number] => [
    right,
    Number(attributes.get(nameOf(right)) ?? 0) || 0,
  ]);
  const byForm = attributes.get('data_export_instruments');
  const forAll = Number(attributes.get('data_export_tool') ?? 0);
  return {
    uniqueName: attributes.get('unique_role_name') ?? '',
    label: attributes.get('role_name') ?? '',
    rights: rightsOf(Object.fromEntries(given)),
    formRights: {
      forms: readByForm(attributes.get('data_entry')),
      formsExport:
        byForm === undefined
          ? Object.fromEntries(instruments.map((name) => [name, forAll]))
          : readByForm(byForm),
    },
    others: Object.fromEntries([...attributes].filter(([name]) => !own.has(name))),
  };
}

const FORM_ATTRIBUTES = [
  'role_name',
  'unique_role_name',
  'data_export_tool',
  'data_export_instruments',
  'data_entry',
];

/** Writes rights by form: `[demographics,1][health,0]`. */
function writeByForm(rights: Readonly<Record<string, number>>): string {
  return Object.entries(rights)
    .map(([form, right]) => `[${form},${right}]`)
    .join('');
}

function readByForm(text = ''): Record<string, number> {
  const pairs = [...text.matchAll(/\[([a-z0-9_]+),(\d+)\]/g)];
  return Object.fromEntries(pairs.map(([, form = '', right]) => [form, Number(right)]));
}

/**
 * The rights of a user or a role, in the order in which the API gives them. Each is a number: 0 is no, 1 is yes, and
 * `user_rights` 2 is read only.
 *
 * @see docs/protocol/redcap.md 10.3 (client)
 */
export const RIGHT_NAMES = [
  'design',
  'alerts',
  'user_rights',
  'data_access_groups',
  'reports',
  'stats_and_charts',
  'manage_survey_participants',
  'calendar',
  'data_import_tool',
  'data_comparison_tool',
  'logging',
  'email_logging',
  'file_repository',
  'data_quality_create',
  'data_quality_execute',
  'api_export',
  'api_import',
  'api_modules',
  'mobile_app',
  'mobile_app_download_data',
  'record_create',
  'record_rename',
  'record_delete',
  'lock_records_all_forms',
  'lock_records',
  'lock_records_customization',
  'random_setup',
  'random_dashboard',
  'random_perform',
] as const;

export type RightName = (typeof RIGHT_NAMES)[number];

/** The rights that a project shows: those over randomization only while it is on. @see docs/protocol/redcap.md 10.3 (inferred) */
export function shownRights(isRandomizing: boolean): readonly RightName[] {
  return RIGHT_NAMES.filter((name) => isRandomizing || !name.startsWith('random_'));
}

export type Rights = Readonly<Record<RightName, number>>;

/** What a user or a role may do with the instruments, by unique name. */
export interface FormRights {
  /**
   * Of the page: 0 none, 1 edit, 2 view, 3 edit survey responses, as the API of 16 still says it (client). The numbers of
   * 128 and more that are documented from 15.6 on (doc) are taken as well, and given back as they came.
   *
   * @see docs/protocol/redcap.md 20 (client)
   */
  readonly forms: Readonly<Record<string, number>>;
  /** Of the export: 0 none, 1 full, 2 de-identified, 3 without identifiers. (doc) */
  readonly formsExport: Readonly<Record<string, number>>;
}

/** @returns all rights, those that are not given 0 */
export function rightsOf(given: Partial<Rights>): Rights {
  return Object.fromEntries(RIGHT_NAMES.map((name) => [name, given[name] ?? 0])) as Rights;
}

/** Every right there is: what the creator of a project has. */
export const ALL_RIGHTS: Rights = Object.freeze(
  rightsOf(Object.fromEntries(RIGHT_NAMES.map((name) => [name, 1]))),
);

export const FORM_EDIT = 1;
export const FORM_VIEW = 2;

/**
 * The rights of a user or role, in the API's order. Each is a number: 0 is no, 1 is yes, and `user_rights` 2 is
 * read-only.
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

/** The name of a right in the API. */
export type RightName = (typeof RIGHT_NAMES)[number];

/**
 * Returns the rights that a project lists: those for randomization only if it is enabled.
 *
 * @see docs/protocol/redcap.md 10.3 (inferred)
 */
export function shownRights(isRandomizing: boolean): readonly RightName[] {
  return RIGHT_NAMES.filter((name) => isRandomizing || !name.startsWith('random_'));
}

/**
 * Returns the highest value of a right: 2 for `user_rights` (read only) and `lock_records` (with e-signature),
 * otherwise 1.
 *
 * @see docs/protocol/redcap.md 10.3 (doc, inferred)
 */
export function highestRight(name: RightName): number {
  return name === 'user_rights' || name === 'lock_records' ? 2 : 1;
}

/** The value of each right. */
export type Rights = Readonly<Record<RightName, number>>;

/** The rights of a user or role by instrument, with its unique name as key. */
export interface FormRights {
  /**
   * Data entry: 0 none, 1 edit, 2 view, 3 edit survey responses, as in the API of version 16 (client). The numbers from
   * 128 up, documented since 15.6 (doc), are accepted and returned unchanged.
   *
   * @see docs/protocol/redcap.md 20 (client)
   */
  readonly forms: Readonly<Record<string, number>>;
  /** Data export: 0 none, 1 full, 2 de-identified, 3 without identifiers. (doc) */
  readonly formsExport: Readonly<Record<string, number>>;
}

/** @returns a value for every right; 0 for those not given */
export function rightsOf(given: Partial<Rights>): Rights {
  return Object.fromEntries(RIGHT_NAMES.map((name) => [name, given[name] ?? 0])) as Rights;
}

/** All rights, each with the value 1. */
export const ALL_RIGHTS: Rights = Object.freeze(
  rightsOf(Object.fromEntries(RIGHT_NAMES.map((name) => [name, 1]))),
);

/** The right to edit an instrument. @see docs/protocol/redcap.md 10.3 (doc) */
export const FORM_EDIT = 1;
/** The right to see an instrument and not to edit it. */
export const FORM_VIEW = 2;

import { DICTIONARY_COLUMNS } from '../../domain/dictionary/dictionary-csv.js';
import { columns, type Column } from './row-shape.js';

/*
 * The columns of REDCap's lists, as documented in docs/protocol/redcap.md. A question mark marks a column that exists
 * only in some versions, or only in projects with a certain feature.
 */

/** @see docs/protocol/redcap.md 8.1 (wire) */
export const FIELD_COLUMNS = columns('text', ...DICTIONARY_COLUMNS);

/** @see docs/protocol/redcap.md 8.6 (client) */
export const FIELD_NAME_COLUMNS = columns('text', 'original_field_name', 'choice_value', 'export_field_name');

/** @see docs/protocol/redcap.md 8.5 (client) */
export const VALIDATION_COLUMNS = columns('text', 'validation_type', 'regex');

/** @see docs/protocol/redcap.md 8.7 (wire) */
export const INSTRUMENT_COLUMNS = columns('text', 'instrument_name', 'instrument_label');

/** @see docs/protocol/redcap.md 9.1 (client) */
export const ARM_COLUMNS: readonly Column[] = [...columns('number', 'arm_num'), ...columns('text', 'name')];

/** @see docs/protocol/redcap.md 9.2 (client) */
export const EVENT_COLUMNS: readonly Column[] = [
  ...columns('text', 'event_name'),
  ...columns('number', 'arm_num'),
  ...columns('any', 'day_offset?', 'offset_min?', 'offset_max?'),
  ...columns('text', 'unique_event_name'),
  ...columns('any', 'custom_event_label'),
  ...columns('number', 'event_id'),
];

/** @see docs/protocol/redcap.md 9.3 (wire) */
export const MAPPING_COLUMNS: readonly Column[] = [
  ...columns('number', 'arm_num'),
  ...columns('text', 'unique_event_name', 'form'),
];

/** @see docs/protocol/redcap.md 9.4 (client) */
export const REPEATING_COLUMNS = columns('any', 'event_name?', 'form_name', 'custom_form_label');

/** @see docs/protocol/redcap.md 9.5 (client) */
export const PROJECT_COLUMNS: readonly Column[] = [
  ...columns('number', 'project_id'),
  ...columns('text', 'project_title', 'creation_time', 'production_time'),
  ...columns('number', 'in_production'),
  ...columns('text', 'project_language'),
  ...columns('number', 'purpose'),
  ...columns('any', 'purpose_other', 'project_notes', 'custom_record_label', 'secondary_unique_field'),
  ...columns('number', 'is_longitudinal', 'has_repeating_instruments_or_events', 'surveys_enabled'),
  ...columns('number', 'scheduling_enabled', 'record_autonumbering_enabled', 'randomization_enabled'),
  ...columns('number', 'ddp_enabled'),
  ...columns('any', 'project_irb_number', 'project_grant_number'),
  ...columns('any', 'project_pi_firstname', 'project_pi_lastname', 'project_pi_email?'),
  ...columns('number', 'display_today_now_button'),
  ...columns('any', 'missing_data_codes', 'external_modules'),
  ...columns('number', 'bypass_branching_erase_field_prompt?'),
];

/** @see docs/protocol/redcap.md 10.1 (client) */
export const GROUP_COLUMNS: readonly Column[] = [
  ...columns('text', 'data_access_group_name', 'unique_group_name'),
  ...columns('number', 'data_access_group_id?'),
];

/** @see docs/protocol/redcap.md 10.2 (client) */
export const GROUP_ASSIGNMENT_COLUMNS = columns('text', 'username', 'redcap_data_access_group');

const RIGHTS = [
  'design',
  'alerts?',
  'user_rights',
  'data_access_groups',
  'reports',
  'stats_and_charts',
  'manage_survey_participants',
  'calendar',
  'data_import_tool',
  'data_comparison_tool',
  'logging',
  'email_logging?',
  'file_repository',
  'data_quality_create',
  'data_quality_execute',
  'data_quality_resolution?',
  'api_export',
  'api_import',
  'api_modules?',
  'mobile_app',
  'mobile_app_download_data',
  'record_create',
  'record_rename',
  'record_delete',
  'lock_records_all_forms',
  'lock_records',
  'lock_records_customization',
  'mycap_participants?',
  'random_setup?',
  'random_dashboard?',
  'random_perform?',
];

/** @see docs/protocol/redcap.md 10.3 (client) */
export const USER_COLUMNS: readonly Column[] = [
  ...columns('text', 'username', 'email', 'firstname', 'lastname', 'expiration', 'data_access_group'),
  ...columns('number or blank', 'data_access_group_id'),
  ...columns('any', 'data_access_group_label?'),
  ...columns('number', ...RIGHTS),
  ...columns('object', 'forms', 'forms_export'),
];

/** @see docs/protocol/redcap.md 10.4 (client) */
export const ROLE_COLUMNS: readonly Column[] = [
  ...columns('text', 'unique_role_name', 'role_label', ...RIGHTS),
  ...columns('object', 'forms', 'forms_export'),
];

/** @see docs/protocol/redcap.md 10.5 (client) */
export const ROLE_ASSIGNMENT_COLUMNS: readonly Column[] = [
  ...columns('text', 'username', 'unique_role_name'),
  ...columns('any', 'data_access_group?'),
];

/** @see docs/protocol/redcap.md 12 (client) */
export const PARTICIPANT_COLUMNS: readonly Column[] = [
  ...columns('any', 'email'),
  ...columns('number', 'email_occurrence'),
  ...columns('any', 'identifier', 'record'),
  ...columns('number', 'invitation_sent_status'),
  ...columns('any', 'invitation_send_time'),
  ...columns('number', 'response_status'),
  ...columns('any', 'survey_access_code', 'survey_link'),
];

/** @see docs/protocol/redcap.md 13.2 (client) */
export const LOG_COLUMNS: readonly Column[] = [
  ...columns('text', 'timestamp', 'username', 'action', 'details'),
  ...columns('any', 'record'),
];

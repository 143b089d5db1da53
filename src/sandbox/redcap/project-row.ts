import type { SandboxProject } from './project.js';
import type { ServerVersion } from './server-version.js';
import type { StudyProject } from './study.js';
import type { Row } from './wire/answer.js';

/** Returns the attributes of a project, with the keys in REDCap's order. @see docs/protocol/redcap.md 9.5 (client) */
export function projectRow(project: SandboxProject, version: ServerVersion): Row {
  const { project: about } = project.study;
  const row: Row = {
    project_id: project.id,
    project_title: about.title,
    creation_time: about.creationTime,
    production_time: '',
    in_production: 0,
    project_language: 'English',
    purpose: about.purpose,
    purpose_other: '',
    project_notes: about.notes,
    custom_record_label: '',
    secondary_unique_field: '',
    is_longitudinal: Number(project.isLongitudinal),
    has_repeating_instruments_or_events: Number(project.hasRepeats),
    surveys_enabled: Number(about.surveysEnabled),
    scheduling_enabled: 0,
    record_autonumbering_enabled: 1,
    randomization_enabled: 0,
    ddp_enabled: 0,
    project_irb_number: '',
    project_grant_number: '',
    project_pi_firstname: about.piFirstName,
    project_pi_lastname: about.piLastName,
    project_pi_email: '',
    display_today_now_button: 1,
    missing_data_codes: about.missingDataCodes,
    external_modules: '',
    bypass_branching_erase_field_prompt: 0,
    ...otherSettings(about),
  };
  return version.isAtLeast(PI_EMAIL_SINCE) ? row : withoutEmail(row);
}

/** @see docs/protocol/redcap.md 14 (spec) */
const PI_EMAIL_SINCE = '15.5';

function withoutEmail(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'project_pi_email'));
}

/** Returns the settings that the API may change in a version. */
export function editableSettings(version: ServerVersion): readonly string[] {
  return version.isAtLeast(PI_EMAIL_SINCE)
    ? EDITABLE_SETTINGS
    : EDITABLE_SETTINGS.filter((name) => name !== 'project_pi_email');
}

/** Settings that the API may change. @see docs/protocol/redcap.md 9.6 (client) */
const EDITABLE_SETTINGS: readonly string[] = [
  'project_title',
  'project_language',
  'purpose',
  'purpose_other',
  'project_notes',
  'custom_record_label',
  'secondary_unique_field',
  'is_longitudinal',
  'surveys_enabled',
  'scheduling_enabled',
  'record_autonumbering_enabled',
  'randomization_enabled',
  'project_irb_number',
  'project_grant_number',
  'project_pi_firstname',
  'project_pi_lastname',
  'project_pi_email',
  'display_today_now_button',
  'bypass_branching_erase_field_prompt',
];

/** Settings without a property in `StudyProject`; `is_longitudinal` is derived from the events. */
function otherSettings({ settings = {} }: StudyProject): Row {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => name !== 'is_longitudinal'));
}

/** The settings of a project that are on or off. @see docs/protocol/redcap.md 9.5 (client) */
const SWITCHES: ReadonlySet<string> = new Set([
  'is_longitudinal',
  'surveys_enabled',
  'scheduling_enabled',
  'record_autonumbering_enabled',
  'randomization_enabled',
  'display_today_now_button',
  'bypass_branching_erase_field_prompt',
]);

/** Whether a setting of a project is on or off. */
export function isSwitch(name: string): boolean {
  return SWITCHES.has(name);
}

/**
 * Returns the number that is stored for a setting, in a new project or a changed one. Every text is accepted: `true`
 * switches a setting on, and other text that is not a number in its range becomes 0.
 *
 * @see docs/protocol/redcap.md 20 (client; what becomes of the values is a choice)
 */
export function settingNumber(name: string, text: string): number {
  if (isSwitch(name)) return Number(/^(true|[1-9]\d*)$/i.test(text));
  return /^[0-4]$/.test(text) ? Number(text) : 0;
}

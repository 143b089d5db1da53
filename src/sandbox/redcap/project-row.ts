import type { SandboxProject } from './project.js';
import type { ServerVersion } from '../../wire/server-version.js';
import type { Row } from '../../wire/answer.js';

/** An attribute of a project. */
interface Setting {
  /** What `content=project` answers while the study sets nothing else. */
  readonly value: string | number | ((project: SandboxProject) => string | number);
  /** How the API changes it: as text, as a number, or on and off; undefined if it does not. */
  readonly change?: 'text' | 'number' | 'switch';
  readonly since?: string;
}

/**
 * The attributes of a project, in REDCap's order, and those that the API may change.
 *
 * @see docs/protocol/redcap.md 9.5 (client), 9.6 (client), 14 (spec)
 */
const SETTINGS: Readonly<Record<string, Setting>> = {
  project_id: { value: ({ id }) => id },
  project_title: { value: ({ study }) => study.project.title, change: 'text' },
  creation_time: { value: ({ study }) => study.project.creationTime },
  production_time: { value: '' },
  in_production: { value: 0 },
  project_language: { value: 'English', change: 'text' },
  purpose: { value: ({ study }) => study.project.purpose, change: 'number' },
  purpose_other: { value: '', change: 'text' },
  project_notes: { value: ({ study }) => study.project.notes, change: 'text' },
  custom_record_label: { value: '', change: 'text' },
  secondary_unique_field: { value: '', change: 'text' },
  is_longitudinal: { value: ({ isLongitudinal }) => Number(isLongitudinal), change: 'switch' },
  has_repeating_instruments_or_events: { value: ({ hasRepeats }) => Number(hasRepeats) },
  surveys_enabled: { value: ({ study }) => Number(study.project.surveysEnabled), change: 'switch' },
  scheduling_enabled: { value: 0, change: 'switch' },
  record_autonumbering_enabled: { value: 1, change: 'switch' },
  randomization_enabled: { value: 0, change: 'switch' },
  ddp_enabled: { value: 0 },
  project_irb_number: { value: '', change: 'text' },
  project_grant_number: { value: '', change: 'text' },
  project_pi_firstname: { value: ({ study }) => study.project.piFirstName, change: 'text' },
  project_pi_lastname: { value: ({ study }) => study.project.piLastName, change: 'text' },
  project_pi_email: { value: '', change: 'text', since: '15.5' },
  display_today_now_button: { value: 1, change: 'switch' },
  missing_data_codes: { value: ({ study }) => study.project.missingDataCodes },
  external_modules: { value: '' },
  bypass_branching_erase_field_prompt: { value: 0, change: 'switch' },
};

/** The attributes that a version of REDCap has. */
function settingsOf(version: ServerVersion): [name: string, setting: Setting][] {
  return Object.entries(SETTINGS).filter(([, { since }]) => since === undefined || version.isAtLeast(since));
}

/** Returns the attributes of a project. */
export function projectRow(project: SandboxProject, version: ServerVersion): Row {
  const { settings = {} } = project.study.project;
  return Object.fromEntries(
    settingsOf(version).map(([name, { value }]) => {
      const own = typeof value === 'function' ? value(project) : value;
      // The events decide whether a project is longitudinal.
      return [name, name === 'is_longitudinal' ? own : (settings[name] ?? own)];
    }),
  );
}

/** Returns the settings that the API may change in a version. */
export function editableSettings(version: ServerVersion): readonly string[] {
  return settingsOf(version).flatMap(([name, { change }]) => (change === undefined ? [] : [name]));
}

/** Whether a setting of a project is on or off. */
export function isSwitch(name: string): boolean {
  return SETTINGS[name]?.change === 'switch';
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

import type { StudyProject } from '../study.js';

/** A setting of a project, as its XML has it: `<redcap:RecordAutonumberingEnabled>`. */
export interface SettingElement {
  readonly element: string;
  /** REDCap's own name of the setting in the API, where it has one; blank for those with a property of their own. */
  readonly setting: string;
  /** Whether the model of a project holds it, so that a change of the project changes it. */
  readonly isOwn: boolean;
  readonly read: (project: StudyProject) => string;
}

/**
 * The settings in the order in which REDCap writes them, the defaults those of its files.
 *
 * @see docs/protocol/redcap.md 9.8 (client)
 */
export const SETTING_ELEMENTS: readonly SettingElement[] = [
  api('RecordAutonumberingEnabled', 'record_autonumbering_enabled', '1'),
  api('CustomRecordLabel', 'custom_record_label'),
  api('SecondaryUniqueField', 'secondary_unique_field'),
  unknown('SecondaryUniqueFieldDisplayValue', '1'),
  unknown('SecondaryUniqueFieldDisplayLabel', '1'),
  api('SchedulingEnabled', 'scheduling_enabled', '0'),
  own('SurveysEnabled', ({ surveysEnabled }) => (surveysEnabled ? '1' : '0')),
  unknown('SurveyInvitationEmailField', ''),
  api('RandomizationEnabled', 'randomization_enabled', '0'),
  api('DisplayTodayNowButton', 'display_today_now_button', '1'),
  api('PreventBranchingEraseValues', 'bypass_branching_erase_field_prompt', '0'),
  unknown('RequireChangeReason', '0'),
  unknown('DataHistoryPopup', '1'),
  unknown('OrderRecordsByField', ''),
  unknown('taskCompleteStatus', '0'),
  unknown('MyCapEnabled', '0'),
  own('Purpose', ({ purpose }) => String(purpose)),
  api('PurposeOther', 'purpose_other'),
  own('ProjectNotes', ({ notes }) => notes),
  own('MissingDataCodes', ({ missingDataCodes }) => missingDataCodes),
];

function api(element: string, setting: string, standard = ''): SettingElement {
  return { element, setting, isOwn: true, read: ({ settings }) => String(settings?.[setting] ?? standard) };
}

function own(element: string, read: (project: StudyProject) => string): SettingElement {
  return { element, setting: '', isOwn: true, read };
}

/** What the sandbox has no use for goes out as it came in. */
function unknown(element: string, standard: string): SettingElement {
  return { element, setting: '', isOwn: false, read: ({ others }) => others?.[element] ?? standard };
}

import type { StudyProject } from '../study.js';

/** An element for a project setting: `<redcap:RecordAutonumberingEnabled>`. */
export interface SettingElement {
  readonly element: string;
  /** The name of the setting in the API; blank if it has none, or if `StudyProject` has a property for it. */
  readonly setting: string;
  /** Whether the sandbox's project model contains the setting, so that changes of the project are exported. */
  readonly isOwn: boolean;
  readonly read: (project: StudyProject) => string;
}

/**
 * The settings in the order in which REDCap writes them, with the defaults seen in its files.
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

/** Settings that the sandbox does not use are exported unchanged. */
function unknown(element: string, standard: string): SettingElement {
  return { element, setting: '', isOwn: false, read: ({ others }) => others?.[element] ?? standard };
}

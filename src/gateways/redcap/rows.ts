import * as z from 'zod';
import type { Field } from '../../domain/dictionary/field.js';
import { flag, integer, renamed, requiredText, text, uniqueName } from './contents/answer-values.js';

/** `y` or blank: how the data dictionary writes booleans. */
const mark = text.transform((value) => value === 'y');

/** @see docs/protocol/redcap.md 8.1 (wire) */
export const FieldRows: z.ZodType<Field[]> = z.array(
  renamed({
    name: ['field_name', uniqueName],
    instrument: ['form_name', uniqueName],
    sectionHeader: ['section_header', text],
    type: ['field_type', requiredText],
    label: ['field_label', text],
    choicesOrCalculations: ['select_choices_or_calculations', text],
    note: ['field_note', text],
    validationType: ['text_validation_type_or_show_slider_number', text],
    validationMin: ['text_validation_min', text],
    validationMax: ['text_validation_max', text],
    isIdentifier: ['identifier', mark],
    branchingLogic: ['branching_logic', text],
    isRequired: ['required_field', mark],
    alignment: ['custom_alignment', text],
    questionNumber: ['question_number', text],
    matrixGroup: ['matrix_group_name', text],
    isMatrixRanking: ['matrix_ranking', mark],
    annotation: ['field_annotation', text],
  }),
);

/** The properties of a project, with REDCap's names. @see docs/protocol/redcap.md 9.5 (client) */
export const PROJECT = {
  id: ['project_id', integer],
  title: ['project_title', text],
  creationTime: ['creation_time', text],
  productionTime: ['production_time', text],
  isInProduction: ['in_production', flag],
  language: ['project_language', text],
  purpose: ['purpose', integer.catch(0)],
  purposeOther: ['purpose_other', text],
  notes: ['project_notes', text],
  customRecordLabel: ['custom_record_label', text],
  secondaryUniqueField: ['secondary_unique_field', text],
  isLongitudinal: ['is_longitudinal', flag],
  hasRepeatingInstrumentsOrEvents: ['has_repeating_instruments_or_events', flag],
  surveysEnabled: ['surveys_enabled', flag],
  schedulingEnabled: ['scheduling_enabled', flag],
  recordAutonumberingEnabled: ['record_autonumbering_enabled', flag],
  randomizationEnabled: ['randomization_enabled', flag],
  ddpEnabled: ['ddp_enabled', flag],
  irbNumber: ['project_irb_number', text],
  grantNumber: ['project_grant_number', text],
  piFirstName: ['project_pi_firstname', text],
  piLastName: ['project_pi_lastname', text],
  piEmail: ['project_pi_email', z.string().optional()],
  displayTodayNowButton: ['display_today_now_button', flag],
  missingDataCodes: ['missing_data_codes', text],
  externalModules: ['external_modules', text],
  bypassBranchingEraseFieldPrompt: ['bypass_branching_erase_field_prompt', flag],
} as const;

/** One object, or a list with one row. @see docs/protocol/redcap.md 9.5 (client) */
export const ProjectRow: z.ZodType<ProjectInfo> = z.preprocess(
  (value) => (Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value),
  renamed(PROJECT),
);

/** The answer to an import, in all its forms. @see docs/protocol/redcap.md 5.6 (client) */
export const ImportAnswer = z.union([
  z.object({ count: integer }).transform(({ count }) => ({ count })),
  integer.transform((count) => ({ count })),
  z.array(requiredText).transform((ids) => ({ count: ids.length, ids })),
  // A background import: REDCap has accepted it and reports nothing more.
  z
    .object({ success: z.literal([true, 1, '1', 'true']) })
    .transform(() => ({ count: 0, isQueued: true as const })),
]);

/** Project settings. @see docs/protocol/redcap.md 9.5 (client): REDCap's 0 and 1 are booleans here */
export interface ProjectInfo {
  readonly id: number;
  readonly title: string;
  /** `YYYY-MM-DD HH:MM:SS` in the server's time zone. */
  readonly creationTime: string;
  /** Empty while the project is in development. */
  readonly productionTime: string;
  readonly isInProduction: boolean;
  readonly language: string;
  /** 0 practice, 1 other, 2 research, 3 quality improvement, 4 operational support. */
  readonly purpose: number;
  readonly purposeOther: string;
  readonly notes: string;
  readonly customRecordLabel: string;
  readonly secondaryUniqueField: string;
  readonly isLongitudinal: boolean;
  readonly hasRepeatingInstrumentsOrEvents: boolean;
  readonly surveysEnabled: boolean;
  readonly schedulingEnabled: boolean;
  readonly recordAutonumberingEnabled: boolean;
  readonly randomizationEnabled: boolean;
  readonly ddpEnabled: boolean;
  readonly irbNumber: string;
  readonly grantNumber: string;
  readonly piFirstName: string;
  readonly piLastName: string;
  /** REDCap 15.5 or later. */
  readonly piEmail?: string;
  readonly displayTodayNowButton: boolean;
  readonly missingDataCodes: string;
  /** The external modules that are enabled in the project, separated by commas. */
  readonly externalModules: string;
  readonly bypassBranchingEraseFieldPrompt: boolean;
}

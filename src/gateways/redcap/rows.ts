import * as z from 'zod';
import type { Field } from '../../dictionary/field.js';
import { flag, integer, requiredText, text, uniqueName } from './contents/answer-values.js';
import type { ProjectInfo } from './project-info.js';

/** `y` or blank: how the data dictionary writes booleans. */
const mark = text.transform((value) => value === 'y');

/** @see docs/protocol/redcap.md 8.1 (wire) */
export const FieldRows: z.ZodType<Field[]> = z.array(
  z
    .object({
      field_name: uniqueName,
      form_name: uniqueName,
      section_header: text,
      field_type: requiredText,
      field_label: text,
      select_choices_or_calculations: text,
      field_note: text,
      text_validation_type_or_show_slider_number: text,
      text_validation_min: text,
      text_validation_max: text,
      identifier: mark,
      branching_logic: text,
      required_field: mark,
      custom_alignment: text,
      question_number: text,
      matrix_group_name: text,
      matrix_ranking: mark,
      field_annotation: text,
    })
    .transform((row) => ({
      name: row.field_name,
      instrument: row.form_name,
      sectionHeader: row.section_header,
      type: row.field_type,
      label: row.field_label,
      choicesOrCalculations: row.select_choices_or_calculations,
      note: row.field_note,
      validationType: row.text_validation_type_or_show_slider_number,
      validationMin: row.text_validation_min,
      validationMax: row.text_validation_max,
      isIdentifier: row.identifier,
      branchingLogic: row.branching_logic,
      isRequired: row.required_field,
      alignment: row.custom_alignment,
      questionNumber: row.question_number,
      matrixGroup: row.matrix_group_name,
      isMatrixRanking: row.matrix_ranking,
      annotation: row.field_annotation,
    })),
);

/** @see docs/protocol/redcap.md 9.5 (client): one object, or a list with one row */
export const ProjectRow: z.ZodType<ProjectInfo> = z.preprocess(
  (value) => (Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value),
  z
    .object({
      project_id: integer,
      project_title: text,
      creation_time: text,
      production_time: text,
      in_production: flag,
      project_language: text,
      purpose: integer.catch(0),
      purpose_other: text,
      project_notes: text,
      custom_record_label: text,
      secondary_unique_field: text,
      is_longitudinal: flag,
      has_repeating_instruments_or_events: flag,
      surveys_enabled: flag,
      scheduling_enabled: flag,
      record_autonumbering_enabled: flag,
      randomization_enabled: flag,
      project_irb_number: text,
      project_grant_number: text,
      project_pi_firstname: text,
      project_pi_lastname: text,
      missing_data_codes: text,
    })
    .transform((row) => ({
      id: row.project_id,
      title: row.project_title,
      creationTime: row.creation_time,
      productionTime: row.production_time,
      isInProduction: row.in_production,
      language: row.project_language,
      purpose: row.purpose,
      purposeOther: row.purpose_other,
      notes: row.project_notes,
      customRecordLabel: row.custom_record_label,
      secondaryUniqueField: row.secondary_unique_field,
      isLongitudinal: row.is_longitudinal,
      hasRepeatingInstrumentsOrEvents: row.has_repeating_instruments_or_events,
      surveysEnabled: row.surveys_enabled,
      schedulingEnabled: row.scheduling_enabled,
      recordAutonumberingEnabled: row.record_autonumbering_enabled,
      randomizationEnabled: row.randomization_enabled,
      irbNumber: row.project_irb_number,
      grantNumber: row.project_grant_number,
      piFirstName: row.project_pi_firstname,
      piLastName: row.project_pi_lastname,
      missingDataCodes: row.missing_data_codes,
    })),
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

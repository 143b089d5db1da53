/** REDCap's answers about the project of `npm run bench`: its settings and its data dictionary. */

const VALIDATIONS: Readonly<Record<number, string>> = { 1: 'integer', 2: 'date_ymd' };
const CHOICES = '0, None | 1, Some | 2, Much | 3, All';

/** @param fieldNames the id first; the type of a field follows from its position, like its values */
export function dictionaryOf(fieldNames: readonly string[]): object[] {
  return fieldNames.map((name, column) => {
    const isChoice = column > 0 && column % 5 === 4;
    return {
      field_name: name,
      form_name: 'bench',
      section_header: '',
      field_type: isChoice ? 'radio' : 'text',
      field_label: name,
      select_choices_or_calculations: isChoice ? CHOICES : '',
      field_note: '',
      text_validation_type_or_show_slider_number: column === 0 ? '' : (VALIDATIONS[column % 5] ?? ''),
      text_validation_min: '',
      text_validation_max: '',
      identifier: '',
      branching_logic: '',
      required_field: '',
      custom_alignment: '',
      question_number: '',
      matrix_group_name: '',
      matrix_ranking: '',
      field_annotation: '',
    };
  });
}

export const PROJECT = {
  project_id: 1,
  project_title: 'Bench',
  creation_time: '2026-01-01 00:00:00',
  production_time: '',
  in_production: 0,
  project_language: 'English',
  purpose: 0,
  purpose_other: '',
  project_notes: '',
  custom_record_label: '',
  secondary_unique_field: '',
  is_longitudinal: 0,
  has_repeating_instruments_or_events: 0,
  surveys_enabled: 0,
  scheduling_enabled: 0,
  record_autonumbering_enabled: 0,
  randomization_enabled: 0,
  ddp_enabled: 0,
  project_irb_number: '',
  project_grant_number: '',
  project_pi_firstname: '',
  project_pi_lastname: '',
  display_today_now_button: 1,
  missing_data_codes: '',
  external_modules: '',
  bypass_branching_erase_field_prompt: 0,
};

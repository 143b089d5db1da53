import { FIELDS } from './import-project.js';

/** The data dictionary of the project that imports are checked against, as REDCap returns it. */
export const METADATA = JSON.stringify(
  FIELDS.map((field) => ({
    field_name: field.name,
    form_name: field.instrument,
    field_type: field.type,
    field_label: field.label,
    select_choices_or_calculations: field.choicesOrCalculations,
    text_validation_type_or_show_slider_number: field.validationType,
    text_validation_min: field.validationMin,
    text_validation_max: field.validationMax,
  })),
);

/** The answer to a call for the design of that project, which is classic; undefined for any other call. */
export function designOf(form: URLSearchParams): string | undefined {
  if (form.get('content') === 'metadata') return METADATA;
  return form.get('content') === 'project' ? PROJECT : undefined;
}

const PROJECT = JSON.stringify({
  project_id: 1,
  project_title: 'Faults',
  is_longitudinal: 0,
  has_repeating_instruments_or_events: 0,
  record_autonumbering_enabled: 0,
  missing_data_codes: '',
});

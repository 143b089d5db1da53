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

import type { SandboxProject } from '../project.js';
import type { Answer } from '../wire/answer.js';

/** One object in JSON, one row in CSV; the keys in this order. @see protocol reference 9.5 (client) */
export function projectInfo(project: SandboxProject): Answer {
  const { project: about } = project.study;
  return {
    kind: 'object',
    row: {
      project_id: 1,
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
    },
  };
}

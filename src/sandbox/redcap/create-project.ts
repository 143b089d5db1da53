import { dataRows, requiredText } from './data-rows.js';
import type { SandboxProject } from './project.js';
import { blankStudy, type ProjectRegistry } from './project-registry.js';
import type { Answer, Format } from './wire/answer.js';
import { ApiFailure } from './wire/api-failure.js';
import type { Parameters } from './wire/parameters.js';

/**
 * `content=project` with data and a super token: makes a project.
 *
 * @returns the new project's token as text
 * @throws {ApiFailure} 400 for a missing title or purpose
 * @see docs/protocol/redcap.md 9.7 (client, doc), 2.2 (client)
 */
export function createProject(
  registry: ProjectRegistry,
  call: { readonly parameters: Parameters; readonly format: Format },
  now: string,
): Answer {
  const [row] = dataRows(call);
  if (row === undefined) throw new ApiFailure(400, 'The data being imported is not formatted correctly.');
  const title = requiredText(row, 'project_title');
  const purpose = requiredText(row, 'purpose');
  if (!/^[0-4]$/.test(purpose)) throw new ApiFailure(400, 'The value of the setting "purpose" is not valid.');
  if (purpose === '1' && row('purpose_other') === '') {
    throw new ApiFailure(
      400,
      "You must provide some text for 'purpose_other' since you specified 'purpose' as '1' (Other).",
    );
  }
  const project = registry.add(
    blankStudy({
      title,
      notes: row('project_notes'),
      purpose: Number(purpose),
      piFirstName: '',
      piLastName: '',
      surveysEnabled: row('surveys_enabled') === '1',
      missingDataCodes: '',
      creationTime: now,
      settings: {
        purpose_other: row('purpose_other'),
        is_longitudinal: Number(row('is_longitudinal') || 0),
        record_autonumbering_enabled: Number(row('record_autonumbering_enabled') || 1),
      },
    }),
  );
  return { kind: 'text', text: tokenOf(project) };
}

function tokenOf({ study }: SandboxProject): string {
  return study.users[0]?.token ?? '';
}

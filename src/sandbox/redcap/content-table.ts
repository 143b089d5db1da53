import type { ActionName, Content, ContentAction, ContentCall } from './content.js';
import { arm } from './contents/arms.js';
import { dag } from './contents/dags.js';
import { event } from './contents/events.js';
import { exportFieldNames } from './contents/export-field-names.js';
import { fieldValidation } from './contents/field-validation.js';
import { file } from './contents/files.js';
import { fileInfo, fileSize } from './contents/file-info.js';
import { fileRepository } from './contents/file-repository.js';
import { formEventMapping } from './contents/form-event-mapping.js';
import { generateNextRecordName } from './contents/generate-next-record-name.js';
import { instrument } from './contents/instruments.js';
import { log } from './contents/logs.js';
import { metadata } from './contents/dictionary.js';
import { pdf } from './contents/pdf.js';
import { project } from './contents/projects.js';
import { projectSettings } from './contents/project-settings.js';
import { projectXml } from './contents/project-xml.js';
import { record } from './contents/records.js';
import { repeatingFormsEvents } from './contents/repeating-forms-events.js';
import { report } from './contents/reports.js';
import {
  participantList,
  surveyAccessCode,
  surveyLink,
  surveyQueueLink,
  surveyReturnCode,
} from './contents/surveys.js';
import { user } from './contents/users.js';
import { userDagMapping } from './contents/user-dag-mapping.js';
import { userRole } from './contents/roles.js';
import { userRoleMapping } from './contents/user-role-mapping.js';
import { requireRight } from './caller.js';
import type { ServerVersion } from './server-version.js';
import type { Answer } from './wire/answer.js';
import { invalidParameter } from './wire/api-failure.js';
import type { Parameters } from './wire/parameters.js';

/** All contents of the sandbox. To add one, write its file and list it here. @see docs/protocol/redcap.md 3 */
export const CONTENTS: readonly Content[] = [
  arm,
  dag,
  event,
  exportFieldNames,
  fieldValidation,
  file,
  fileInfo,
  fileRepository,
  fileSize,
  formEventMapping,
  generateNextRecordName,
  instrument,
  log,
  metadata,
  participantList,
  pdf,
  project,
  projectSettings,
  projectXml,
  record,
  repeatingFormsEvents,
  report,
  surveyAccessCode,
  surveyLink,
  surveyQueueLink,
  surveyReturnCode,
  user,
  userDagMapping,
  userRole,
  userRoleMapping,
];

const BY_NAME: ReadonlyMap<string, Content> = new Map(CONTENTS.map((content) => [content.name, content]));

/**
 * Answers one call.
 *
 * @throws {ApiFailure} 400 for an unknown content or action, 403 for a missing right, and any error of the action
 * itself
 */
export async function answerCall(call: ContentCall): Promise<Answer> {
  const { parameters, caller, version } = call;
  const content = BY_NAME.get(parameters.text('content'));
  if (content === undefined || !isKnown(content, version)) throw invalidParameter('content');
  const action = actionOf(content, parameters);
  if (action === undefined || !isKnown(action, version)) throw invalidParameter('action');
  for (const right of action.rights) requireRight(caller, right);
  const answer = await action.run(call);
  if (action.log !== undefined) logManagement(call, action.log);
  return answer;
}

/** Contents and actions newer than the version are refused like unknown ones. @see docs/protocol/redcap.md 14 (spec) */
function isKnown({ since }: { readonly since?: string }, version: ServerVersion): boolean {
  return since === undefined || version.isAtLeast(since);
}

/** Logs a management action. Its name ends in a space. @see docs/protocol/redcap.md 13.2 (client) */
function logManagement({ project, caller }: ContentCall, details: string): void {
  project.log.add({ username: caller.username, kind: 'manage', action: 'Manage/Design ', details });
}

/**
 * Determines the action. Without the parameter, a call with data is an import, any other an export.
 *
 * @see docs/protocol/redcap.md 1.3 (inferred)
 */
function actionOf({ actions }: Content, parameters: Parameters): ContentAction | undefined {
  const name = parameters.text('action') || (parameters.has('data') ? 'import' : 'export');
  return Object.hasOwn(actions, name) ? actions[name as ActionName] : undefined;
}

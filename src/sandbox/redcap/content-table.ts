import { requireRight } from './caller.js';
import type { ActionName, Content, ContentAction, ContentCall } from './content.js';
import { deleteArms, exportArms, importArms } from './contents/arms.js';
import {
  deleteGroups,
  exportGroupAssignments,
  exportGroups,
  importGroupAssignments,
  importGroups,
  switchGroup,
} from './contents/dags.js';
import {
  exportDictionary,
  exportFieldNames,
  exportValidations,
  importDictionary,
} from './contents/dictionary.js';
import { deleteEvents, exportEvents, importEvents } from './contents/events.js';
import {
  createFolder,
  deleteDocument,
  exportDocument,
  exportFileInfo,
  exportFileSize,
  importDocument,
  listDocuments,
} from './contents/file-repository.js';
import { deleteFile, exportFile, importFile } from './contents/files.js';
import {
  exportInstruments,
  exportMappings,
  exportRepeating,
  importMappings,
  importRepeating,
} from './contents/instruments.js';
import { exportLog } from './contents/log.js';
import { exportPdf } from './contents/pdf.js';
import { exportProjectXml, importSettings } from './contents/projects.js';
import { exportReport } from './contents/reports.js';
import {
  deleteRoles,
  exportRoleAssignments,
  exportRoles,
  importRoleAssignments,
  importRoles,
} from './contents/roles.js';
import {
  exportAccessCode,
  exportParticipants,
  exportQueueLink,
  exportReturnCode,
  exportSurveyLink,
} from './contents/surveys.js';
import { deleteUsers, exportUsers, importUsers } from './contents/users.js';
import { projectRow } from './project-row.js';
import { exportRecords } from './records/export-records.js';
import { importRecords } from './records/import-records.js';
import { deleteRecords, getNextRecordId, randomizeRecord, renameRecord } from './records/record-actions.js';
import type { RightName } from './rights.js';
import type { ServerVersion } from '../../wire/server-version.js';
import type { Answer } from '../../wire/answer.js';
import { invalidParameter } from '../../wire/api-failure.js';
import type { Parameters } from '../../wire/parameters.js';

type Run = ContentAction['run'];

/** An action that exports. @param rights those that it needs besides `api_export` */
function reads(log: string, run: Run, ...rights: RightName[]): ContentAction {
  return { rights: ['api_export', ...rights], log: `${log} (API)`, run };
}

/** An action that changes the project. @param rights those that it needs besides `api_import` */
function writes(log: string, run: Run, ...rights: RightName[]): ContentAction {
  return { rights: ['api_import', ...rights], log: `${log} (API)`, run };
}

/** An action that writes its own log entry, or none. */
function quiet(run: Run, ...rights: RightName[]): ContentAction {
  return { rights, run };
}

/** The survey contents read the same parameters and differ only in the answer. @see docs/protocol/redcap.md 12 */
function ofSurvey(run: Run): ContentAction {
  return quiet(run, 'api_export', 'manage_survey_participants');
}

/**
 * All contents of the sandbox, with the rights that each action needs. To add one, write its handlers and list it here.
 *
 * @see docs/protocol/redcap.md 3, 2.1 (client)
 */
export const CONTENTS: Readonly<Record<string, Content>> = {
  arm: {
    export: reads('Export arms', exportArms),
    import: writes('Import arms', importArms, 'design'),
    delete: writes('Delete arms', deleteArms, 'design'),
  },
  dag: {
    export: reads('Export DAGs', exportGroups),
    import: writes('Import DAGs', importGroups, 'data_access_groups'),
    delete: writes('Delete DAGs', deleteGroups, 'data_access_groups'),
    switch: writes('Switch DAG', switchGroup),
  },
  event: {
    export: reads('Export events', exportEvents),
    import: writes('Import events', importEvents, 'design'),
    delete: writes('Delete events', deleteEvents, 'design'),
  },
  exportFieldNames: { export: quiet(exportFieldNames, 'api_export') },
  fieldValidation: { export: quiet(exportValidations) },
  file: {
    export: quiet(exportFile, 'api_export'),
    import: quiet(importFile, 'api_import'),
    delete: quiet(deleteFile, 'api_import'),
  },
  fileRepository: {
    list: reads('Export list of files/folders from File Repository', listDocuments, 'file_repository'),
    createFolder: writes('Create folder in File Repository', createFolder, 'file_repository'),
    export: reads('Download file from File Repository', exportDocument, 'file_repository'),
    import: writes('Upload file to File Repository', importDocument, 'file_repository'),
    delete: writes('Delete file from File Repository', deleteDocument, 'file_repository'),
  },
  fileinfo: { export: quiet(exportFileInfo, 'api_export') },
  filesize: { export: quiet(exportFileSize, 'api_export') },
  formEventMapping: {
    export: reads('Export instrument-event mappings', exportMappings),
    import: writes('Import instrument-event mappings', importMappings, 'design'),
  },
  // Plain text, whatever the format. @see docs/protocol/redcap.md 6.4 (doc, client)
  generateNextRecordName: {
    export: quiet(
      ({ project, caller }) => ({ kind: 'text', text: getNextRecordId(project, caller.group) }),
      'api_export',
    ),
  },
  instrument: { export: reads('Export instruments', exportInstruments) },
  log: { export: reads('Export Logging', exportLog, 'logging') },
  metadata: {
    export: reads('Export metadata', exportDictionary),
    import: writes('Import metadata', importDictionary, 'design'),
  },
  participantList: {
    export: { ...ofSurvey(exportParticipants), log: 'Export survey participant list (API)' },
  },
  pdf: { export: reads('Download data entry form as PDF', exportPdf) },
  // One object in JSON, one row in CSV. Creating a project takes a super token. @see docs/protocol/redcap.md 9.5
  project: {
    export: reads('Export project information', ({ project, version }) => ({
      kind: 'object',
      row: projectRow(project, version),
    })),
  },
  project_settings: {
    // Without data it was seen to answer nothing at all. (client)
    export: quiet(() => ({ kind: 'text', text: '' })),
    import: writes('Import project information', importSettings, 'design'),
  },
  project_xml: { export: reads('Export project XML', exportProjectXml) },
  // @see docs/protocol/redcap.md 4, 5, 6
  record: {
    export: quiet(exportRecords, 'api_export'),
    import: quiet(importRecords, 'api_import'),
    delete: quiet(deleteRecords, 'record_delete'),
    rename: quiet(renameRecord, 'record_rename'),
    randomize: { ...quiet(randomizeRecord, 'random_perform'), since: '15.5' },
  },
  repeatingFormsEvents: {
    export: reads('Export repeating instruments and events', exportRepeating),
    import: writes('Import repeating instruments and events', importRepeating, 'design'),
  },
  report: { export: quiet(exportReport, 'api_export') },
  surveyAccessCode: { export: { ...ofSurvey(exportAccessCode), since: '15.5' } },
  surveyLink: { export: ofSurvey(exportSurveyLink) },
  surveyQueueLink: { export: ofSurvey(exportQueueLink) },
  surveyReturnCode: { export: ofSurvey(exportReturnCode) },
  user: {
    export: reads('Export users', exportUsers, 'user_rights'),
    import: writes('Import users', importUsers, 'user_rights'),
    delete: writes('Delete users', deleteUsers, 'user_rights', 'record_delete'),
  },
  userDagMapping: {
    export: reads('Export User-DAG assignments', exportGroupAssignments, 'data_access_groups'),
    import: writes('Import User-DAG assignments', importGroupAssignments, 'data_access_groups'),
  },
  userRole: {
    export: reads('Export user roles', exportRoles, 'user_rights'),
    import: writes('Import user roles', importRoles, 'user_rights'),
    delete: writes('Delete user roles', deleteRoles, 'user_rights'),
  },
  userRoleMapping: {
    export: reads('Export User-Role assignments', exportRoleAssignments, 'user_rights'),
    import: writes('Import User-Role assignments', importRoleAssignments, 'user_rights'),
  },
};

/**
 * Answers one call.
 *
 * @throws {ApiFailure} 400 for an unknown content or action, 403 for a missing right, and any error of the action
 * itself
 */
export async function answerCall(call: ContentCall): Promise<Answer> {
  const { parameters, caller, version } = call;
  const name = parameters.text('content');
  const content = Object.hasOwn(CONTENTS, name) ? CONTENTS[name] : undefined;
  if (content === undefined || !Object.values(content).some((action) => isKnown(action, version)))
    throw invalidParameter('content');
  const action = actionOf(content, parameters);
  if (action === undefined || !isKnown(action, version)) throw invalidParameter('action');
  for (const right of action.rights) requireRight(caller, right);
  const answer = await action.run(call);
  if (action.log !== undefined) logManagement(call, action.log);
  return answer;
}

/** Contents and actions newer than the version are refused like unknown ones. @see docs/protocol/redcap.md 14 (spec) */
function isKnown({ since }: ContentAction, version: ServerVersion): boolean {
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
function actionOf(content: Content, parameters: Parameters): ContentAction | undefined {
  const name = parameters.text('action') || (parameters.has('data') ? 'import' : 'export');
  return Object.hasOwn(content, name) ? content[name as ActionName] : undefined;
}

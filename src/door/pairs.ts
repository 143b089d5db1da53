import type { Parameters } from '../wire/parameters.js';

/**
 * The operation of the REST API for each pair of content and action of REDCap's API, below `/api/v1`: what a key needs
 * for the one, it needs for the other. A pair that is not here takes a key with every scope.
 *
 * @see docs/reference/coverage.md
 */
export const OPERATIONS: Readonly<Record<string, string>> = {
  'record/export': 'GET /records',
  'record/import': 'POST /records',
  'record/delete': 'DELETE /records/{record}',
  'record/rename': 'POST /records/{record}/rename',
  'record/randomize': 'POST /records/{record}/randomize',
  generateNextRecordName: 'GET /records/next-id',
  'metadata/export': 'GET /project/fields',
  'metadata/import': 'PUT /project/fields',
  exportFieldNames: 'GET /project/export-field-names',
  'fieldValidation/export': 'GET /project/field-validations',
  'instrument/export': 'GET /project/instruments',
  'pdf/export': 'GET /records/{record}/pdf',
  'formEventMapping/export': 'GET /project/mappings',
  'formEventMapping/import': 'PUT /project/mappings',
  'repeatingFormsEvents/export': 'GET /project/repeating',
  'repeatingFormsEvents/import': 'PUT /project/repeating',
  'event/export': 'GET /project/events',
  'event/import': 'PUT /project/events',
  'event/delete': 'DELETE /project/events/{event}',
  'arm/export': 'GET /project/arms',
  'arm/import': 'PUT /project/arms',
  'arm/delete': 'DELETE /project/arms/{arm}',
  'dag/export': 'GET /project/dags',
  'dag/import': 'PUT /project/dags',
  'dag/delete': 'DELETE /project/dags/{dag}',
  'userDagMapping/export': 'GET /project/dag-assignments',
  'userDagMapping/import': 'PUT /project/dag-assignments',
  'user/export': 'GET /project/users',
  'user/import': 'PUT /project/users',
  'user/delete': 'DELETE /project/users/{username}',
  'userRole/export': 'GET /project/roles',
  'userRole/import': 'PUT /project/roles',
  'userRole/delete': 'DELETE /project/roles/{role}',
  'userRoleMapping/export': 'GET /project/role-assignments',
  'userRoleMapping/import': 'PUT /project/role-assignments',
  'project/export': 'GET /project/info',
  'project_settings/import': 'PATCH /project/info',
  'project_xml/export': 'GET /project/xml',
  'file/export': 'GET /records/{record}/files/{field}',
  'file/import': 'PUT /records/{record}/files/{field}',
  'file/delete': 'DELETE /records/{record}/files/{field}',
  'fileinfo/export': 'GET /file-repository/{id}/info',
  'filesize/export': 'GET /file-repository/{id}/info',
  'fileRepository/list': 'GET /file-repository',
  'fileRepository/export': 'GET /file-repository/{id}',
  'fileRepository/createFolder': 'POST /file-repository/folders',
  'fileRepository/import': 'POST /file-repository',
  'fileRepository/delete': 'DELETE /file-repository/{id}',
  'surveyLink/export': 'GET /records/{record}/surveys/{instrument}/link',
  'surveyQueueLink/export': 'GET /records/{record}/surveys/queue-link',
  'surveyReturnCode/export': 'GET /records/{record}/surveys/{instrument}/return-code',
  'surveyAccessCode/export': 'GET /surveys/{instrument}/access-code',
  'participantList/export': 'GET /surveys/{instrument}/participants',
  'report/export': 'GET /reports/{report}',
  'log/export': 'GET /log',
  version: 'GET /project/version',
};

/** What clients ask for on their way to the records: whoever may read these may read it too. */
export const ON_THE_WAY: ReadonlySet<string> = new Set([
  'metadata/export',
  'exportFieldNames',
  'instrument/export',
  'project/export',
  'arm/export',
  'event/export',
  'dag/export',
  'formEventMapping/export',
  'repeatingFormsEvents/export',
  'version',
]);

/** The content and the action that a call is about. */
export interface Pair {
  readonly content: string;
  /** As REDCap understands it: without the parameter, a call with data is an import, and any other an export. */
  readonly action: string;
  /** The name of the pair in `OPERATIONS`, if it is there. */
  readonly name: string | undefined;
  readonly isRead: boolean;
}

/** Returns what a call is about. @see docs/protocol/redcap.md 1.3 (inferred) */
export function pairOf(parameters: Parameters): Pair {
  const content = parameters.text('content');
  const action = parameters.text('action') || (parameters.has('data') ? 'import' : 'export');
  const name = [
    `${content}/${action}`,
    ...(action === 'export' && !content.includes('/') ? [content] : []),
  ].find((each) => Object.hasOwn(OPERATIONS, each));
  return { content, action, name, isRead: action === 'export' || action === 'list' };
}

/** Whether what is sent replaces what is there. PHP takes any text but `0` for on, and a list, which is not sent on. */
export function isOverride(parameters: Parameters): boolean {
  return !/^(0|false)?$/i.test(parameters.text('override'));
}

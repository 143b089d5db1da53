import type { StudyUser } from '../study.js';
import type { Answer } from '../wire/answer.js';
import { ApiFailure, invalidParameter } from '../wire/api-failure.js';
import type { Parameters } from '../wire/parameters.js';
import { deleteRecords } from './delete-records.js';
import { exportRecords } from './export-records.js';
import { importRecords } from './import-records.js';
import { projectInfo } from './project-info.js';
import type { OperationCall } from './operation-call.js';
import { nextRecordName } from './record-names.js';
import {
  arms,
  events,
  exportFieldNames,
  formEventMapping,
  instruments,
  metadata,
  repeatingFormsEvents,
} from './structure.js';
import { users } from './users.js';

type Operation = (call: OperationCall) => Answer;

/** By content and action. @see protocol reference 3 */
const OPERATIONS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['project/export', ({ project }) => projectInfo(project)],
  ['metadata/export', ({ project, parameters }) => metadata(project, parameters)],
  ['instrument/export', ({ project }) => instruments(project)],
  ['exportFieldNames/export', ({ project, parameters }) => exportFieldNames(project, parameters)],
  ['arm/export', ({ project, parameters }) => arms(project, parameters)],
  ['event/export', ({ project, parameters }) => events(project, parameters)],
  ['formEventMapping/export', ({ project, parameters }) => formEventMapping(project, parameters)],
  ['repeatingFormsEvents/export', ({ project }) => repeatingFormsEvents(project)],
  ['user/export', ({ project }) => users(project)],
  ['generateNextRecordName/export', ({ project }) => ({ kind: 'text', text: nextRecordName(project) })],
  ['record/export', exportRecords],
  ['record/import', importRecords],
  ['record/delete', deleteRecords],
]);

const CONTENTS: ReadonlySet<string> = new Set([...OPERATIONS.keys()].map((key) => key.replace(/\/.*$/, '')));

/**
 * Runs a call.
 *
 * @throws {ApiFailure} 400 for an unknown content or action, 403 for a missing right, and what the operation refuses
 */
export function runOperation(call: OperationCall): Answer {
  const { parameters, user } = call;
  const content = parameters.text('content');
  if (!CONTENTS.has(content)) throw invalidParameter('content');
  const action = actionOf(parameters);
  const operation = OPERATIONS.get(`${content}/${action}`);
  if (operation === undefined) throw invalidParameter('action');
  checkRight(user, action);
  return operation(call);
}

/** Absent: an import when there is data, else an export. @see protocol reference 1.3 (inferred) */
function actionOf(parameters: Parameters): string {
  const action = parameters.text('action');
  if (action !== '') return action;
  return parameters.has('data') ? 'import' : 'export';
}

/** @see protocol reference 2.1 (client) */
function checkRight(user: StudyUser, action: string): void {
  if (action === 'import') requireRight(user.mayImport, 'API Import/Update');
  else if (action === 'delete') requireRight(user.mayDelete, 'Delete Record');
  else requireRight(user.mayExport, 'API Export');
}

function requireRight(isGranted: boolean, right: string): void {
  if (!isGranted) throw new ApiFailure(403, `You do not have ${right} privileges`);
}

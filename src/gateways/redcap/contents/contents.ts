import type { ContentCalls } from './content-calls.js';
import { ARMS } from './arms.js';
import { DAG_ASSIGNMENTS, DAGS } from './dags.js';
import { EXPORT_FIELD_NAMES, FIELDS, FIELD_VALIDATIONS } from './fields.js';
import { EVENTS } from './events.js';
import { FILE_REPOSITORY } from './file-repository.js';
import { FILES } from './files.js';
import { INSTRUMENTS, MAPPINGS, REPEATINGS } from './instruments.js';
import { LOG } from './log.js';
import { PDF } from './pdf.js';
import { PROJECT_CONTENT } from './project.js';
import { RECORDS } from './records.js';
import { REPORTS } from './reports.js';
import { ROLE_ASSIGNMENTS, ROLES } from './roles.js';
import { SURVEYS } from './surveys.js';
import { USERS } from './users.js';

/** The groups of calls, one for each content of REDCap's API, by their names. */
export const CONTENTS = {
  arms: ARMS,
  events: EVENTS,
  instruments: INSTRUMENTS,
  mappings: MAPPINGS,
  repeating: REPEATINGS,
  fields: FIELDS,
  exportFieldNames: EXPORT_FIELD_NAMES,
  fieldValidations: FIELD_VALIDATIONS,
  project: PROJECT_CONTENT,
  dags: DAGS,
  dagAssignments: DAG_ASSIGNMENTS,
  users: USERS,
  roles: ROLES,
  roleAssignments: ROLE_ASSIGNMENTS,
  records: RECORDS,
  surveys: SURVEYS,
  log: LOG,
  files: FILES,
  fileRepository: FILE_REPOSITORY,
  pdf: PDF,
  reports: REPORTS,
};

type Table = typeof CONTENTS;

/** The public methods of a group, for a client or a decorator to implement. */
type Methods<Group> = { readonly [Name in keyof Group]: Group[Name] };

/** The groups of calls of a client. */
export type Contents = {
  readonly [Name in keyof Table]: Methods<InstanceType<Table[Name]['Group']>>;
};

/** Makes the groups of a client. */
export function contentsOf(calls: ContentCalls): Contents {
  return eachOf(({ Group }) => new Group(calls)) as Contents; // each is an instance of its own row's class
}

type Rules = { readonly [Name in keyof Table]: Table[Name]['takes'] };

/** What the methods of each group take. */
export const CONTENT_ARGUMENTS = eachOf(({ takes }) => takes) as Rules; // each is that of its own row

function eachOf(make: (row: Table[keyof Table]) => unknown): object {
  return Object.fromEntries(Object.entries(CONTENTS).map(([name, row]) => [name, make(row)]));
}

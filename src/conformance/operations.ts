import { DESIGN_WRITES } from './design-writes.js';
import { FILE_READS, FILE_WRITES } from './file-operations.js';
import type { Operation } from './operation.js';
import { PEOPLE_READS } from './people-reads.js';
import { PEOPLE_WRITES } from './people-writes.js';
import { RECORD_READS } from './record-reads.js';
import { RECORD_WRITES } from './record-writes.js';
import { STRUCTURE_READS } from './structure-reads.js';

/**
 * All operations of the client library, in the order in which they are tried: all reads come before the first write.
 */
export const OPERATIONS: readonly Operation[] = [
  ...STRUCTURE_READS,
  ...RECORD_READS,
  ...PEOPLE_READS,
  ...FILE_READS,
  ...RECORD_WRITES,
  ...DESIGN_WRITES,
  ...PEOPLE_WRITES,
  ...FILE_WRITES,
];

/** Operations that a run does not try, with the reason. */
export const NEVER_TRIED: Readonly<Record<string, string>> = {
  rows: 'it is exportRecords with types',
  importRows: 'it is importRecords with types',
  getRecord: 'it is exportRecords of one record, in another shape',
  'logs.open': 'it is the call of logs.export, as bytes',
  'logs.stream': 'it is the call of logs.export, read as it comes',
  'reports.open': 'it is the call of reports.export, as bytes',
  'pdf.downloadAll': 'it brings every record',
  'fileRepository.createFolder': 'a folder cannot be deleted over the API',
  where: 'it asks for nothing: it writes filter logic',
  checkFilterLogic: 'it asks for nothing but the structure, which other operations ask for',
  'dags.switch': 'it changes what every caller with this token sees',
  'projects.create': 'it needs a super token, and leaves a project behind',
  'records.randomize': 'an assignment cannot be taken back',
};

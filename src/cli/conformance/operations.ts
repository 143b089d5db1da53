import { DESIGN_WRITES, PEOPLE_WRITES } from './design-writes.js';
import { FILE_READS, FILE_WRITES } from './file-operations.js';
import type { Operation, UntriedOperation } from './operation.js';
import { PEOPLE_READS } from './people-reads.js';
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

export const UNTRIED_OPERATIONS: readonly UntriedOperation[] = [
  {
    name: 'where',
    content: 'record',
    action: 'export',
    section: '7',
    reason: 'it makes no call: it writes filter logic',
  },
  {
    name: 'checkImport',
    content: 'record',
    action: 'import',
    section: '5.1',
    reason: 'it makes no call: a policy says what it would refuse',
  },
  {
    name: 'records.randomize',
    content: 'record',
    action: 'randomize',
    section: '6.3',
    reason: 'an assignment cannot be taken back',
  },
  {
    name: 'fileRepository.createFolder',
    content: 'fileRepository',
    action: 'createFolder',
    section: '11.3',
    reason: 'the API cannot delete a folder',
  },
  {
    name: 'dags.switch',
    content: 'dag',
    action: 'switch',
    section: '10.1',
    reason: 'it changes what every caller with this token sees',
  },
  {
    name: 'projects.create',
    content: 'project',
    action: 'import',
    section: '9.7',
    reason: 'it needs a super token, and the API cannot delete a project',
  },
];

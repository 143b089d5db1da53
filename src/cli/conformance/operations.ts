import type { Operation } from './operation.js';
import { READS } from './reads.js';
import { WRITES } from './writes.js';

/** All operations of the client library, in the order in which they are tried. */
export const OPERATIONS: readonly Operation[] = [...READS, ...WRITES];

export type UntriedOperation = Pick<Operation, 'name' | 'content' | 'action' | 'section'> & {
  readonly reason: string;
};

export const UNTRIED_OPERATIONS = [
  untried('where', 'record/export', '7', 'it makes no call: it writes filter logic'),
  untried('checkImport', 'record/import', '5.1', 'it makes no call: a policy says what it would refuse'),
  untried('records.randomize', 'record/randomize', '6.3', 'an assignment cannot be taken back'),
  untried(
    'fileRepository.createFolder',
    'fileRepository/createFolder',
    '11.3',
    'the API cannot delete a folder',
  ),
  untried('dags.switch', 'dag/switch', '10.1', 'it changes what every caller with this token sees'),
  untried(
    'projects.create',
    'project/import',
    '9.7',
    'it needs a super token, and the API cannot delete a project',
  ),
];

function untried(name: string, call: string, section: string, reason: string): UntriedOperation {
  const [content = '', action = ''] = call.split('/');
  return { name, content, action, section, reason };
}

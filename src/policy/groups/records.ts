import type { CrfCalls } from '../../gateways/redcap/crf-client.js';
import type { ProjectView } from '../project-view.js';
import { RecordExports } from '../record-exports.js';
import { refuse, refused } from './refuse.js';

type RecordCalls = Pick<
  CrfCalls,
  'exportRecords' | 'openRecords' | 'importData' | 'records' | 'files' | 'reports'
>;

/** The records of a view, their files, and the reports about them. */
export function recordsOf(calls: CrfCalls, view: ProjectView): RecordCalls {
  const exports = new RecordExports(calls, view);
  return {
    exportRecords: (options) => exports.export(options),
    openRecords: (options) => exports.open(options),
    importData: refuse,
    records: refused('delete', 'rename', 'randomize', 'nextId'),
    files: refused('download', 'upload', 'delete', 'info', 'size'),
    reports: refused('export', 'open'),
  };
}

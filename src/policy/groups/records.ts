import type { CrfCalls } from '../../gateways/redcap/crf-client.js';
import type { ProjectView } from '../project-view.js';
import { refuse, refused } from './refuse.js';

type RecordCalls = Pick<
  CrfCalls,
  'exportRecords' | 'openRecords' | 'importData' | 'records' | 'files' | 'reports'
>;

/** The records of a view, their files, and the reports about them. */
export function recordsOf(_calls: CrfCalls, _view: ProjectView): RecordCalls {
  return {
    exportRecords: refuse,
    openRecords: refuse,
    importData: refuse,
    records: refused('delete', 'rename', 'randomize', 'nextId'),
    files: refused('download', 'upload', 'delete', 'info', 'size'),
    reports: refused('export', 'open'),
  };
}

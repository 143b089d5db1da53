import type { CrfCalls } from '../../gateways/redcap/crf-client.js';
import type { ProjectView } from '../project-view.js';
import { RecordExports } from '../record-exports.js';
import { RecordFiles, RecordWrites } from '../record-writes.js';
import { refuse, refused } from './refuse.js';

type RecordCalls = Pick<
  CrfCalls,
  'exportRecords' | 'openRecords' | 'importData' | 'records' | 'files' | 'reports'
>;

/** The records of a view, their files, and the reports about them. */
export function recordsOf(calls: CrfCalls, view: ProjectView): RecordCalls {
  const exports = new RecordExports(calls, view);
  const writes = new RecordWrites(calls, view, exports);
  const files = new RecordFiles(calls, view, exports);
  return {
    exportRecords: (options) => exports.export(options),
    openRecords: (options) => exports.open(options),
    importData: (data, options) => writes.import(data, options),
    records: refused('delete', 'rename', 'randomize', 'nextId'),
    files: {
      download: (place, options) => files.download(place, options),
      upload: refuse,
      delete: refuse,
      info: refuse,
      size: refuse,
    },
    reports: refused('export', 'open'),
  };
}

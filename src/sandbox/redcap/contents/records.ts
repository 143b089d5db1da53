import type { Content } from '../content.js';
import { deleteRecords, randomizeRecord, renameRecord } from '../records/record-actions.js';
import { exportRecords } from '../records/export-records.js';
import { importRecords } from '../records/import-records.js';

/** @see docs/protocol/redcap.md 4, 5, 6 */
export const record: Content = {
  name: 'record',
  actions: {
    export: { rights: ['api_export'], run: exportRecords },
    import: { rights: ['api_import'], run: importRecords },
    delete: { rights: ['record_delete'], run: deleteRecords },
    rename: { rights: ['record_rename'], run: renameRecord },
    randomize: { since: '15.5', rights: ['random_perform'], run: randomizeRecord },
  },
};

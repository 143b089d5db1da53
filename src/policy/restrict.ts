import type { CrfCalls } from '../gateways/redcap/crf-client.js';
import { refuse } from './column-access.js';
import { documentsOf } from './groups/documents.js';
import { logOf } from './groups/log.js';
import { recordsOf } from './groups/records.js';
import { structureOf } from './groups/structure.js';
import type { ProjectView } from './project-view.js';

/**
 * Returns calls that see of a project, and change in it, no more than a view has. What is hidden behaves as what does not
 * exist, and what no policy grants rejects with `NotInPolicyError`. Every member is named here, or this does not compile.
 *
 * @param calls of the whole project; closing the restricted calls does not close them
 */
export function restrict(calls: CrfCalls, view: ProjectView): CrfCalls {
  const structure = structureOf(calls, view);
  const { exportRecords, openRecords, importData, checkImport, ...ofRecords } = recordsOf(calls, view);
  const { dags, dagAssignments, users, roles, roleAssignments } = peopleOf(calls, view);
  const shown = { exportRecords, dags, fields: structure.fields, events: structure.events };
  const { surveys, pdf, fileRepository } = documentsOf(calls, view, shown);
  return {
    getVersion: (options) => calls.getVersion(options),
    ping: (options) => calls.ping(options),
    exportRecords,
    openRecords,
    importData,
    checkImport,
    arms: structure.arms,
    events: structure.events,
    instruments: structure.instruments,
    mappings: structure.mappings,
    repeating: structure.repeating,
    fields: structure.fields,
    exportFieldNames: structure.exportFieldNames,
    fieldValidations: structure.fieldValidations,
    project: structure.project,
    dags,
    dagAssignments,
    users,
    roles,
    roleAssignments,
    records: ofRecords.records,
    surveys,
    log: logOf(calls, view, shown),
    files: ofRecords.files,
    fileRepository,
    pdf,
    reports: ofRecords.reports,
    call: refuse,
    forward: refuse,
    // What other callers have cached stays cached, as in a client of another project.
    clearCache: () => undefined,
    close: () => undefined,
  };
}

/**
 * The people of a view: no users and no roles, as in a project to which nobody was added, and of the groups those whose
 * records it shows. Nobody's rights can be changed.
 */
function peopleOf(
  calls: CrfCalls,
  view: ProjectView,
): Pick<CrfCalls, 'users' | 'roles' | 'roleAssignments' | 'dags' | 'dagAssignments'> {
  return {
    users: { list: none, put: refuse, delete: refuse },
    roles: { list: none, put: refuse, delete: refuse },
    roleAssignments: { list: none, put: refuse },
    dagAssignments: { list: none, put: refuse },
    dags: {
      list: async (options) => {
        const { rows, deidentify } = view;
        if (deidentify !== undefined || (rows.kind !== 'all' && rows.kind !== 'dag')) return [];
        return (await calls.dags.list(options)).filter(
          ({ uniqueName }) => rows.kind === 'all' || uniqueName === rows.dag,
        );
      },
      put: refuse,
      delete: refuse,
      switch: refuse,
    },
  };
}

const none = (): Promise<never[]> => Promise.resolve([]);

import type { CrfCalls } from '../../gateways/redcap/crf-client.js';
import { refuse } from '../column-access.js';
import type { ProjectView } from '../project-view.js';

/**
 * The people of a view: no users and no roles, as in a project to which nobody was added, and of the groups those whose
 * records it shows. Nobody's rights can be changed.
 */
export function peopleOf(calls: CrfCalls, view: ProjectView): Pick<CrfCalls, 'users' | 'roles' | 'dags'> {
  return {
    users: { export: none, import: refuse, delete: refuse },
    roles: {
      export: none,
      import: refuse,
      delete: refuse,
      exportAssignments: none,
      importAssignments: refuse,
    },
    dags: {
      export: async (options) => {
        const { rows, deidentify } = view;
        if (deidentify !== undefined || (rows.kind !== 'all' && rows.kind !== 'group')) return [];
        return (await calls.dags.export(options)).filter(
          ({ uniqueName }) => rows.kind === 'all' || uniqueName === rows.group,
        );
      },
      import: refuse,
      delete: refuse,
      switch: refuse,
      exportAssignments: none,
      importAssignments: refuse,
    },
  };
}

const none = (): Promise<never[]> => Promise.resolve([]);

import type { CrfCalls } from '../../gateways/redcap/crf-client.js';
import type { ProjectView } from '../project-view.js';
import { refused } from './refuse.js';

/** The groups, users and roles of a view. */
export function peopleOf(_calls: CrfCalls, _view: ProjectView): Pick<CrfCalls, 'dags' | 'users' | 'roles'> {
  return {
    dags: refused('export', 'import', 'delete', 'switch', 'exportAssignments', 'importAssignments'),
    users: refused('export', 'import', 'delete'),
    roles: refused('export', 'import', 'delete', 'exportAssignments', 'importAssignments'),
  };
}

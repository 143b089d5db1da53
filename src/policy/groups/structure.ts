import type { CrfCalls } from '../../gateways/redcap/crf-client.js';
import type { ProjectView } from '../project-view.js';
import { refuse, refused } from './refuse.js';

type Structure = Pick<
  CrfCalls,
  'getProjectInfo' | 'getMetadata' | 'arms' | 'events' | 'instruments' | 'dictionary' | 'projects'
>;

/** The structure of the project that a view is. */
export function structureOf(_calls: CrfCalls, _view: ProjectView): Structure {
  return {
    getProjectInfo: refuse,
    getMetadata: refuse,
    arms: refused('export', 'import', 'delete'),
    events: refused('export', 'import', 'delete'),
    instruments: refused(
      'export',
      'exportEventMappings',
      'importEventMappings',
      'exportRepeating',
      'importRepeating',
    ),
    dictionary: refused('import', 'exportFieldNames', 'exportValidations'),
    projects: refused('openXml', 'changeSettings', 'create'),
  };
}

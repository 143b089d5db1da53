import type { CrfClient } from '../../gateways/redcap/crf-client.js';
import { ArmsService } from './arms-service.js';
import { DesignChanges } from './design-changes.js';
import { DagsService } from './dags-service.js';
import { DictionaryService } from './dictionary-service.js';
import { EventsService } from './events-service.js';
import { InstrumentPlacesService } from './instrument-places-service.js';
import { ProjectUsersService } from './project-users-service.js';
import { RolesService } from './roles-service.js';
import { SettingsService } from './settings-service.js';

/** The services of a project's design and of the people who work on it. */
export interface ProjectServices {
  /** Changes that are made only while the design is what their author has read. */
  readonly changes: DesignChanges;
  readonly arms: ArmsService;
  readonly events: EventsService;
  readonly places: InstrumentPlacesService;
  readonly dictionary: DictionaryService;
  readonly settings: SettingsService;
  readonly dags: DagsService;
  readonly users: ProjectUsersService;
  readonly roles: RolesService;
}

/** Makes the services of the project that a client opens. */
export function createProjectServices(client: CrfClient): ProjectServices {
  return {
    changes: new DesignChanges(client),
    arms: new ArmsService(client),
    events: new EventsService(client),
    places: new InstrumentPlacesService(client),
    dictionary: new DictionaryService(client),
    settings: new SettingsService(client),
    dags: new DagsService(client),
    users: new ProjectUsersService(client),
    roles: new RolesService(client),
  };
}

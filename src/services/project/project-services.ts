import type { ReaderPaceOptions } from '../../records/streaming/reader-pace.js';
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

/** The services for a project's design and its users. */
export interface ProjectServices {
  /** Makes changes only if the design is still as their author has read it. */
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

/** Creates the services for the project of a client. */
export function createProjectServices(client: CrfClient, pace?: ReaderPaceOptions): ProjectServices {
  return {
    changes: new DesignChanges(client),
    arms: new ArmsService(client),
    events: new EventsService(client),
    places: new InstrumentPlacesService(client),
    dictionary: new DictionaryService(client, pace),
    settings: new SettingsService(client),
    dags: new DagsService(client),
    users: new ProjectUsersService(client),
    roles: new RolesService(client),
  };
}

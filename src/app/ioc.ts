import type { IocContainer, IocContainerFactory } from '@tsoa/runtime';
import type { Request } from 'express';
import { appState, type AppState } from '../http/app-state.js';
import { servicesOf } from '../http/services-of.js';
import { ArmsController } from '../controllers/arms-controller.js';
import { DagsController } from '../controllers/dags-controller.js';
import { DictionaryController } from '../controllers/dictionary-controller.js';
import { EventsController } from '../controllers/events-controller.js';
import { InstrumentPlacesController } from '../controllers/instrument-places-controller.js';
import { ProjectUsersController } from '../controllers/project-users-controller.js';
import { RolesController } from '../controllers/roles-controller.js';
import { SettingsController } from '../controllers/settings-controller.js';
import { AuthController } from '../controllers/auth-controller.js';
import { FilesController } from '../controllers/files-controller.js';
import { HealthController } from '../controllers/health-controller.js';
import { InstrumentsController } from '../controllers/instruments-controller.js';
import { LoginController } from '../controllers/login-controller.js';
import { LogsController } from '../controllers/logs-controller.js';
import { ProjectController } from '../controllers/project-controller.js';
import { ProjectSchemaController } from '../controllers/project-schema-controller.js';
import { QualityController } from '../controllers/quality-controller.js';
import { ProjectDocumentsController } from '../controllers/project-documents-controller.js';
import { RecordFilesController } from '../controllers/record-files-controller.js';
import { RecordActionsController } from '../controllers/record-actions-controller.js';
import { RecordsController } from '../controllers/records-controller.js';
import { ReportsController } from '../controllers/reports-controller.js';
import type { SessionCookies } from '../controllers/session-cookies.js';
import { SurveysController } from '../controllers/surveys-controller.js';
import { SummaryController } from '../controllers/summary-controller.js';
import { UsersController } from '../controllers/users-controller.js';
import { RouteNotFoundError } from '../errors/caller-errors.js';
import { acceptsPage } from '../http/accepts-page.js';
import { refuseForeignPage } from '../middleware/cross-site.js';
import { cookiesOf } from '../http/express-cookies.js';
import { isReadOnly } from '../http/read-only.js';
import type { Auth } from '../services/auth/auth-types.js';
import { LoginService } from '../services/auth/login-service.js';
import type { Services } from '../services/services.js';

/** The cookies and origin checks for the controllers of the sign-in. */
const sessionCookies: SessionCookies = {
  of: cookiesOf,
  refuseForeignPage,
  isReadOnly,
  acceptsPage,
};

/** The routes of the sign-in do not exist without an authentication service. */
function required(auth: Auth | undefined): Auth {
  if (auth === undefined) throw new RouteNotFoundError();
  return auth;
}

type Factory = (services: Services, state: AppState) => object;

/** Creates the controllers. Each request gets a new one, because tsoa stores status and headers in it. */
const factories = new Map<unknown, Factory>([
  [AuthController, (_services, { auth }) => new AuthController(required(auth), sessionCookies)],
  [FilesController, ({ files }) => new FilesController(files)],
  [HealthController, (_services, { health }) => new HealthController(health)],
  [
    LoginController,
    (_services, { auth }) => new LoginController(new LoginService(required(auth)), sessionCookies),
  ],
  [LogsController, ({ logs }) => new LogsController(logs)],
  [ProjectDocumentsController, ({ files, xml }) => new ProjectDocumentsController(files, xml)],
  [RecordFilesController, ({ files }) => new RecordFilesController(files)],
  [ReportsController, ({ reports }) => new ReportsController(reports)],
  [SurveysController, ({ surveys }) => new SurveysController(surveys)],
  [ProjectController, ({ crf }) => new ProjectController(crf)],
  [InstrumentsController, ({ typedRows }) => new InstrumentsController(typedRows)],
  [SummaryController, ({ summaries }) => new SummaryController(summaries)],
  [ProjectSchemaController, ({ documents }) => new ProjectSchemaController(documents)],
  [QualityController, ({ quality }) => new QualityController(quality)],
  [RecordActionsController, ({ records }) => new RecordActionsController(records)],
  [RecordsController, ({ pager, writer }) => new RecordsController(pager, writer)],
  [ArmsController, ({ project }) => new ArmsController(project.arms, project.changes)],
  [DagsController, ({ project }) => new DagsController(project.dags, project.changes)],
  [DictionaryController, ({ project }) => new DictionaryController(project.dictionary, project.changes)],
  [EventsController, ({ project }) => new EventsController(project.events, project.changes)],
  [
    InstrumentPlacesController,
    ({ project }) => new InstrumentPlacesController(project.places, project.changes),
  ],
  [ProjectUsersController, ({ project }) => new ProjectUsersController(project.users)],
  [RolesController, ({ project }) => new RolesController(project.roles)],
  [SettingsController, ({ project }) => new SettingsController(project.settings)],
  [UsersController, ({ crf }) => new UsersController(crf)],
]);

/** Provides tsoa's generated routes with controllers that use the application of the request. */
export const iocContainer: IocContainerFactory<Request> = (request): IocContainer => ({
  get<T>(controller: unknown): T {
    const factory = factories.get(controller);
    if (factory === undefined) throw new TypeError('A controller is missing in src/app/ioc.ts.');
    // tsoa asks by class and expects an instance of it. The map above pairs the two.
    return factory(servicesOf(request), appState(request.app)) as T;
  },
});

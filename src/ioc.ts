import type { IocContainer, IocContainerFactory } from '@tsoa/runtime';
import type { Request } from 'express';
import { appState, type AppState } from './app-state.js';
import { HealthController } from './controllers/health-controller.js';
import { ProjectController } from './controllers/project-controller.js';
import { RecordsController } from './controllers/records-controller.js';
import { UsersController } from './controllers/users-controller.js';

type Factory = (state: AppState) => object;

/** How each controller is made. A new one for each request: tsoa keeps its status and headers on it. */
const factories = new Map<unknown, Factory>([
  [HealthController, ({ health }) => new HealthController(health)],
  [ProjectController, ({ crf }) => new ProjectController(crf)],
  [RecordsController, ({ exporter, writer }) => new RecordsController(exporter, writer)],
  [UsersController, ({ crf }) => new UsersController(crf)],
]);

/** What tsoa's generated routes ask for a controller: it is wired from the application that serves the request. */
export const iocContainer: IocContainerFactory<Request> = (request): IocContainer => ({
  get<T>(controller: unknown): T {
    const factory = factories.get(controller);
    if (factory === undefined) throw new TypeError('A controller is missing in src/ioc.ts.');
    // tsoa asks by class and wants its instance: the map above is where the two are kept together.
    return factory(appState(request.app)) as T;
  },
});

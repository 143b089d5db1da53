import type { IocContainer, IocContainerFactory } from '@tsoa/runtime';
import { ProblemError } from '../domain/errors/problem-error.js';
import type { Request } from 'express';
import { AuthController } from '../controllers/auth-controller.js';
import { HealthController } from '../controllers/health-controller.js';
import { LoginController } from '../controllers/login-controller.js';
import { ProjectsController } from '../controllers/projects-controller.js';
import { appState, crfOf } from '../http/app-state.js';
import type { Auth } from '../services/auth/auth-types.js';
import type { CrfService } from '../services/crf-service.js';

/** The controllers that do not speak with REDCap. All others receive the request and its `CrfService`. */
const factories = new Map<unknown, (request: Request) => object>([
  [AuthController, (request) => new AuthController(authOf(request))],
  [HealthController, (request) => new HealthController(appState(request).health)],
  [ProjectsController, () => new ProjectsController()],
  [LoginController, (request) => new LoginController(authOf(request))],
]);

/** The routes of the sign-in do not exist without an authentication service. */
function authOf(request: Request): Auth {
  const { auth } = appState(request);
  if (auth === undefined) throw new ProblemError('route_not_found', { needsSignIn: true });
  return auth;
}

/**
 * Provides tsoa's generated routes with controllers that use the application of the request. Each request gets a new one,
 * because tsoa stores status and headers in it.
 */
export const iocContainer: IocContainerFactory<Request> = (request): IocContainer => ({
  get<T>(controller: unknown): T {
    // tsoa asks by class and expects an instance of it.
    const create = factories.get(controller);
    if (create !== undefined) return create(request) as T;
    return new (controller as new (crf: CrfService, request: Request) => T)(crfOf(request), request);
  },
});

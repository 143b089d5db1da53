import express, {
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import { compose } from '../http/compose.js';
import { requestState } from '../http/request-state.js';

/** Handlers to run before a route, by method and template, such as `POST /api/v1/auth/signup`. */
export type LimitsOf = ReadonlyMap<string, readonly RequestHandler[]>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const;

/**
 * The generated routes, looked up by the operation that the request has already been matched with. Express would test
 * its routes one by one, so a request would pay for all routes before its own. A route with path parameters is still
 * parsed by Express, in its own router.
 */
export class RouteTable {
  readonly #handlers = new Map<string, RequestHandler>();

  /**
   * @param register tsoa's `RegisterRoutes`
   * @param limitsOf handlers to run before individual routes
   */
  constructor(register: (app: Router) => void, limitsOf: LimitsOf) {
    const collector = Object.fromEntries(
      METHODS.map((method) => [
        method,
        (path: string, ...handlers: RequestHandler[]) => {
          // Express uses `/users/:email`, the document `/users/{email}`.
          const name = `${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}`;
          const all = [...(limitsOf.get(name) ?? []), ...handlers];
          this.#handlers.set(name, path.includes(':') ? withParameters(method, path, all) : compose(all));
        },
      ]),
    );
    // The generated code calls only these methods of a router.
    register(collector as unknown as Router);
  }

  /** Runs the route of a request. A request without an operation is passed on. */
  readonly dispatch = (request: Request, response: Response, next: NextFunction): void => {
    const operation = requestState(request).operation;
    const handler = operation && this.#handlers.get(`${operation.method} ${operation.template}`);
    if (handler === undefined) next();
    else void handler(request, response, next);
  };
}

function withParameters(
  method: (typeof METHODS)[number],
  path: string,
  handlers: RequestHandler[],
): RequestHandler {
  // As in Express, the GET route also handles HEAD.
  return express.Router({ strict: true, caseSensitive: true })[method](path, ...handlers);
}

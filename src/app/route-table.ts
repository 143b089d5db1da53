import express, {
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import { compose } from '../http/compose.js';
import { requestState } from '../http/request-state.js';

/** Handlers in front of a route, by method and template: `POST /api/v1/auth/signup`. */
export type LimitsOf = ReadonlyMap<string, readonly RequestHandler[]>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const;

/**
 * The generated routes, found by the operation that a request was matched with already. Express tries its routes one
 * after the other, and every request would pay for all those in front of its own. A route with parameters in its path is
 * still read by Express, in a router of its own.
 */
export class RouteTable {
  readonly #handlers = new Map<string, RequestHandler>();

  /**
   * @param register tsoa's `RegisterRoutes`
   * @param limitsOf what stands in front of single routes
   */
  constructor(register: (app: Router) => void, limitsOf: LimitsOf = new Map()) {
    const collector = Object.fromEntries(
      METHODS.map((method) => [
        method,
        (path: string, ...handlers: RequestHandler[]) => {
          // Express writes `/users/:email`, the document `/users/{email}`.
          const name = `${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}`;
          const all = [...(limitsOf.get(name) ?? []), ...handlers];
          this.#handlers.set(name, path.includes(':') ? withParameters(method, path, all) : compose(all));
        },
      ]),
    );
    // The generated code calls these methods and nothing else of a router.
    register(collector as unknown as Router);
  }

  /** Runs the route of a request; a request without an operation goes on. */
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
  // HEAD is answered by the route of GET, as Express does it.
  return express.Router({ strict: true, caseSensitive: true })[method](path, ...handlers);
}

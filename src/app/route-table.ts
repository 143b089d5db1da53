import express, {
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import { stopAtEnoughProblems } from '../http/enough-problems.js';
import { requestState } from '../http/request-state.js';

/** Handlers to run before a route, by method and template, such as `POST /api/v1/auth/signup`. */
export type LimitsOf = ReadonlyMap<string, readonly RequestHandler[]>;

stopAtEnoughProblems();

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const;

/**
 * The generated routes, looked up by the operation that the request has already been matched with. So the rules that a
 * request was checked against are those of the route that runs, and a route runs only with rules.
 */
export class RouteTable {
  readonly #handlers = new Map<string, RequestHandler>();

  /**
   * @param register tsoa's `RegisterRoutes`
   * @param limitsOf handlers to run before individual routes
   * @param admitted handlers to run for every request whose credential has been accepted: a stranger's body is not read
   */
  constructor(register: (app: Router) => void, limitsOf: LimitsOf, admitted: readonly RequestHandler[]) {
    const collector = Object.fromEntries(
      METHODS.map((method) => [
        method,
        (path: string, ...handlers: RequestHandler[]) => {
          // Express uses `/people/:email`, the document `/people/{email}`.
          const name = `${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}`;
          // Its own router parses the path parameters. As everywhere in Express, a GET route also handles HEAD.
          const router = express.Router({ strict: true, caseSensitive: true });
          // The last handler is the controller; those before it check the credential.
          const [guards, controller] = [handlers.slice(0, -1), handlers.slice(-1)];
          const stages = [...(limitsOf.get(name) ?? []), ...guards, ...admitted, ...controller];
          this.#handlers.set(name, router[method](path, ...stages));
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

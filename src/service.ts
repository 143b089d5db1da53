/** `crf-service/service`: the client of this service's REST API, for browsers, Node.js and other runtimes. */
export {
  createServiceClient,
  type ServiceClient,
  type ServiceClientConfig,
} from './client/service/create-service-client.js';
export { ConfigurationError } from './domain/errors/operator-errors.js';
export { CancelledError, InvalidRequestError } from './domain/errors/caller-errors.js';
export { ServiceTimeoutError, ServiceUnavailableError } from './domain/errors/service-errors.js';
export type { FieldProblem } from './domain/errors/field-problem.js';

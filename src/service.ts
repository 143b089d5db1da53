/** `crf-service/service`: the client of this service's REST API, for browsers, Node.js and other runtimes. */
export {
  createServiceClient,
  type ServiceClient,
  type ServiceClientConfig,
} from './service-client/create-service-client.js';
export { ConfigurationError } from './errors/operator-errors.js';
export { CancelledError, InvalidRequestError } from './errors/caller-errors.js';
export { ServiceTimeoutError, ServiceUnavailableError } from './errors/service-errors.js';
export type { FieldProblem } from './errors/field-problem.js';

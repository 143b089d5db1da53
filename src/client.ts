/// <reference types="node" preserve="true" />
/** The client library: REDCap as typed operations, without any server code. */
export { createCrfClient } from './client/create-crf-client.js';
export type { CrfClientConfig } from './client/create-crf-client.js';
export type * from './client/field-types.js';
export type * from './client/project-client.js';
export type * from './gateways/redcap/crf-client.js';
export {
  DEFAULT_RESILIENCE,
  type ResilienceOptions,
} from './gateways/redcap/resilience/resilience-options.js';
export { DEFAULT_TIMEOUTS, type UpstreamTimeouts } from './gateways/redcap/http-exchange.js';
export type { Field } from './domain/dictionary/field.js';
export { FieldLogic, Logic, where, type LogicLiteral } from './domain/logic/builder.js';
export { collectStreamBuffers } from './domain/bytes/stream-buffers.js';
export * from './domain/identifiers/index.js';
export * from './domain/errors/index.js';
export * from './service.js';

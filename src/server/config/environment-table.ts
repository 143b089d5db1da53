import { ACCESS } from './variables/access.js';
import { LIMITS } from './variables/limits.js';
import { REDCAP } from './variables/redcap.js';
import { REDCAP_CALLS } from './variables/redcap-calls.js';
import { SERVER } from './variables/server.js';
import { SHARED_STATE } from './variables/shared-state.js';
import { SIGN_IN } from './variables/sign-in.js';
import { STUDY } from './variables/study.js';
import type { EnvironmentVariable, VariableTopic } from './variables/environment-variable.js';

/**
 * Every variable of this package, by topic. The docs and `.env.example` are generated from it, and a test compares it
 * with the schema.
 */
export const VARIABLE_TOPICS: readonly VariableTopic[] = [
  STUDY,
  REDCAP,
  SERVER,
  ACCESS,
  SIGN_IN,
  SHARED_STATE,
  REDCAP_CALLS,
  LIMITS,
];

export const ENVIRONMENT_VARIABLES: readonly EnvironmentVariable[] = VARIABLE_TOPICS.flatMap(
  ({ variables }) => variables,
);

import { REDCAP, REDCAP_CALLS, STUDY } from './project-settings.js';
import { ACCESS, LIMITS, SERVER } from './service-settings.js';
import { SHARED_STATE, SIGN_IN } from './sign-in-settings.js';

/** The settings by topic, in the order of the docs and of `.env.example`, which are generated from them. */
export const TOPICS = {
  Study: STUDY,
  REDCap: REDCAP,
  Server: SERVER,
  Access: ACCESS,
  'Sign-in': SIGN_IN,
  'More than one process': SHARED_STATE,
  'Calls to REDCap': REDCAP_CALLS,
  Limits: LIMITS,
};

/** Every setting of this package, by the name of its environment variable. */
export const SETTINGS = {
  ...STUDY,
  ...REDCAP,
  ...SERVER,
  ...ACCESS,
  ...SIGN_IN,
  ...SHARED_STATE,
  ...REDCAP_CALLS,
  ...LIMITS,
};

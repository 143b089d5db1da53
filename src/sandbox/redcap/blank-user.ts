import { rightsOf } from './rights.js';
import type { StudyUser } from './study.js';

/** A user without name, token, group, role and rights, from which others are made. */
export const BLANK_USER: StudyUser = Object.freeze({
  username: '',
  email: '',
  firstName: '',
  lastName: '',
  token: '',
  expiration: '',
  group: '',
  role: '',
  rights: rightsOf({}),
});

import { randomBytes } from 'node:crypto';
import { ALL_RIGHTS } from '../../../src/sandbox/redcap/rights.js';
import type { StudyUser } from '../../../src/sandbox/redcap/study.js';
import type { ClientProject } from './projects.js';

/** A project with one user more: who does there what the client's readme has somebody do by hand on the server. */
export interface TendedProject {
  readonly project: ClientProject;
  /** The janitor's token. */
  readonly token: string;
}

/** Gives a project a user who may do everything. */
export function withJanitor(project: ClientProject): TendedProject {
  const token = randomBytes(16).toString('hex').toUpperCase();
  const users = [...project.study.users, { ...JANITOR, token }];
  return { project: { ...project, study: { ...project.study, users } }, token };
}

const JANITOR: StudyUser = {
  username: 'janitor',
  email: '',
  firstName: '',
  lastName: '',
  token: '',
  expiration: '',
  group: '',
  role: '',
  rights: ALL_RIGHTS,
};

import { randomBytes } from 'node:crypto';
import { BLANK_USER } from '../../../src/sandbox/redcap/caller.js';
import { ALL_RIGHTS } from '../../../src/sandbox/redcap/rights.js';
import type { StudyUser } from '../../../src/sandbox/redcap/study.js';
import type { ClientProject } from './projects.js';

/** A project with an additional user, who does what the client's readme asks people to do by hand on the server. */
export interface TendedProject {
  readonly project: ClientProject;
  /** The janitor's token. */
  readonly token: string;
}

/** Adds a user with all rights to a project. */
export function withJanitor(project: ClientProject): TendedProject {
  const token = randomBytes(16).toString('hex').toUpperCase();
  const users = [...project.study.users, { ...JANITOR, token }];
  return { project: { ...project, study: { ...project.study, users } }, token };
}

const JANITOR: StudyUser = { ...BLANK_USER, username: 'janitor', rights: ALL_RIGHTS };

import { choosesProject, configuredProjects } from '../../server/config/projects-file.js';
import { captureReport } from '../check/capture-checks.js';
import { type CheckReport, reported } from '../check/check-runner.js';
import { EXIT_CODES } from '../cli-error.js';
import { type Answer, defineCommand } from '../command.js';
import type { Io } from '../io.js';
import type { ProjectChoice } from '../open-client.js';
import { JSON_ON_STDOUT } from '../options/shared-options.js';
import { toTable } from '../printing/table.js';

export const command = defineCommand({
  args: JSON_ON_STDOUT,
  examples: {
    '$0 check --json | jq .ok': 'Use the result in a script',
    '$0 --project trial check': 'The steps of one of several projects',
  },
  epilogue:
    'Exit codes: 0 success, 1 a check failed, 2 configuration, 3 credentials refused, 4 unreachable or timed out.',
  // All projects of PROJECTS_FILE if none is named.
  run: async (options, io) =>
    choosesProject(io.env) ? reported(await captureReport(options, io)) : checkProjects(options, io),
});

type NamedReport = CheckReport & { readonly project: string };

/** Checks every project, one after the other, because they may share a REDCap. @returns the first exit code that is not 0 */
export async function checkProjects(options: ProjectChoice, io: Io): Promise<Answer> {
  const reports: NamedReport[] = [];
  for (const project of configuredProjects(io.env).projects.keys())
    reports.push({ project, ...(await captureReport({ ...options, named: project }, io)) });
  const exitCode = reports.find(({ ok }) => !ok)?.exitCode ?? EXIT_CODES.ok;
  const text = toTable(reports, [
    { title: 'project', cell: ({ project }) => project },
    { title: 'state', cell: ({ ok }) => (ok ? 'ok' : 'FAILED') },
    { title: 'server', cell: ({ target }) => target },
    { title: 'found', cell: found },
  ]);
  return { data: { ok: exitCode === EXIT_CODES.ok, exitCode, projects: reports }, text, exitCode };
}

/** Returns what is wrong with a project, or which one it is and what reading a record has shown. */
function found({ checks }: CheckReport): string {
  const failed = checks.find(({ status }) => status === 'failed');
  if (failed !== undefined)
    return failed.advice === undefined ? failed.detail : `${failed.detail} Next: ${failed.advice}.`;
  const told = checks.filter(({ name }) => name === 'project' || name === 'records');
  return told.map(({ detail }) => detail).join('; ');
}

import { choosesProject, configuredProjects } from '../../server/config/projects-file.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import type { ProjectChoice } from '../open-client.js';
import { toTable } from '../printing/table.js';
import { captureReport, runCaptureChecks } from './capture-checks.js';
import type { CheckReport } from './check-runner.js';

type NamedReport = CheckReport & { readonly project: string };

/** Checks the configured project step by step, or all of `PROJECTS_FILE` if none is named. @returns the exit code */
export function runChecksOfAll(options: ProjectChoice & { readonly json: boolean }): Promise<ExitCode> {
  return choosesProject() ? runCaptureChecks(options) : checkProjects(options);
}

/** Checks every project, one after the other, because they may share a REDCap. @returns the first exit code that is not 0 */
export async function checkProjects(options: ProjectChoice & { readonly json: boolean }): Promise<ExitCode> {
  const reports: NamedReport[] = [];
  for (const project of configuredProjects().projects.keys())
    reports.push({ project, ...(await captureReport({ ...options, named: project })) });
  const exitCode = reports.find(({ ok }) => !ok)?.exitCode ?? EXIT_CODES.ok;
  const table = toTable(reports, [
    { title: 'project', cell: ({ project }) => project },
    { title: 'state', cell: ({ ok }) => (ok ? 'ok' : 'FAILED') },
    { title: 'server', cell: ({ target }) => target },
    { title: 'found', cell: found },
  ]);
  const document = { ok: exitCode === EXIT_CODES.ok, exitCode, projects: reports };
  process.stdout.write(options.json ? `${JSON.stringify(document, null, 2)}\n` : table);
  return exitCode;
}

/** Returns what is wrong with a project, or which one it is and what reading a record has shown. */
function found({ checks }: CheckReport): string {
  const failed = checks.find(({ status }) => status === 'failed');
  if (failed !== undefined)
    return failed.advice === undefined ? failed.detail : `${failed.detail} Next: ${failed.advice}.`;
  const told = checks.filter(({ name }) => name === 'project' || name === 'records');
  return told.map(({ detail }) => detail).join('; ');
}

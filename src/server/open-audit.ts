import { basename, join, parse } from 'node:path';
import type { Logger } from 'pino';
import type { Settings } from './config/settings.js';
import { ConfigurationError } from '../domain/errors/operator-errors.js';
import { lineWriterOf, stdoutWriter } from './logging/logger.js';
import type { AuditTrail } from '../services/audit/audit-trail.js';
import { PACKAGE_VERSION } from '../services/package-version.js';
import { Pseudonyms } from '../services/pseudonyms.js';
import { pseudonymKeysOf } from './derived-keys.js';

export interface AuditOptions {
  readonly logger: Logger;
  /** Whether the service log is formatted for people, which would reformat every line of JSON. */
  readonly isPretty: boolean;
  /** The project of the log, if the process has several; each has its own, and the process one without a project. */
  readonly project?: string | undefined;
}

/** The audit log of a process. */
export interface OpenAudit {
  readonly trail: AuditTrail;
  /** Writes the last entry. */
  close(): Promise<void>;
}

/**
 * Opens the configured audit log and writes its first entry. On SIGHUP its file is reopened.
 *
 * @returns undefined if no audit log is configured
 * @throws {ConfigurationError} the log cannot be written: a service that must keep an audit log does not start without
 * it
 */
export async function openAudit(
  settings: Settings,
  { logger, isPretty, project }: AuditOptions,
): Promise<OpenAudit | undefined> {
  const { auditLog: target } = settings;
  if (target.kind === 'off') return undefined;

  const { AuditTrail } = await import('../services/audit/audit-trail.js');
  const sink =
    target.kind === 'file'
      ? new (await import('../gateways/audit/audit-file.js')).AuditFile(fileOf(project, target.path))
      : new (await import('../gateways/audit/audit-lines.js')).AuditLines(
          isPretty ? stdoutWriter() : lineWriterOf(logger),
        );
  const trail = new AuditTrail(sink, {
    project,
    onFailure: (err) => {
      logger.error({ err }, 'the audit log cannot be written');
    },
    onResume: () => logger.info('the audit log can be written again'),
  });
  const [key] = pseudonymKeysOf(settings);
  const what = key && { pseudonymKey: new Pseudonyms(key).keyMark };
  await trail.start(PACKAGE_VERSION, what).catch(refuseLog);
  const onHangup = (): void => trail.reopen();
  if (target.kind === 'file') process.on('SIGHUP', onHangup);
  return {
    trail,
    close: async () => {
      process.off('SIGHUP', onHangup);
      await trail.close();
    },
  };
}

/**
 * Checks what `openAudit` would refuse of the log in a file, and of that of the project if the process has several. Nothing
 * is written.
 *
 * @returns what was found, in a few words
 * @throws {ConfigurationError} a file cannot be written, or is not an audit log
 */
export async function checkAuditFiles(file: string, ofProject: string | undefined): Promise<string> {
  const [{ chainEndOf }, { readAuditEnd }] = await Promise.all([
    import('../services/audit/audit-trail.js'),
    import('../gateways/audit/audit-file.js'),
  ]);
  const found: string[] = [];
  for (const project of new Set([undefined, ofProject])) {
    const path = fileOf(project, file);
    const { seq } = await readAuditEnd(path).then(chainEndOf).catch(refuseLog);
    found.push(`${basename(path)} ${seq === 0 ? 'begins with the service' : `continues after entry ${seq}`}`);
  }
  return found.join(', ');
}

function refuseLog(cause: unknown): never {
  const message = 'names a file that cannot be written, or is not an audit log';
  throw new ConfigurationError([{ field: 'AUDIT_LOG', message }], { cause });
}

/** Returns the file of a project beside that of the process: `audit.cohort.log`. */
function fileOf(project: string | undefined, path: string): string {
  if (project === undefined) return path;
  const { dir, name, ext } = parse(path);
  return join(dir, `${name}.${project}${ext}`);
}

import { defineCommand } from '../define-command.js';
import { JSON_ON_STDOUT } from '../options/output-options.js';

const files = {
  type: 'string',
  array: true,
  demandOption: true,
  describe: 'The log and its rotated files, oldest first; .gz is read, too',
} as const;

const verifyCommand = defineCommand({
  name: 'verify',
  describe: 'Check that no line of an audit log was altered, removed, added or moved',
  args: { files, ...JSON_ON_STDOUT },
  positionals: ['files'],
  examples: [
    ['$0 audit verify audit.log', 'Check one file'],
    ['$0 audit verify audit.log.2.gz audit.log.1 audit.log', 'Check over rotated files'],
  ],
  epilogue:
    'Prints the number and the hash of the last line: kept elsewhere, they show later whether lines were cut off the end. Exit codes: 0 intact, also with an unfinished last line, as a crash leaves it; 1 not intact; 2 a file cannot be read.',
  handler: async ({ files, json }) => {
    const { runAuditVerify } = await import('./audit-verify-action.js');
    return runAuditVerify(files, { json, stdout: process.stdout, stderr: process.stderr });
  },
});

const findCommand = defineCommand({
  name: 'find',
  describe: 'List who read or changed a record, or may have, or what somebody read and changed',
  args: {
    files,
    record: { type: 'string', requiresArg: true, describe: 'The id of a record' },
    actor: {
      type: 'string',
      requiresArg: true,
      describe: 'Who called: key:NAME, session:ADDRESS, or session: and a pseudonym of the log',
    },
    from: {
      type: 'string',
      requiresArg: true,
      describe: 'The first day, or date and time (UTC without an offset)',
    },
    to: { type: 'string', requiresArg: true, describe: 'The last day, or date and time' },
    ...JSON_ON_STDOUT,
  },
  positionals: ['files'],
  examples: [
    ['$0 audit find --record 1001 --from 2026-11-01 audit.log', 'Who saw record 1001 since November'],
    ['$0 audit find --actor key:stats audit.a.log audit.b.log', 'What a key read, of two replicas'],
  ],
  epilogue:
    'Needs the key of the pseudonyms: AUDIT_PSEUDONYM_KEY, or the variables of the service from which it is derived. An export of the whole project, or by a filter, names no records: it is listed as one that may have included it. Exit codes: 0 done; 1 some calls were entered with another key, so that their records cannot be recognised; 2 a file cannot be read, or the key is missing.',
  handler: async ({ files, record, actor, from, to, json }) => {
    const { runAuditFind } = await import('./audit-find-action.js');
    const { stdout, stderr } = process;
    return runAuditFind(files, { record, actor, from, to, json, stdout, stderr });
  },
});

export const auditCommand = defineCommand({
  name: 'audit',
  describe: 'Check and search the audit log of the service',
  subcommands: [verifyCommand, findCommand],
});

import { auditCommand } from './commands/audit.js';
import { authCommand } from './commands/auth.js';
import { backupCommand, restoreCommand } from './commands/backup.js';
import { changesCommand } from './commands/changes.js';
import { checkCommand } from './commands/check.js';
import { completionCommand } from './commands/completion.js';
import { conformanceCommand } from './commands/conformance.js';
import { dictionaryCommand } from './commands/dictionary.js';
import { exportCommand } from './commands/export.js';
import { fieldsCommand } from './commands/fields.js';
import { fileCommand } from './commands/file.js';
import { filesCommand } from './commands/files.js';
import { importCommand } from './commands/import.js';
import { dueCommand } from './commands/due.js';
import { incompleteCommand } from './commands/incomplete.js';
import { infoCommand } from './commands/info.js';
import { instrumentsCommand } from './commands/instruments.js';
import { keyCommand } from './commands/key.js';
import { logCommand } from './commands/log.js';
import { pdfCommand } from './commands/pdf.js';
import { policyCommand } from './commands/policy.js';
import { projectCommand } from './commands/project.js';
import { listCommands } from './commands/project-lists.js';
import { projectsCommand } from './commands/projects.js';
import { qualityCommand } from './commands/quality.js';
import { recordsCommand } from './commands/records.js';
import { reportCommand } from './commands/report.js';
import { sandboxCommand } from './commands/sandbox.js';
import { schemaCommand } from './commands/schema.js';
import { serveCommand } from './commands/serve.js';
import { settingsCommand } from './commands/settings.js';
import { summaryCommand } from './commands/summary.js';
import { surveyCommand } from './commands/survey.js';
import { syncCommand } from './commands/sync.js';
import { typesCommand } from './commands/types.js';
import { undoCommand } from './commands/undo.js';
import { userCommand } from './commands/user.js';
import { versionCommand } from './commands/version.js';
import type { Command } from './define-command.js';

/** All commands, in the order of the help and of `docs/command-line.md`. */
export const COMMANDS: readonly Command[] = [
  checkCommand,
  conformanceCommand,
  serveCommand,
  sandboxCommand,
  versionCommand,
  infoCommand,
  summaryCommand,
  incompleteCommand,
  dueCommand,
  fieldsCommand,
  instrumentsCommand,
  userCommand,
  dictionaryCommand,
  recordsCommand,
  settingsCommand,
  ...listCommands,
  exportCommand,
  importCommand,
  undoCommand,
  syncCommand,
  changesCommand,
  reportCommand,
  fileCommand,
  filesCommand,
  pdfCommand,
  policyCommand,
  logCommand,
  surveyCommand,
  projectCommand,
  backupCommand,
  restoreCommand,
  projectsCommand,
  qualityCommand,
  typesCommand,
  schemaCommand,
  keyCommand,
  authCommand,
  auditCommand,
  completionCommand,
];

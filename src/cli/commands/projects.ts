import { defineCommand } from '../define-command.js';
import { JSON_OPTION, JSON_ON_STDOUT } from '../options/output-options.js';

const listCommand = defineCommand({
  name: 'list',
  describe: 'List the projects of PROJECTS_FILE, without a call to REDCap',
  args: JSON_OPTION,
  handler: async (options) => (await import('./list-projects.js')).listProjects(options),
});

const checkCommand = defineCommand({
  name: 'check',
  describe: 'Check the connection of each project; crf --project NAME check shows the steps of one',
  args: JSON_ON_STDOUT,
  epilogue: 'Exit codes: those of crf check, of the first project that fails.',
  handler: async (options) => (await import('../check/project-checks.js')).checkProjects(options),
});

export const projectsCommand = defineCommand({
  name: 'projects',
  describe: 'List and check the projects of PROJECTS_FILE',
  subcommands: [listCommand, checkCommand],
});

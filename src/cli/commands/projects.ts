import { configuredProjects } from '../../server/config/projects-file.js';
import { defineCommand, subcommand } from '../command.js';
import { JSON_ON_STDOUT, JSON_OPTION } from '../options/shared-options.js';
import { columnsOf, terminalWidth, toTable } from '../printing/table.js';
import { checkProjects } from './check.js';

const listCommand = subcommand({
  usage: 'list',
  describe: 'List the projects of PROJECTS_FILE, without a call to REDCap',
  args: JSON_OPTION,
  run: (_, { env, stdout }) => {
    const { projects, default: standard } = configuredProjects(env);
    // Without what a token is read from.
    const listed = [...projects].map(([name, { url, sandbox }]) => ({
      name,
      isDefault: name === standard,
      server: url === undefined ? `sandbox ${sandbox}` : new URL(url).origin,
    }));
    const rows = listed.map(({ name, isDefault, server }) => ({
      ...{ project: name, default: isDefault ? 'yes' : '', server },
    }));
    const text = toTable(rows, columnsOf('project', 'default', 'server'), terminalWidth(stdout));
    return Promise.resolve({ data: listed, text });
  },
});

const checkCommand = subcommand({
  usage: 'check',
  describe: 'Check the connection of each project; crf --project NAME check shows the steps of one',
  args: JSON_ON_STDOUT,
  epilogue: 'Exit codes: those of crf check, of the first project that fails.',
  run: checkProjects,
});

export const command = defineCommand({ subcommands: [listCommand, checkCommand] });

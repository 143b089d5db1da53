// Generates docs/reference/command-line.md from the help of the command line.
import { writeFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { COMMANDS } from '../src/cli/commands.js';
import { nameOf, type Subcommand } from '../src/cli/command.js';
import { run } from '../src/cli/run.js';

/** The names that lead to each command, in the order of the help: `[]` for `crf` itself, `['files', 'get']`. */
export const COMMAND_PATHS: (readonly string[])[] = [[]];
for (const listed of COMMANDS) COMMAND_PATHS.push(...pathsOf({ ...listed, command: await listed.load() }));

function pathsOf(named: Subcommand): string[][] {
  const below = named.command.subcommands.flatMap(pathsOf);
  return [[nameOf(named)], ...below.map((path) => [nameOf(named), ...path])];
}

/** @returns the output of a command's `--help` */
export async function helpOf(command: readonly string[]): Promise<string> {
  let help = '';
  const stdout = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      help += chunk.toString();
      done();
    },
  });
  const none = { stderr: stdout, stdin: () => process.stdin, env: {} };
  await run([...command, '--help'], { ...none, stdout, interrupt: () => new AbortController().signal });
  return help.trimEnd();
}

/** Returns the whole page. The options that every command has are on it once, in the section of `crf`. */
export async function commandLinePage(): Promise<string> {
  const contents: string[] = [];
  const sections = [await sectionOf([], '##')];
  for (const title of new Set(COMMANDS.map(({ group }) => group))) {
    const names = COMMANDS.filter(({ group }) => group === title).map(nameOf);
    const paths = COMMAND_PATHS.filter(([first = '']) => names.includes(first));
    const links = paths.map((path) => `[${path.join(' ')}](#crf-${path.join('-')})`);
    contents.push(`- [${title}](#${title.toLowerCase().replaceAll(' ', '-')}): ${links.join(', ')}`);
    sections.push(`## ${title}`);
    for (const path of paths) sections.push(await sectionOf(path, '###'));
  }
  return `# The command line

Data goes to standard output, messages to standard error. Settings come from the environment and from \`.env\` (see [Configuration](configuration.md)); secrets are never passed as arguments.

Without a project (\`CAPTURE_API_URL\` and \`CAPTURE_API_TOKEN\`) commands that only read use a sandbox with a synthetic study and say so on standard error. Commands that write something, such as \`crf import\`, \`crf export -o\` and \`crf files put\`, then require \`--sandbox\`. With \`--sandbox\` every command uses the sandbox, even if a project is configured.

Every command has the global options that the help of \`crf\` lists.

${contents.join('\n')}

Exit codes:

| Code | Meaning                                                            |
| ---- | ------------------------------------------------------------------ |
| 0    | success                                                            |
| 1    | a check failed, or REDCap refused or answered something unexpected |
| 2    | the command line or the configuration is not valid                 |
| 3    | REDCap or Appwrite refused the credentials                         |
| 4    | REDCap or Appwrite could not be reached, or timed out              |
| 5    | stored, but not all as asked: see crf import --diff and --verify   |
| 130  | interrupted (Ctrl-C)                                               |

${sections.join('\n\n')}
`;
}

async function sectionOf(command: readonly string[], level: string): Promise<string> {
  const help = await helpOf(command);
  const shown = command.length === 0 ? help : help.replace(/\n\nGlobal options:\n.*?(?=\n\n|$)/s, '');
  return `${level} ${['crf', ...command].join(' ')}\n\n\`\`\`text\n${shown}\n\`\`\``;
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(new URL('../docs/reference/command-line.md', import.meta.url), await commandLinePage());
}

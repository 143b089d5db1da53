// Writes docs/configuration.md, .env.example and the table of the README from the one list of variables.
import { readFileSync, writeFileSync } from 'node:fs';
import { ENVIRONMENT_VARIABLES, type EnvironmentVariable } from '../src/config/environment-table.js';

const topics = [...new Set(ENVIRONMENT_VARIABLES.map(({ topic }) => topic))];
const ofTopic = (topic: string): EnvironmentVariable[] =>
  ENVIRONMENT_VARIABLES.filter((variable) => variable.topic === topic);

/** The whole table, topic by topic. */
export function configurationPage(): string {
  const sections = topics.map((topic) => `## ${topic}\n\n${markdownTable(ofTopic(topic))}`);
  return `# Configuration

Everything is set in the environment; an unset variable and an empty one mean the same. All mistakes are reported at once when the process starts, by name and never by value.

\`crf\` and \`npm start\` read the settings of this package from \`.env\` in the folder they run in, and say so in one line on standard error; what the environment has already wins. \`--env-file FILE\` (several are allowed, a later one wins) reads that file instead, as Node's own option does. A host of \`createApp\` reads nothing by itself.

A variable that is marked secret can come from a file: set \`<NAME>_FILE\` to its path instead.

${sections.join('\n\n')}
`;
}

/** Every variable, commented out, with an example. */
export function environmentExample(): string {
  const sections = topics.map((topic) => {
    const lines = ofTopic(topic).map(
      ({ name, description, default: fallback, example }) =>
        `# ${description.replaceAll('`', '')}${fallback === '' ? '' : ` Default: ${fallback.replaceAll('`', '')}.`}\n# ${name}=${example}`,
    );
    return `### ${topic}\n\n${lines.join('\n\n')}`;
  });
  return `# Copy to .env in the folder that \`crf\` or \`npm start\` runs in. What the environment has already wins.
# Nothing is needed to try it: without CAPTURE_* it runs on a sandbox.

${sections.join('\n\n')}
`;
}

/** @returns the rows of a table, one a variable */
export function markdownTable(variables: readonly EnvironmentVariable[]): string {
  const escape = (text: string): string => text.replaceAll('|', '\\|');
  const rows = variables.map(
    ({ name, description, default: fallback, isSecret }) =>
      `| \`${name}\` | ${escape(description)}${isSecret ? ' Secret.' : ''} | ${escape(fallback)} |`,
  );
  return ['| Variable | What it does | Default |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The README between its two marks. */
export function readmeWithTable(readme: string): string {
  const [before = '', rest = ''] = readme.split('<!-- configuration -->\n');
  const after = rest.split('<!-- /configuration -->')[1] ?? '';
  const table = markdownTable(ENVIRONMENT_VARIABLES);
  return `${before}<!-- configuration -->\n\n${table}\n\n<!-- /configuration -->${after}`;
}

if (process.argv[1] === import.meta.filename) {
  const root = new URL('../', import.meta.url);
  writeFileSync(new URL('docs/configuration.md', root), configurationPage());
  writeFileSync(new URL('.env.example', root), environmentExample());
  const readme = new URL('README.md', root);
  writeFileSync(readme, readmeWithTable(readFileSync(readme, 'utf8')));
}

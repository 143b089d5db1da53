// Generates docs/configuration.md, .env.example and the table in the README from the list of variables.
import { readFileSync, writeFileSync } from 'node:fs';
import { EnvironmentSchema } from '../src/server/config/environment-schema.js';
import { ENVIRONMENT_VARIABLES, VARIABLE_TOPICS } from '../src/server/config/environment-table.js';
import type { EnvironmentVariable } from '../src/server/config/variables/environment-variable.js';

/** The variables in the README, which most installations set. */
export const README_VARIABLES: readonly EnvironmentVariable[] = ENVIRONMENT_VARIABLES.filter(({ name }) =>
  [
    'CAPTURE_API_URL',
    'CAPTURE_API_TOKEN',
    'RECORD_ID_MIN_LENGTH',
    'PORT',
    'HOST',
    'NODE_ENV',
    'TRUST_PROXY',
    'API_KEYS',
    'SESSION_SCOPES',
    'APPWRITE_ENDPOINT',
  ].includes(name),
);

/** Returns the page with all variables, by topic. */
export function configurationPage(): string {
  const sections = VARIABLE_TOPICS.map(
    ({ topic, variables }) => `## ${topic}\n\n${markdownTable(variables)}`,
  );
  return `# Configuration

CRF Service is configured with environment variables. An empty variable counts as unset. At startup all invalid settings are reported at once, by name and without their values. A name that begins with \`API_\`, \`AUDIT_\`, \`SESSION_\`, \`POLICY_\`, \`PSEUDONYM_\` or \`ALLOW\` and is no setting is refused too: a misspelt protection would be none.

\`crf\` and \`npm start\` also read \`.env\` in the current folder and say so in one line on standard error. Variables that are already set take precedence. \`--env-file FILE\` reads another file instead; it can be repeated, and later files override earlier ones. Used as a library (\`createApp\`, \`createCrfClient\`), the package reads no environment variables.

A variable marked "Secret" can be read from a file: set \`<NAME>_FILE\` to its path instead. Variables that end in \`_MS\` are in milliseconds.

${sections.join('\n\n')}
`;
}

/** Returns an example file with all variables, commented out. */
export function environmentExample(): string {
  const sections = VARIABLE_TOPICS.map(({ topic, variables }) => {
    const lines = variables.map((variable) => {
      const text = (markdown: string): string => markdown.replaceAll('`', '');
      const fallback = text(defaultOf(variable));
      const { name, description, example } = variable;
      return `# ${text(description)}${fallback === '' ? '' : ` Default: ${fallback}.`}\n# ${name}=${example}`;
    });
    return `### ${topic}\n\n${lines.join('\n\n')}`;
  });
  return `# Copy to .env in the folder you run \`crf\` or \`npm start\` in. Variables that are already set take precedence.
# Nothing is required: without CAPTURE_* the service runs on a sandbox.

${sections.join('\n\n')}
`;
}

/** @returns a Markdown table with one row per variable */
export function markdownTable(variables: readonly EnvironmentVariable[]): string {
  const escape = (text: string): string => text.replaceAll('|', '\\|');
  const rows = variables.map((variable) => {
    const { name, description, isSecret } = variable;
    return `| \`${name}\` | ${escape(description)}${isSecret ? ' Secret.' : ''} | ${escape(defaultOf(variable))} |`;
  });
  return ['| Variable | Description | Default |', '| --- | --- | --- |', ...rows].join('\n');
}

const DEFAULTS: Readonly<Record<string, unknown>> = EnvironmentSchema.parse({});

function defaultOf({ name, default: inWords }: EnvironmentVariable): string {
  return inWords ?? String(DEFAULTS[name]);
}

/** @returns the README with a new table between its two markers */
export function readmeWithTable(readme: string): string {
  const [before = '', rest = ''] = readme.split('<!-- configuration -->\n');
  const after = rest.split('<!-- /configuration -->')[1] ?? '';
  const table = markdownTable(README_VARIABLES);
  return `${before}<!-- configuration -->\n\n${table}\n\n<!-- /configuration -->${after}`;
}

if (process.argv[1] === import.meta.filename) {
  const root = new URL('../', import.meta.url);
  writeFileSync(new URL('docs/configuration.md', root), configurationPage());
  writeFileSync(new URL('.env.example', root), environmentExample());
  const readme = new URL('README.md', root);
  writeFileSync(readme, readmeWithTable(readFileSync(readme, 'utf8')));
}

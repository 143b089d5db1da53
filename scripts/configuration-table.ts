// Generates docs/reference/configuration.md, .env.example and the table in the README from the list of variables.
import { readFileSync, writeFileSync } from 'node:fs';
import { SETTINGS, TOPICS } from '../src/server/config/all-settings.js';
import type { Setting } from '../src/server/config/setting.js';

type Settings = readonly (readonly [name: string, Setting])[];

/** The settings in the README, which most installations make. */
export const README_SETTINGS: Settings = Object.entries(SETTINGS).filter(([name]) =>
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
  const sections = Object.entries(TOPICS).map(
    ([topic, settings]) => `## ${topic}\n\n${markdownTable(Object.entries(settings))}`,
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
  const sections = Object.entries(TOPICS).map(([topic, settings]) => {
    const lines = Object.entries<Setting>(settings).map(([name, setting]) => {
      const plain = (markdown: string): string => markdown.replaceAll('`', '');
      const fallback = plain(defaultOf(setting));
      const { text, example } = setting;
      return `# ${plain(text)}${fallback === '' ? '' : ` Default: ${fallback}.`}\n# ${name}=${example}`;
    });
    return `### ${topic}\n\n${lines.join('\n\n')}`;
  });
  return `# Copy to .env in the folder you run \`crf\` or \`npm start\` in. Variables that are already set take precedence.
# Nothing is required: without CAPTURE_* the service runs on a sandbox.

${sections.join('\n\n')}
`;
}

/** @returns a Markdown table with one row per setting */
export function markdownTable(settings: Settings): string {
  const escape = (text: string): string => text.replaceAll('|', '\\|');
  const rows = settings.map(([name, setting]) => {
    const { text, isSecret } = setting;
    return `| \`${name}\` | ${escape(text)}${isSecret ? ' Secret.' : ''} | ${escape(defaultOf(setting))} |`;
  });
  return ['| Variable | Description | Default |', '| --- | --- | --- |', ...rows].join('\n');
}

function defaultOf({ unset, type }: Setting): string {
  const value = type.parse(undefined) as string | number | boolean | undefined;
  return unset ?? (String(value ?? '') || 'none');
}

/** @returns the README with a new table between its two markers */
export function readmeWithTable(readme: string): string {
  const [before = '', rest = ''] = readme.split('<!-- configuration -->\n');
  const after = rest.split('<!-- /configuration -->')[1] ?? '';
  const table = markdownTable(README_SETTINGS);
  return `${before}<!-- configuration -->\n\n${table}\n\n<!-- /configuration -->${after}`;
}

if (process.argv[1] === import.meta.filename) {
  const root = new URL('../', import.meta.url);
  writeFileSync(new URL('docs/reference/configuration.md', root), configurationPage());
  writeFileSync(new URL('.env.example', root), environmentExample());
  const readme = new URL('README.md', root);
  writeFileSync(readme, readmeWithTable(readFileSync(readme, 'utf8')));
}

// Generates docs/reference/configuration.md and .env.example from the list of variables.
import { writeFileSync } from 'node:fs';
import { SETTINGS, TOPICS } from '../src/server/config/all-settings.js';
import type { Setting } from '../src/server/config/setting.js';

type Settings = readonly (readonly [name: string, Setting])[];

/** What a newcomer sets first: the beginning of `.env.example`. */
const FIRST_SETTINGS: Settings = (
  [
    'CAPTURE_API_URL',
    'CAPTURE_API_TOKEN',
    'RECORD_ID_MIN_LENGTH',
    'API_KEYS',
    'PORT',
    'HOST',
    'TRUST_PROXY',
    'NODE_ENV',
    'APPWRITE_ENDPOINT',
    'APPWRITE_PROJECT_ID',
    'APPWRITE_API_KEY',
    'LOGIN_URL',
    'ALLOWED_DOMAINS_REGEXP',
    'SESSION_SCOPES',
  ] as const
).map((name) => [name, SETTINGS[name]]);

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

/** Returns an example file with all variables, commented out: what is set first, then the others by topic. */
export function environmentExample(): string {
  const first = new Set(FIRST_SETTINGS.map(([name]) => name));
  const sections = Object.entries(TOPICS).map(([topic, settings]): [string, Settings] => [
    topic,
    Object.entries<Setting>(settings).filter(([name]) => !first.has(name)),
  ]);
  return `# Copy to .env in the folder you run \`crf\` or \`npm start\` in. Variables that are already set take precedence.
# Nothing is required: without CAPTURE_* the service runs on a sandbox.

${[['What to set first', FIRST_SETTINGS] as const, ...sections]
  .map(([topic, settings]) => `### ${topic}\n\n${settings.map(exampleOf).join('\n\n')}`)
  .join('\n\n')}
`;
}

function exampleOf([name, setting]: Settings[number]): string {
  const plain = (markdown: string): string =>
    markdown.replaceAll('`', '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  const fallback = plain(defaultOf(setting));
  return `# ${plain(setting.text)}${fallback === '' ? '' : ` Default: ${fallback}.`}\n# ${name}=${setting.example ?? String(setting.type.parse(undefined))}`;
}

/** @returns a Markdown table with one row per setting */
function markdownTable(settings: Settings): string {
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

if (process.argv[1] === import.meta.filename) {
  const root = new URL('../', import.meta.url);
  writeFileSync(new URL('docs/reference/configuration.md', root), configurationPage());
  writeFileSync(new URL('.env.example', root), environmentExample());
}

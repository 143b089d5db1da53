// Checks build/openapi.json against the recommended rules of Redocly: errors and warnings both fail. It runs in this
// process from installed files, without network access.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { readFileSync } from 'node:fs';

const source = readFileSync(new URL('../../build/openapi.json', import.meta.url), 'utf8');
// REDCap's own API is at a path with a slash at its end.
const config = await createConfig({ extends: ['recommended'], rules: { 'no-path-trailing-slash': 'off' } });
const { 'x-common-responses': common } = JSON.parse(source) as {
  'x-common-responses': Record<string, { $ref: string }>;
};
const shared = new Set(Object.values(common).map(({ $ref }) => $ref));
const found = await lintFromString({ source, absoluteRef: 'openapi.json', config });
// Redocly does not see that an extension uses a component.
const problems = found.filter(
  ({ ruleId, location }) => ruleId !== 'no-unused-components' || !shared.has(location[0]?.pointer ?? ''),
);
for (const { ruleId, message, location } of problems)
  process.stderr.write(`${ruleId}: ${message} (${location[0]?.pointer ?? ''})\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

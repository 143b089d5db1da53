// Checks build/openapi.json against the recommended rules of Redocly and spectral:oas. Errors and warnings both fail.
// Both linters run in this process from installed files, without network access.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import parsers from '@stoplight/spectral-parsers';
import { oas } from '@stoplight/spectral-rulesets';
import { readFileSync } from 'node:fs';

/** Returns the findings of both linters, one per line. */
async function lintOpenApi(source: string): Promise<string[]> {
  return [...(await lintWithRedocly(source)), ...(await lintWithSpectral(source))];
}

async function lintWithRedocly(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  return problems.map(
    ({ ruleId, message, location }) => `redocly ${ruleId}: ${message} (${location[0]?.pointer ?? ''})`,
  );
}

async function lintWithSpectral(source: string): Promise<string[]> {
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset({ extends: [[oas as never, 'recommended']] });
  const found = await spectral.run(new spectralCore.Document(source, parsers.Json));
  return found.map(({ code, message, path }) => `spectral ${code}: ${message} (${path.join('/')})`);
}

const found = await lintOpenApi(readFileSync(new URL('../build/openapi.json', import.meta.url), 'utf8'));
for (const line of found) process.stderr.write(`${line}\n`);
process.exitCode = found.length === 0 ? 0 : 1;

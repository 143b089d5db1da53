import { expect } from 'chai';
import { build } from 'esbuild';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as errors from '../../../../src/domain/errors/index.js';

type ErrorClass = new (...given: unknown[]) => Error;

describe('The name of an error', () => {
  it('stays the same if a bundler shortens the names of classes', async () => {
    const source = fileURLToPath(new URL('../../../../src/domain/errors/index.ts', import.meta.url));
    const { outputFiles } = await build({
      entryPoints: [source],
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
    });
    const folder = mkdtempSync(join(tmpdir(), 'crf-names-'));
    const file = join(folder, 'errors.mjs');
    writeFileSync(file, outputFiles[0]?.text ?? '');
    const minified = (await import(pathToFileURL(file).href)) as Record<string, ErrorClass>;
    rmSync(folder, { recursive: true });
    const classes = Object.keys(errors).filter((name) => name.endsWith('Error') && name !== 'CrfError');

    const names = classes.map((name) => {
      const Class = minified[name];
      const first = { ProblemError: 'record_not_found', InvalidIdentifierError: 'A record id' }[name] ?? [];
      const error = Class && new Class(first, {}, {});
      return [error?.name, error?.stack?.split(/[:\n]/)[0]];
    });

    expect(classes.length).to.be.greaterThan(15);
    expect(names).to.deep.equal(classes.map((name) => [name, name]));
  });
});

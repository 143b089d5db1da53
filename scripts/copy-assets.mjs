// Copies the files that tsc does not: the OpenAPI document, the rules of its operations, and the assets of the pages.
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /(^|[/\\])assets[/\\].+\.(css|js|svg)$/.test(file))
  .map((file) => join('src', file));

for (const asset of ['build/openapi.json', 'build/operations.json', ...files]) {
  const target = join(root, 'build', 'dist', asset);
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(join(root, asset), target);
}

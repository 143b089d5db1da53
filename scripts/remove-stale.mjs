// Removes files from build/dist whose source no longer exists, since they would be published.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const compiled = join(root, 'build/dist/src');

for (const file of readdirSync(compiled, { recursive: true, encoding: 'utf8' })) {
  const stem = file.replace(/\.(js|d\.ts)$/, '');
  const hasSource = ['.ts', '.tsx'].some((ending) => existsSync(join(root, 'src', stem + ending)));
  if (stem !== file && !hasSource) rmSync(join(compiled, file));
  // A script among them is gone by now, and is copied again.
  const isAsset = /[/\\]assets[/\\].+\.(css|svg)$/.test(file);
  if (isAsset && !existsSync(join(root, 'src', file))) rmSync(join(compiled, file));
}

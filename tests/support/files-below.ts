import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the files below a folder by their paths from it, but none of installed packages. */
export function filesBelow(folder: string, path = ''): string[] {
  return readdirSync(join(folder, path), { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .flatMap((entry) => {
      const name = path === '' ? entry.name : `${path}/${entry.name}`;
      return entry.isDirectory() ? filesBelow(folder, name) : [name];
    });
}

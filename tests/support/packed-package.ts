import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** An installation of the package: the unpacked tarball with its dependencies and nothing else. */
export interface PackedPackage {
  /** The folder of the user's project. */
  readonly project: string;
  /** The folder of the package in it. */
  readonly folder: string;
  remove(): void;
}

/** Packs the built package and unpacks it like npm. Needs no network. */
export function packPackage(): PackedPackage {
  const project = mkdtempSync(join(tmpdir(), 'crf-packed-'));
  const modules = join(project, 'node_modules');
  const folder = join(modules, 'crf-service');
  mkdirSync(folder, { recursive: true });
  const answer = execFileSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', project, '--loglevel', 'warn'],
    { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const [{ filename } = { filename: '' }] = JSON.parse(answer) as { filename: string }[];
  execFileSync('tar', ['-xzf', join(project, filename), '--strip-components=1', '-C', folder]);

  const link = (name: string): void => {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  };
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  Object.keys(dependencies).forEach(link);
  return { project, folder, remove: () => rmSync(project, { recursive: true }) };
}

import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('../../../scripts/remove-stale.mjs', import.meta.url));

describe('A build after a source file was deleted', () => {
  it('contains only what is compiled from the current sources', () => {
    const root = mkdtempSync(join(tmpdir(), 'crf-stale-'));
    const write = (path: string): void => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), '');
    };
    const compiled = (name: string): string[] =>
      ['.js', '.d.ts'].map((ending) => `build/dist/src/deep/${name}${ending}`);
    write('src/deep/kept.ts');
    write('src/deep/page.tsx');
    write('src/pages/assets/page.css');
    [
      ...compiled('kept'),
      ...compiled('page'),
      ...compiled('deleted'),
      'build/dist/src/pages/assets/page.css',
      'build/dist/src/pages/assets/deleted.css',
    ].forEach(write);
    mkdirSync(join(root, 'scripts'));
    cpSync(SCRIPT, join(root, 'scripts/remove-stale.mjs'));

    const { status } = spawnSync(process.execPath, [join(root, 'scripts/remove-stale.mjs')]);
    const exists = (path: string): boolean => existsSync(join(root, path));

    expect(status).to.equal(0);
    expect([...compiled('deleted'), 'build/dist/src/pages/assets/deleted.css'].filter(exists)).to.deep.equal(
      [],
    );
    expect(
      [...compiled('kept'), ...compiled('page'), 'build/dist/src/pages/assets/page.css'].filter(
        (path) => !exists(path),
      ),
    ).to.deep.equal([]);
    rmSync(root, { recursive: true });
  });
});

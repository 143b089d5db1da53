import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packPackage, type PackedPackage } from '../../support/packed-package.js';

const TSC = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url));

/** A user's program that imports every entry and uses its main function. */
const PROGRAM = `
import { createApp, createAuthService, createHttpServer, hashApiKey, type AuthServiceConfig } from 'crf-service';
import { createCrfClient, type CrfClient, type Field } from 'crf-service/client';
import { createAuthRouter, sessionHook } from 'crf-service/hooks';
import { sessionHandle } from 'crf-service/sveltekit';
import { validateUserId } from 'crf-service/validators';
import express from 'express';

export function compose(config: AuthServiceConfig, key: string) {
  const client: CrfClient = createCrfClient({ url: 'https://redcap.example.org/api/', token: 'A'.repeat(32) });
  const auth = createAuthService(config);
  const app = express();
  app.use(createAuthRouter(auth, { origin: 'https://app.example.org' }), sessionHook(auth));
  app.use(createApp({ capture: client, access: { apiKeys: [{ name: 'a', sha256: hashApiKey(key), scopes: [] }] } }));
  return { server: createHttpServer(app), handle: sessionHandle(auth), id: validateUserId('ada') };
}
export const nameOf = ({ name }: Field): string => name;
`;

describe('The published package', function () {
  this.timeout(120_000);
  let packed: PackedPackage;
  let files: readonly string[];
  before(() => {
    packed = packPackage();
    files = readdirSync(packed.folder, { recursive: true, encoding: 'utf8' });
  });
  after(() => packed.remove());

  it('type-checks in a strict project that also checks the types of libraries', () => {
    writeFileSync(join(packed.project, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(packed.project, 'program.ts'), PROGRAM);
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      module: 'nodenext',
      target: 'es2023',
      lib: ['es2023'],
      types: [], // the default from TypeScript 6 on
    };
    const config = join(packed.project, 'tsconfig.json');
    writeFileSync(config, JSON.stringify({ compilerOptions, files: ['program.ts'] }));

    const { stdout, status } = spawnSync(process.execPath, [TSC, '--project', config], { encoding: 'utf8' });

    expect(stdout).to.equal('');
    expect(status).to.equal(0);
  });

  it('runs: every entry and the command line are found', () => {
    const { bin, exports } = JSON.parse(readFileSync(join(packed.folder, 'package.json'), 'utf8')) as {
      bin: { crf: string };
      exports: Record<string, unknown>;
    };
    const entries = Object.keys(exports).filter((entry) => !entry.endsWith('.json'));
    const imports = entries.map((entry) => `await import('crf-service${entry.slice(1)}');`).join('\n');

    const program = spawnSync(process.execPath, ['--input-type=module', '-e', imports], {
      cwd: packed.project,
      encoding: 'utf8',
    });
    const crf = spawnSync(process.execPath, [join(packed.folder, bin.crf), 'version'], {
      cwd: packed.project,
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    });

    expect(program.stderr).to.equal('');
    expect(crf.stdout).to.match(/^\d+\.\d+\.\d+\n$/);
  });

  it('loads Appwrite, Redis and Swagger only when they are used', () => {
    const hook = `export const load = (url, context, next) => (process.stderr.write(url + '\\n'), next(url, context));`;
    const program = `import { register } from 'node:module';
      register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hook)}));
      await Promise.all(['', '/hooks', '/sveltekit', '/client'].map((entry) => import('crf-service' + entry)));`;

    const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: packed.project,
      encoding: 'utf8',
    });

    expect(status).to.equal(0);
    expect(stderr).to.include('node_modules/express/');
    expect(stderr).to.not.match(/node_modules\/(node-appwrite|@redis|swagger-ui)/);
  });

  it('contains every file that its README links to', () => {
    const readme = readFileSync(join(packed.folder, 'README.md'), 'utf8');
    const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path = '']) => path);

    expect(links).to.not.be.empty;
    expect(links.filter((path) => !existsSync(join(packed.folder, path)))).to.deep.equal([]);
  });

  it('contains no comment that only a tool can resolve', () => {
    const declarations = files.filter((file) => file.endsWith('.d.ts'));
    const unresolved = declarations.filter((file) =>
      readFileSync(join(packed.folder, file), 'utf8').includes('{@inheritDoc'),
    );

    expect(declarations).to.not.be.empty;
    expect(unresolved).to.deep.equal([]);
  });

  it('sends nothing on installation, and neither do its dependencies', () => {
    const { packages } = JSON.parse(
      readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8'),
    ) as { packages: Record<string, { dev?: boolean; hasInstallScript?: boolean }> };
    const { scarfSettings } = JSON.parse(readFileSync(join(packed.folder, 'package.json'), 'utf8')) as {
      scarfSettings?: unknown;
    };
    const running = Object.entries(packages).filter(
      ([, { dev, hasInstallScript }]) => !dev && hasInstallScript,
    );

    // Swagger UI has a script that reports installations, which a package in between disables.
    expect(running.map(([name]) => name)).to.deep.equal(['node_modules/@scarf/scarf']);
    expect(scarfSettings).to.deep.equal({ enabled: false });
  });
});

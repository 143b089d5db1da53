// Runs the tests on other versions of Node.js: npm run test:versions [-- VERSION … [-- FILE …]]; by default 20, 22, 24
// and 26. Each builds the project first. The binaries are installed from the npm packages node-<platform>-<arch> to a
// temporary folder, not to the project.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const given = process.argv.slice(2);
const end = given.includes('--') ? given.indexOf('--') : given.length;
const versions = end === 0 ? ['20', '22', '24', '26'] : given.slice(0, end);
const files = given.slice(end + 1);
const specs = files.length > 0 ? files : ['tests/**/*.test.ts'];
const platform = process.platform === 'win32' ? 'win' : process.platform;

/** @returns the folder of the installed binary */
function install(version, folder) {
  const name = `node-${platform}-${process.arch}`;
  execFileSync(
    'npm',
    ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', `${name}@${version}`],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  return join(folder, 'node_modules', name, 'bin');
}

const results = versions.map((version) => {
  const folder = mkdtempSync(join(tmpdir(), `node-${version}-`));
  try {
    const bin = install(version, folder);
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
    const exact = execFileSync(join(bin, 'node'), ['--version'], { encoding: 'utf8' }).trim();
    process.stdout.write(`Node ${exact}\n`);
    execFileSync('npm', ['run', 'build'], { stdio: ['ignore', 'ignore', 'inherit'], env });
    const mocha = [
      'node_modules/mocha/bin/mocha.js',
      '--parallel',
      '--jobs',
      '2',
      '--reporter',
      'dot',
      ...specs,
    ];
    const { status } = spawnSync(join(bin, 'node'), mocha, { stdio: 'inherit', env });
    return { exact, passed: status === 0 };
  } finally {
    rmSync(folder, { recursive: true });
  }
});

for (const { exact, passed } of results) process.stdout.write(`${exact}: ${passed ? 'passed' : 'FAILED'}\n`);
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;

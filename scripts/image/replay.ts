/**
 * Replays the Dockerfile without a container engine. Runs its COPY and RUN steps in empty folders, one per stage, with
 * the files that are in git and not in .dockerignore. Then starts what the image would run. `npm run test:image`; takes
 * minutes.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jsonArguments, readDockerfile, type Instruction, type Stage } from './dockerfile.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A folder that serves as the file system of a stage. */
interface StageFolder {
  readonly folder: string;
  workdir: string;
  readonly environment: Record<string, string>;
}

export function replay(target: string): { stages: Stage[]; last: StageFolder } {
  const stages = readDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8'));
  const folders = new Map<string, StageFolder>();
  let last: StageFolder | undefined;
  for (const [index, stage] of stages.entries()) {
    last = { folder: join(target, stage.name ?? `stage-${index}`), workdir: '/', environment: {} };
    mkdirSync(last.folder, { recursive: true });
    folders.set(stage.name ?? String(index), last);
    for (const instruction of stage.instructions) run(instruction, last, folders);
  }
  if (last === undefined) throw new Error('The Dockerfile has no stage.');
  return { stages, last };
}

function run({ name, text }: Instruction, stage: StageFolder, folders: Map<string, StageFolder>): void {
  process.stdout.write(`${name} ${text}\n`);
  if (name === 'WORKDIR') {
    stage.workdir = text;
    mkdirSync(inside(stage, text), { recursive: true });
  } else if (name === 'ENV') {
    for (const [, key = '', value = ''] of text.matchAll(/(\w+)=(\S+)/g)) stage.environment[key] = value;
  } else if (name === 'RUN') {
    execFileSync('sh', ['-c', text], {
      cwd: inside(stage, stage.workdir),
      stdio: ['ignore', 2, 2],
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...stage.environment },
    });
  } else if (name === 'COPY') copy(text, stage, folders);
}

function copy(text: string, stage: StageFolder, folders: Map<string, StageFolder>): void {
  const words = text.split(/\s+/);
  const [, from] = /^--from=(.+)$/.exec(words[0] ?? '') ?? [];
  const source = from === undefined ? undefined : folders.get(from);
  const paths = words.slice(from === undefined ? 0 : 1);
  const destination = join(inside(stage, stage.workdir), paths.pop() ?? '');
  for (const path of paths) {
    if (source !== undefined) copyInto(inside(source, path), destination, paths.length > 1);
    else for (const file of contextFiles(path)) cpSync(join(root, file), place(file, path, destination));
  }
}

/** Copies like Docker: the content of a folder, but a file under the given name. */
function copyInto(from: string, to: string, isFolder: boolean): void {
  cpSync(from, isFolder || to.endsWith('/') ? join(to, basename(from)) : to, { recursive: true });
}

function place(file: string, asked: string, destination: string): string {
  const path = asked === '.' ? join(destination, file) : join(destination, basename(file));
  mkdirSync(dirname(path), { recursive: true });
  return path;
}

/** Returns the files of the build context that a COPY instruction selects. */
function contextFiles(path: string): string[] {
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const files = execFileSync('git', ['ls-files', '--', path], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n');
  return files.filter(
    (file) =>
      existsSync(join(root, file)) &&
      !ignored.some(
        (entry) =>
          file === entry ||
          file.startsWith(`${entry}/`) ||
          (entry.endsWith('.*') && file.startsWith(entry.slice(0, -1))),
      ),
  );
}

function inside({ folder }: StageFolder, path: string): string {
  return join(folder, path);
}

/** Runs the entry point and health check of the image, and stops the service like a container engine. */
async function start({ stages, last }: ReturnType<typeof replay>): Promise<void> {
  const instructions = stages.at(-1)?.instructions ?? [];
  const textOf = (name: string): string => instructions.find((each) => each.name === name)?.text ?? '';
  const environment = {
    PATH: process.env.PATH,
    ...last.environment,
    PORT: '3947',
    SANDBOX: 'true',
  };
  const cwd = join(last.folder, last.workdir);
  const [program = '', ...args] = jsonArguments(textOf('ENTRYPOINT'));
  const service = spawn(program, args, { cwd, env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(service.stdout, 'data');
  const [check = '', ...checkArguments] = jsonArguments(textOf('HEALTHCHECK'));
  execFileSync(check, checkArguments, { cwd, env: environment });
  const version = await fetch(`http://127.0.0.1:${environment.PORT}/api/v1/project/version`);
  if (!version.ok) throw new Error(`The sandbox in the image answers ${version.status}.`);
  const exited = once(service, 'exit');
  service.kill('SIGTERM');
  const [code] = (await exited) as [number | null];
  if (code !== 0) throw new Error(`The service ended with ${code}.`);
  for (const tool of ['typescript', 'tsoa', 'mocha', 'esbuild'])
    if (existsSync(join(cwd, 'node_modules', tool))) throw new Error(`${tool} is left in the image.`);
  const size = execFileSync('du', ['-sm', cwd], { encoding: 'utf8' }).split('\t')[0];
  process.stdout.write(
    `The image runs, is healthy, stops in order and has no build tool. Beside Node: ${size} MB.\n`,
  );
}

const target = mkdtempSync(join(tmpdir(), 'crf-image-'));
try {
  await start(replay(target));
} finally {
  rmSync(target, { recursive: true, force: true });
}

/** `npm run histories -- --mutants`: changes the engine in ways that must not go unnoticed, and plays histories against each. */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

interface Mutant {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const ENGINE = 'src/sync/change-engine.ts';
const LISTING = 'src/sync/listing.ts';
const WINDOW = 'src/sync/log-window.ts';

export const MUTANTS: readonly Mutant[] = [
  { name: 'no overlap', file: WINDOW, from: 'OVERLAP_MS = 10 * MINUTE', to: 'OVERLAP_MS = 0' },
  { name: 'no window', file: WINDOW, from: 'WINDOW_MS = 75 * MINUTE', to: 'WINDOW_MS = 0' },
  { name: 'a clock that is never set', file: WINDOW, from: '75 * MINUTE', to: '14 * MINUTE' },
  {
    name: 'minutes taken as instants',
    file: WINDOW,
    from: 'if (count <= (before.seen[digest] ?? 0)) continue;',
    to: 'if (timestamp <= before.newest) continue;',
  },
  {
    name: 'trusted texts',
    file: WINDOW,
    from: 'if (record === undefined) continue;',
    to: "if (record === undefined || !kind.startsWith('record_')) continue;",
  },
  { name: 'forgotten groups', file: LISTING, from: 'group !== now || Object', to: 'Object' },
  {
    name: 'forgotten instances',
    file: ENGINE,
    from: 'const [record, rows] of recordsOf(exported, structure)) {',
    to: "const [record, all] of recordsOf(exported, structure)) { const rows = all.filter((row, at) => at === 0 || row['redcap_repeat_instance'] === '');",
  },
  {
    name: 'a purged log is not noticed',
    file: ENGINE,
    from: 'isRedesigned || reading?.hasGap === true',
    to: 'isRedesigned',
  },
  {
    name: 'a sweep that trusts the last one',
    file: LISTING,
    from: '(isSweeping && swept !== sweep)',
    to: '(isSweeping && swept === 0)',
  },
  {
    name: 'a list that is remembered before it is read',
    file: ENGINE,
    from: "isListed ? listing.digest : ''",
    to: 'listing.digest',
  },
  {
    name: 'forgotten deletions',
    file: ENGINE,
    from: 'await this.store.commit({ structure, deleted, state:',
    to: 'await this.store.commit({ structure, state:',
  },
  {
    name: 'a design that stays',
    file: ENGINE,
    from: 'const isRedesigned = digest !== state.structure;',
    to: "const isRedesigned = state.structure === '';",
  },
  {
    name: 'no second sweep',
    file: ENGINE,
    from: 'isRecent ? nowMs + OVERLAP_MS : isAgain ? 0',
    to: 'isAgain ? 0',
  },
  {
    name: 'state before data',
    file: ENGINE,
    from: 'const counts = {',
    to: 'await this.store.commit({ structure, state: { ...state, log: settle(reading?.state ?? state.log, nowMs), isSweeping: false } });\n    const counts = {',
  },
];

/** Plays histories against each mutant. @returns the names of those that survived */
export function survivors(count: number): readonly string[] {
  return MUTANTS.filter(({ name, file, from, to }) => {
    rmSync('build/mutant', { recursive: true, force: true });
    for (const folder of ['src', 'tests/histories'])
      cpSync(folder, `build/mutant/${folder}`, { recursive: true });
    const source = readFileSync(file, 'utf8');
    if (!source.includes(from))
      throw new Error(`The mutant "${name}" changes a text that is not in ${file}.`);
    writeFileSync(
      `build/mutant/${file}`,
      source.replace(from, () => to),
    );
    const crash = name === 'state before data' ? 'every' : 'none';
    const script = 'build/mutant/tests/histories/run.ts';
    const args = [
      '--import',
      'tsx',
      script,
      '--count',
      String(crash === 'every' ? 100 : count),
      '--crash',
      crash,
      '--first',
    ];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    const isCaught = status === 1 && stdout.includes('seed');
    console.log(`${name}: ${isCaught ? 'caught' : 'SURVIVED'}`);
    if (status !== 0 && status !== 1) console.log(stderr);
    return !isCaught;
  }).map(({ name }) => name);
}

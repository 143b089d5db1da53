/** `npm run histories`: random histories of a project against the change engine. Not part of `npm test`; see `--help`. */
import { parseArgs } from 'node:util';
import { playHistory } from './history.js';
import { survivors } from './mutants.js';

const USAGE = `npm run histories -- [--count 1000] [--seed 1] [--crash none|every] [--first] [--mutants]

Plays random histories of a project (what people do, and how logs, replicas, clocks and rights fail) against the change
engine, and compares the copy and a reader of the changes with the export. With \`--crash every\`, each history is
repeated with a crash at each call and each commit. A history is repeated with its seed and \`--count 1\`. \`--first\` stops at the first failure. With \`--mutants\`, the engine is
changed in ways that must not go unnoticed, one after the other.`;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    crash: { type: 'string', default: 'none' },
    first: { type: 'boolean', default: false },
    mutants: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const [count, first] = [Number(values.count), Number(values.seed)];
if (values.help || !(count > 0) || !Number.isInteger(first) || !['none', 'every'].includes(values.crash)) {
  console.error(USAGE);
  process.exit(values.help ? 0 : 2);
}
if (values.mutants) process.exit(survivors(count).length === 0 ? 0 : 1);
const limit = values.first ? 1 : 10;
let [runs, failures, renamed] = [0, 0, 0];
for (let seed = first; seed < first + count && failures < limit; seed++) {
  const whole = await playHistory(seed);
  runs += 1;
  renamed += whole.renamed;
  const tell = (complaint: string | undefined, crashAt: number): void => {
    if (complaint === undefined) return;
    failures += 1;
    console.log(`seed ${seed}, crash at ${crashAt}: ${complaint}\n  ${whole.operations.join(', ')}`);
  };
  tell(whole.complaint, Infinity);
  if (values.crash !== 'every') continue;
  for (let crashAt = 1; crashAt <= whole.points; crashAt++) {
    tell((await playHistory(seed, { crashAt })).complaint, crashAt);
    runs += 1;
  }
}
console.log(`${count} histories, ${runs} runs, ${renamed} renames delivered as such: ${failures} failures.`);
process.exitCode = failures === 0 ? 0 : 1;

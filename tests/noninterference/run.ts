/** `npm run noninterference`: compares what policies show with projects in which nothing else is. See `--help`. */
import { parseArgs } from 'node:util';
import { LEAKS } from '../proof/leaks/leaks.js';
import { compareBeside, survivorsBeside } from './beside/run-beside.js';
import { compareDoor, LEAKING_CALLS, survivorsAtDoor } from './door/run-door.js';
import { playSeed, survivors } from './pairs.js';

const USAGE = `npm run noninterference -- [--cases 2000] [--seed 1] [--mutants] [--projects] [--door redcap]

Makes pairs of projects up that differ only in what a policy hides, and the smaller project that is left of both, and
sends the same requests to all three: to every operation of the REST API, and to the pages. Fails where the answers
differ, and where a text that is hidden is in an answer or in a line of the log. A case is one request; the projects and
policies of a seed are always the same.

  --cases     requests to compare; 2000 by default
  --seed      the first seed
  --mutants   seeds leaks into the service, one after the other, each of which has to be found
  --projects  compares instead what a project answers beside one that does nothing, and beside one that does everything
              it can; with --mutants, the leaks are between the two
  --door      redcap: makes calls of REDCap's API instead, to the service under the policy and to the smaller project
              itself, whose status, content type and bytes have to be the same; with --mutants, the leaks are those of
              calls`;

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    mutants: { type: 'boolean', default: false },
    projects: { type: 'boolean', default: false },
    door: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const [cases, first] = [Number(values.cases), Number(values.seed)];
if (values.help || !(cases > 0) || !Number.isInteger(first) || !['redcap', undefined].includes(values.door)) {
  console.error(USAGE);
  process.exit(values.help ? 0 : 2);
}

if (values.door !== undefined && values.mutants)
  process.exit((await survivorsAtDoor(first, LEAKING_CALLS, console.log)).length === 0 ? 0 : 1);
if (values.door !== undefined) process.exit((await compareDoor(cases, first)) === 0 ? 0 : 1);
if (values.projects && values.mutants)
  process.exit((await survivorsBeside(first, undefined, console.log)).length === 0 ? 0 : 1);
if (values.projects) process.exit((await compareBeside(cases, first)) === 0 ? 0 : 1);
if (values.mutants) process.exit((await survivors(first, LEAKS, console.log)).length === 0 ? 0 : 1);

let [compared, shown, failures, seed] = [0, 0, 0, first];
for (; compared < cases && failures < 10; seed++) {
  const played = await playSeed(seed);
  compared += played.compared;
  shown += played.shown;
  failures += played.findings.length;
  for (const { proof, request, told } of played.findings.slice(0, 3))
    console.log(`seed ${seed}, ${proof}: ${request}\n  ${told}\n  ${played.what}`);
}
console.log(
  `${compared} requests to ${seed - first} pairs of projects, of which ${shown} showed something: ${failures} differences.`,
);
process.exitCode = failures === 0 ? 0 : 1;

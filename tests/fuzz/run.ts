/** `npm run fuzz`: tests every operation of the REST API with two generators. Not part of `npm test`; see `--help`. */
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { OPERATIONS, type ApiOperation } from '../support/api-operations.js';
import { complaintAbout, type FuzzAnswer } from './check-answer.js';
import { contractRequest } from './contract-requests.js';
import type { FuzzRequest } from './fuzz-request.js';
import { DOOR_CONTRACT, DOOR_HOSTILE, doorComplaint } from './door-requests.js';
import { FuzzTarget } from './fuzz-target.js';
import { fuzzWorkbooks } from './fuzz-workbooks.js';
import { MULTIPART_REQUESTS, PAGE_REQUESTS } from './page-requests.js';
import { hostileRequest } from './hostile-requests.js';

const USAGE = `npm run fuzz -- [--cases 10000] [--seed 1] [--only TEXT] [--from ID] [--minutes M]
npm run fuzz -- --workbooks [--cases 10000] [--seed 1]

Sends requests to every operation of the REST API in front of a sandbox: \`contract\` makes them of the OpenAPI document, valid
and with one rule broken; \`hostile\` bends paths, headers and bytes. Then the pages, and their forms (\`--only pages\`, \`--only multipart\`), and
REDCap's API with and without a policy (\`--only door\`). Fails on a 5xx that is not explained (501, 503), on an error
that is no problem document, on an answer that the document does not have, on a broken rule that is accepted, and when the
server has died. A case is repeated with the same seed.

With --workbooks, sends workbooks instead whose bytes or structure are bent, and fails also when /health waits for one for
250 ms, three times.

  --cases    requests for each operation and generator; 10000 by default
  --seed     a number; any by default
  --only     only operations whose id has this in it
  --from     continues with the operation of this id
  --minutes  ends after the operation that is under way then`;

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string', default: '' },
    from: { type: 'string' },
    minutes: { type: 'string', default: 'Infinity' },
    workbooks: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const [cases, seed, minutes] = [Number(values.cases), Number(values.seed), Number(values.minutes)];
const first = values.from === undefined ? 0 : OPERATIONS.findIndex(({ id }) => id === values.from);
const operations =
  first < 0
    ? []
    : OPERATIONS.slice(first).filter(({ id }) => id.toLowerCase().includes(values.only.toLowerCase()));
if (
  values.help ||
  !(cases > 0) ||
  !Number.isInteger(seed) ||
  !(minutes > 0) ||
  (operations.length === 0 && !/page|multipart|door/.test(values.only))
) {
  console.error(USAGE);
  process.exit(values.help ? 0 : 2);
}

if (values.workbooks) process.exit((await fuzzWorkbooks(cases, seed)) === 0 ? 0 : 1);

const GENERATORS = { contract: contractRequest, hostile: hostileRequest } as const;
type GeneratorName = keyof typeof GENERATORS;

const PAGES_PER_SESSION = 100;

/** The number of concurrent requests. */
const AT_ONCE = 8;

interface Finding {
  readonly sentence: string;
  count: number;
  readonly example: FuzzRequest;
}

/**
 * Sends the given number of requests, and collects the faults of the answers: each kind once, with its shortest
 * example.
 */
async function fuzz(
  target: FuzzTarget,
  operation: ApiOperation,
  name: GeneratorName,
): Promise<Map<string, Finding>> {
  const requests = fc.sample(GENERATORS[name](operation), { numRuns: cases, seed });
  return collect(target, requests, (request, answer) =>
    complaintAbout(operation, request, answer, name === 'contract'),
  );
}

async function collect(
  target: FuzzTarget,
  sent: readonly FuzzRequest[],
  complaint: (request: FuzzRequest, answer: FuzzAnswer) => string | undefined,
): Promise<Map<string, Finding>> {
  const findings = new Map<string, Finding>();
  const requests = sent.values();
  const work = async (): Promise<void> => {
    for (const request of requests) {
      const answer = await target.send(request);
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      const sentence = complaint(request, answer);
      if (sentence === undefined) continue;
      const known = findings.get(sentence);
      const isShorter = known === undefined || request.path.length < known.example.path.length;
      findings.set(sentence, {
        sentence,
        count: (known?.count ?? 0) + 1,
        example: isShorter ? request : known.example,
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return findings;
}

function tell(name: string, { sentence, count, example }: Finding): void {
  const body =
    example.body === undefined ? '' : ` ${JSON.stringify(example.body.toString('latin1').slice(0, 200))}`;
  console.log(`${name}: ${sentence} (${count} times)`);
  console.log(
    `  ${example.method} ${example.path.slice(0, 300)} ${JSON.stringify(example.headers).slice(0, 400)}${body}`,
  );
}

const statuses: Record<number, number> = {};
const started = performance.now();
let failures = 0;
let done = 0;
for (const operation of operations) {
  if (performance.now() - started > minutes * 60_000) break;
  // A new study for each operation, because one may delete what the next one needs.
  const target = await FuzzTarget.start();
  try {
    for (const name of Object.keys(GENERATORS) as GeneratorName[]) {
      const findings = await fuzz(target, operation, name);
      for (const finding of findings.values()) tell(`${operation.id} (${name})`, finding);
      failures += findings.size;
    }
    if (!(await target.isAlive())) {
      failures += 1;
      console.log(`${operation.id}: the server has died, or logged a fault that nobody caught.`);
    }
  } finally {
    await target.stop();
  }
  done += 1;
  console.error(`${done} of ${operations.length}: ${operation.id}`);
}
/** Pages have no document: an answer is wrong if it is a failure that nobody explains, or if the server has died. */
for (const [name, requests, isOpen] of [
  ['multipart', MULTIPART_REQUESTS, true],
  // The REST API takes files only with a key, and the page without one only where it is open.
  ['multipart with a key', MULTIPART_REQUESTS, false],
  ['open pages', PAGE_REQUESTS, true],
  ['pages', PAGE_REQUESTS, false],
] as const) {
  if (!name.includes(values.only) || performance.now() - started > minutes * 60_000) continue;
  const target = await FuzzTarget.start({ isOpen });
  try {
    for (const [index, request] of fc.sample(requests, { numRuns: cases, seed }).entries()) {
      // Some requests sign the person out.
      if (!isOpen && index % PAGES_PER_SESSION === 0) await target.signIn();
      const { status } = await target.send(request);
      statuses[status] = (statuses[status] ?? 0) + 1;
      // 0 is no answer: the connection ended, or the patience of the target did.
      if ((status > 0 && status < 500) || status === 501 || status === 503) continue;
      failures += 1;
      tell(name, { sentence: `${status}`, count: 1, example: request });
    }
    if (!(await target.isAlive())) {
      failures += 1;
      console.log(`${name}: the server has died, or logged a fault that nobody caught.`);
    }
  } finally {
    await target.stop();
  }
  console.error(name);
}
const DOOR_POLICY = '{ records: all, forms: { "*": write }, fields: { hide: [email] }, files: write }';
for (const [name, policy] of [
  ['door', undefined],
  ['door under a policy', DOOR_POLICY],
] as const) {
  if (!name.includes(values.only) || performance.now() - started > minutes * 60_000) continue;
  for (const [kind, requests] of [
    ['contract', DOOR_CONTRACT],
    ['hostile', DOOR_HOSTILE],
  ] as const) {
    const target = await FuzzTarget.start({ policy });
    try {
      const findings = await collect(
        target,
        fc.sample(requests, { numRuns: cases, seed }),
        (request, answer) => doorComplaint(request, answer, kind === 'contract'),
      );
      for (const finding of findings.values()) tell(`${name} (${kind})`, finding);
      failures += findings.size;
      const isTold = target.server.log.some((line) => JSON.stringify(line).includes(target.key));
      if (isTold || !(await target.isAlive())) {
        failures += 1;
        console.log(
          `${name} (${kind}): the server has died, or its log has a fault that nobody caught, or the token.`,
        );
      }
    } finally {
      await target.stop();
    }
  }
  console.error(name);
}
const seconds = Math.round((performance.now() - started) / 1000);
console.log(
  `${done} of ${operations.length} operations, ${cases} cases with each of 2 generators, seed ${seed}, ${seconds} s: ${failures} findings.`,
);
console.log(`Answers by status: ${JSON.stringify(statuses)}`);
process.exitCode = failures === 0 ? 0 : 1;

import { PolicyInvalidError } from '../../src/domain/errors/operator-errors.js';
import type { PolicyFiles } from '../../src/policy/caller-views.js';
import { SeededRandom } from '../../src/sandbox/demo-study/made-up.js';
import { foundBy, isFor } from './leaks/found-by.js';
import { LEAKS } from './leaks/leaks.js';
import { addressOf, type Case, type Design } from './made-up.js';
import { operationOf } from './operations.js';
import { pairOf, playPair, type Finding, type Pair } from './play.js';
import { TwinError } from './twin.js';

/** What was found out about one policy. */
export interface PolicyProof {
  readonly policy: string;
  /** The bindings that give somebody the policy. */
  readonly callers: readonly string[];
  /** Why nothing could be found out; undefined if something was. */
  readonly problem?: string;
  /** Pairs of projects that differ in hidden things alone. */
  readonly pairs: number;
  readonly requests: number;
  /** Answers that had more to show than a refusal. */
  readonly shown: number;
  readonly operations: number;
  readonly pages: number;
  readonly changes: number;
  readonly differences: readonly Finding[];
  /** Leaks that were seeded into the service, to see that the comparison finds them. */
  readonly leaks: {
    /** How many there are for such a policy; the others were not seeded for lack of time. */
    readonly known: number;
    readonly seeded: number;
    readonly found: number;
    readonly notFound: readonly string[];
  };
  /** What of this policy is not part of the proof. */
  readonly notCovered: readonly string[];
}

/** What was found out about the policies of a project, for whoever has to decide about them. */
export interface Certificate {
  /** The title of the project. */
  readonly project: string;
  readonly madeAt: string;
  readonly program: { readonly name: string; readonly version: string };
  /** SHA-256 of what decides, as `sha256:` and hexadecimal digits. */
  readonly digests: Readonly<Record<string, string>>;
  readonly seed: number;
  readonly seconds: number;
  readonly policies: readonly PolicyProof[];
  readonly notCovered: readonly string[];
  readonly notClaimed: readonly string[];
}

/** What is proved, and how long that may take. */
export interface ProofOptions {
  readonly design: Design;
  readonly files: PolicyFiles;
  readonly seconds: number;
  readonly seed: number;
}

/** The part of the time of a policy in which leaks are not seeded yet, and that in which requests are read only. */
const COMPARED = 0.5;
const READ = 0.35;

/** How often two projects are made up that turn out to differ in something visible, before that is given up. */
const ATTEMPTS = 20;

/** Plays each policy on made-up records of a design, until its share of the time is over. */
export async function provePolicies(options: ProofOptions): Promise<PolicyProof[]> {
  const names = Object.keys(options.files.set.policies);
  const start = performance.now();
  const proofs: PolicyProof[] = [];
  for (const [at, name] of names.entries()) {
    const left = options.seconds * 1000 - (performance.now() - start);
    proofs.push(await provePolicy(name, options, Math.max(0, left) / (names.length - at)));
  }
  return proofs;
}

async function provePolicy(name: string, options: ProofOptions, milliseconds: number): Promise<PolicyProof> {
  const proof = new Proof(name, options);
  const start = performance.now();
  const isPast = (share: number): boolean => performance.now() - start > share * milliseconds;
  try {
    for (let pair = proof.nextPair(); pair !== undefined; pair = proof.nextPair()) {
      await proof.play(pair, (part) => isPast(part === 'reads' ? READ : COMPARED));
      if (isPast(COMPARED)) break;
    }
    const played = performance.now();
    await proof.seedLeaks(() => performance.now() - played > (1 - COMPARED) * milliseconds);
    return proof.result();
  } catch (error) {
    if (!(error instanceof PolicyInvalidError)) throw error;
    const told = error.errors.map(({ field, message }) => `${field} ${message}`).join('; ');
    return {
      ...proof.result(),
      problem: `It does not fit the project, so that its callers see nothing: ${told}.`,
    };
  }
}

class Proof {
  readonly #differences: Finding[] = [];
  readonly #sent = new Set<string>();
  readonly #found = new Set<string>();
  readonly #seeded = new Set<string>();
  #requests = 0;
  #shown = 0;
  #changes = 0;
  #seed: number;
  #isAlike = true;
  readonly #case: Case;
  readonly #played: Pair[] = [];

  constructor(
    private readonly name: string,
    private readonly options: ProofOptions,
  ) {
    this.#seed = options.seed;
    this.#case = caseOf(name, options);
  }

  /** Makes a pair of projects up; undefined if none could be made. */
  nextPair(): Pair | undefined {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const pair = this.#pairOf(this.#seed++);
      if (pair !== undefined) return pair;
    }
    return undefined;
  }

  async play(pair: Pair, isOver: (part: 'reads' | 'writes') => boolean): Promise<void> {
    const played = await playPair(pair, { isOver });
    this.#played.push(pair);
    this.#isAlike &&= pair.isAlike;
    this.#requests += played.compared;
    this.#shown += played.shown;
    this.#changes += played.changes;
    this.#differences.push(...played.findings);
    for (const sent of played.sent) this.#sent.add(sent);
  }

  /** Seeds each leak into a pair of projects, and those that were not found into another one. */
  async seedLeaks(isOver: () => boolean): Promise<void> {
    for (const pair of this.#played)
      for (const leak of shuffled(LEAKS, new SeededRandom(this.options.seed))) {
        if (isOver()) return;
        if (this.#found.has(leak.name) || !isFor(leak, pair)) continue;
        this.#seeded.add(leak.name);
        if ((await foundBy(leak, [pair])) !== undefined) this.#found.add(leak.name);
      }
  }

  result(): PolicyProof {
    const { set } = this.options.files;
    const operations = [...this.#sent].map((sent) => {
      const [method = '', path = ''] = sent.split(' ');
      return operationOf(method, path);
    });
    const count = (isApi: boolean): number =>
      new Set(operations.filter((each) => each.isApi === isApi).map(({ name }) => name)).size;
    return {
      policy: this.name,
      callers: set.bindings
        .filter(({ policy }) => policy === this.name)
        .map(({ key, session = '' }) => (key === undefined ? `session:${session}` : `key:${key}`)),
      ...(this.#played.length === 0 && {
        problem: 'No two projects could be made up that differ in hidden things alone.',
      }),
      pairs: this.#played.length,
      requests: this.#requests,
      shown: this.#shown,
      operations: count(true),
      pages: count(false),
      changes: this.#changes,
      differences: this.#differences,
      leaks: {
        known: LEAKS.filter((leak) => this.#played.some((pair) => isFor(leak, pair))).length,
        seeded: this.#seeded.size,
        found: this.#found.size,
        notFound: [...this.#seeded].filter((name) => !this.#found.has(name)),
      },
      notCovered: this.#notCovered(),
    };
  }

  #pairOf(seed: number): Pair | undefined {
    try {
      return pairOf(seed, this.options.design, this.#case, new SeededRandom(seed));
    } catch (error) {
      if (error instanceof TwinError) return undefined;
      throw error;
    }
  }

  #notCovered(): string[] {
    const { design, files } = this.options;
    const { reports } = files.set.policies[this.name] ?? {};
    return [
      ...(reports === undefined ? [] : [REPORTS]),
      ...(design.fields.some(({ type }) => type === 'sql') ? [QUERIES] : []),
      ...(this.#isAlike ? [] : [FIRST_EVENT]),
    ];
  }
}

/** In another order, so that whatever there is time for is of every kind. */
function shuffled<T>(items: readonly T[], random: SeededRandom): T[] {
  return items
    .map((item) => ({ item, place: random.next() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);
}

const REPORTS =
  'The filters and fields of the reports: REDCap does not tell them. A report of all fields was played in the place of each.';
const QUERIES = 'Fields whose choices are a query (sql): they had no values.';
const FIRST_EVENT =
  'The comparison with the smaller project: the first event repeats, where a record without an instance has a blank row. The pairs were compared.';

/** What is not covered, whichever the policy. */
export function notCoveredBy({ set }: PolicyFiles): string[] {
  const hasMirror = set.bindings.some(({ mirror }) => mirror !== undefined);
  return [
    'Sign-in, API keys and the limits of calls, which do not depend on policies.',
    'What REDCap itself shows to whoever has its token or an account.',
    ...(hasMirror
      ? ['Bindings with mirror: redcap-user, which take the rights of each person from REDCap.']
      : []),
  ];
}

export const NOT_CLAIMED: readonly string[] = [
  'How long an answer takes: it may tell something about the size of the whole project.',
  'What a person concludes from what the policy lets them see, or knows from elsewhere.',
  'Which records exist, where a policy grants all of them; and the numbers of files, which REDCap gives to all of its projects in one sequence.',
  'Where a policy de-identifies: that nobody can be known by the values that remain, or by their order, which is that of the record ids; and that the lists of names that may identify somebody, and of sparse ZIP areas, are complete.',
  'That the policy is the right one: only that the service keeps it, as far as these requests can tell.',
];

/** The policy, with a caller who is made up. */
function caseOf(name: string, { design, files }: ProofOptions): Case {
  const rules = files.set.policies[name];
  if (rules === undefined) throw new Error(`There is no policy ${name}.`);
  const lock = files.lock.policies[name] ?? {};
  const bound = files.set.bindings.find(({ policy, dag = '$' }) => policy === name && !dag.startsWith('$'));
  return {
    rules,
    accepted: new Set(
      design.fields
        .filter((field) => lock[field.instrument]?.includes(field.name) === true)
        .map((field) => field.name),
    ),
    identifying: files.lock.identifying?.[name] ?? [],
    person: {
      group: bound?.dag ?? design.groups?.[0]?.uniqueName ?? '',
      email: addressOf(101),
    },
  };
}

import type { Study } from '../../../src/sandbox/redcap/study.js';
import { seededPair } from '../pairs.js';
import { NOW } from '../../proof/chosen-records.js';
import { stopDate } from '../../proof/stop-date.js';
import { imported, type Request } from '../../proof/request.js';
import { requestsFor } from '../../proof/requests.js';
import { writesFor } from '../../proof/writes.js';
import type { BesideLeak } from './beside-leaks.js';
import { cursorOf, openHouse, plain, type Answer, type House, type Sent } from './house.js';

export interface BesideFinding {
  readonly request: string;
  readonly told: string;
}

export interface BesidePlayed {
  readonly compared: number;
  /** How many of the answers had more to show than a refusal. */
  readonly shown: number;
  readonly findings: readonly BesideFinding[];
}

export interface BesidePlay {
  readonly seed: number;
  /** The share of the requests that is sent; all by default. */
  readonly share?: number;
  /** Makes what to do wrong, for each of the two services. */
  readonly leak?: (() => BesideLeak) | undefined;
  /** Whether to stop at the first finding. */
  readonly isBrief?: boolean;
}

/** How many calls of the neighbour at a time are a flood. */
const FLOOD = 12;

/**
 * Sends the same requests to one project twice: beside a neighbour that holds the same and does nothing, and beside one
 * that holds something else and does everything it can: the same requests with the same keys, its own changes, floods,
 * failures, and other settings.
 */
export async function playBeside({
  seed,
  share = 1,
  leak,
  isBrief = false,
}: BesidePlay): Promise<BesidePlayed> {
  const { study, left, who, madeUp, random } = seededPair(seed);
  const other = seededPair(seed + 1).study;
  const [quiet, busy] = await Promise.all([
    openHouse({ own: study, neighbour: study }, seed % 2 === 0, leak?.()),
    openHouse({ own: study, neighbour: other }, seed % 2 === 0, leak?.()),
  ]);
  const goOn = stopDate(NOW);
  const findings: BesideFinding[] = [];
  let [compared, shown] = [0, 0];
  const ofOther = new RegExp(`s${seed + 1}q\\d+z`);
  const compare = async (request: Sent): Promise<Answer> => {
    const [first, second] = await Promise.all([quiet.send('own', request), busy.send('own', request)]);
    const told = differenceOf(plain(first), plain(second)) ?? ofOther.exec(second.body)?.[0];
    if (told !== undefined) findings.push({ request: `${request.method ?? 'GET'} ${request.path}`, told });
    compared += 1;
    if (second.status < 300) shown += 1;
    return second;
  };
  const neighbour = new Neighbour(busy, other, random.chance.bind(random));
  const requests: Request[] = [
    ...requestsFor(study, left, who.rules),
    ...writesFor(study, left, who, madeUp, random).map(({ request }) => request),
  ].filter(() => random.chance(share));
  try {
    for (const [at, { key, ...request }] of requests.entries()) {
      if (isBrief && findings.length > 0) break;
      const isWrite = request.method === 'POST' && /\/records(\?overwrite.*)?$/.test(request.path);
      const sent = isWrite
        ? { ...request, key: `key-${at}-0123456789abcdef` }
        : { ...request, ...(key && { key }) };
      await neighbour.does(sent, at / requests.length);
      await compare(sent);
      if (isWrite) {
        // A reload of the neighbour leaves what is kept for a repetition.
        busy.rereadBeside();
        await compare(sent);
      }
      for (const told of await compareMarks(sent, { quiet, compare }))
        findings.push({ request: `GET ${sent.path}`, told });
    }
    for (const told of await auditFindings(quiet, busy)) findings.push({ request: 'the audit log', told });
  } finally {
    goOn();
    await Promise.all([quiet.close(), busy.close()]);
  }
  return { compared, shown, findings };
}

/** Does what must not be noticed next door. */
class Neighbour {
  #changes = 0;

  constructor(
    private readonly house: House,
    private readonly study: Study,
    private readonly chance: (share: number) => boolean,
  ) {}

  /** @param progress how much of the run is over, from 0 to 1: what breaks comes late, so that most is seen unbroken */
  async does(request: Sent, progress: number): Promise<void> {
    const { house, chance } = this;
    const send = (sent: Sent): Promise<Answer> => house.send('neighbour', sent);
    house.failBeside(progress > 0.7 && chance(0.5));
    await send(request);
    const [id = ''] = Object.keys(this.study.rows[0] ?? {});
    this.#changes += 1;
    if (chance(0.3)) await send(imported([{ [id]: `NEW-${this.#changes}` }]));
    if (chance(0.05)) house.rereadBeside();
    const flood = chance(0.05) ? FLOOD : 0;
    await Promise.all(Array.from({ length: flood }, () => send({ path: '/api/v1/records?limit=1' })));
  }
}

/** What the neighbour was given to come back with, opens nothing here. */
async function compareMarks(
  request: Sent,
  { quiet, compare }: { readonly quiet: House; readonly compare: (request: Sent) => Promise<Answer> },
): Promise<string[]> {
  const isRead = (request.method ?? 'GET') === 'GET' && /^\/api\/v1\/(records|log)/.test(request.path);
  if (!isRead) return [];
  // Its neighbour holds the same, so that nothing but the key tells the two apart.
  const beside = await quiet.send('neighbour', request);
  const told: string[] = [];
  const cursor = cursorOf(beside);
  if (cursor !== undefined) {
    const path = `${request.path.replace(/&cursor=[^&]*/, '')}&cursor=${cursor}`;
    if ((await compare({ ...request, path })).status < 400) told.push('took the cursor of the other project');
  }
  const { etag } = beside.headers;
  if (etag === undefined || beside.status !== 200) return told;
  if ((await compare({ ...request, headers: { 'if-none-match': etag } })).status === 304)
    told.push('took the version of the other project');
  const change = { ...request, method: 'PATCH', body: JSON.stringify({ rows: [{}] }) };
  if ((await compare({ ...change, headers: { 'if-match': etag } })).status !== 412)
    told.push('took the version of the other project for a change');
  return told;
}

/** The audit log of a project has the same entries, and no pseudonym that another one has too. */
async function auditFindings(quiet: House, busy: House): Promise<string[]> {
  const [alone, beside] = [await quiet.audited(), await busy.audited()];
  const told: string[] = [];
  const [one, other] = [alone.own.map(withoutChance), beside.own.map(withoutChance)];
  const at = one.findIndex((line, index) => line !== other[index]);
  if (at >= 0 || one.length !== other.length) told.push(`${one[at] ?? ''}\n  ${other[at] ?? ''}`);
  const marks = new Set(beside.own.join('\n').match(MARK));
  if (marks.size === 0) told.push('no record is named, so that nothing was compared');
  const common = beside.neighbour
    .join('\n')
    .match(MARK)
    ?.find((mark) => marks.has(mark));
  if (common !== undefined) told.push(`both logs name ${common}`);
  return told;
}

/** The pseudonym of a record. */
const MARK = /\b[0-9a-f]{16}\b/g;

/** An entry without its chain, and the first one without its time. */
function withoutChance(line: string): string {
  const entry = JSON.parse(line) as Record<string, unknown>;
  const chance = ['prev', 'hash', 'requestId', ...(entry['event'] === 'service.started' ? ['at'] : [])];
  return JSON.stringify(entry, (name, value: unknown) => (chance.includes(name) ? undefined : value));
}

function differenceOf(one: Answer, other: Answer): string | undefined {
  const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
  if (a === b) return undefined;
  let at = 0;
  while (a[at] === b[at]) at += 1;
  return [a, b].map((text) => text.slice(Math.max(0, at - 60), at + 120)).join('\n  ');
}

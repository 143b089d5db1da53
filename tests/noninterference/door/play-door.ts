import { SeededRandom } from '../../../src/sandbox/demo-study/made-up.js';
import { groupOf, NOW } from '../../proof/chosen-records.js';
import { difference, notIn, textOf } from '../../proof/compare.js';
import type { Leak } from '../../proof/leaks/leak.js';
import { idOf, madeUpTexts } from '../../proof/made-up.js';
import { isCalculatedFromHidden } from '../../proof/play.js';
import type { Answer, ApiCall } from '../../proof/request.js';
import { openRoom, type Room } from '../../proof/room.js';
import { stopDate } from '../../proof/stop-date.js';
import { PLACE, untouchable } from '../../proof/writes.js';
import { seededPair } from '../pairs.js';
import { MadeUpCalls } from './calls.js';
import { changesFor } from './changes.js';

type SeededPair = ReturnType<typeof seededPair>;

/** How many calls that read are made to a pair of projects. */
const READS = 250;

export interface PlayedDoor {
  compared: number;
  shown: number;
  readonly findings: { readonly call: string; readonly told: string }[];
  readonly what: string;
}

interface DoorPlay {
  readonly reads?: number | undefined;
  readonly leak?: Leak | undefined;
  /** Whether all calls that read are exports of records in ODM. */
  readonly isOdm?: boolean;
}

/**
 * Makes the calls of a seed to the service in front of a project, under a policy, and to the smaller project itself:
 * calls that read, changes, and calls that read what was changed.
 */
export async function playDoor(
  seed: number,
  { reads = READS, leak, isOdm }: DoorPlay = {},
): Promise<PlayedDoor> {
  const pair = seededPair(seed);
  const { study, left, who } = pair;
  if (!pair.isAlike) return { compared: 0, shown: 0, findings: [], what: pair.what };
  const rooms = { restricted: await openRoom(study, { who, leak }), smaller: await openRoom(left.study) };
  const goOn = stopDate(NOW);
  const session = new DoorSession(pair, rooms, new SeededRandom(seed), {
    isBrief: leak !== undefined,
    isOdm,
  });
  try {
    await session.read(reads);
    await session.change();
    // A change makes REDCap calculate again, from what is hidden too, which the smaller project does not have.
    if (!isCalculatedFromHidden(pair)) await session.read(Math.ceil(reads / 5));
  } finally {
    goOn();
    await rooms.restricted.close();
    await rooms.smaller.close();
  }
  return session;
}

class DoorSession implements PlayedDoor {
  compared = 0;
  shown = 0;
  readonly findings: PlayedDoor['findings'] = [];
  readonly #isHidden: ReturnType<typeof notIn>;
  readonly #made: MadeUpCalls;

  constructor(
    private readonly pair: SeededPair,
    private readonly rooms: { readonly restricted: Room; readonly smaller: Room },
    private readonly random: SeededRandom,
    private readonly play: { readonly isBrief: boolean; readonly isOdm: boolean | undefined },
  ) {
    const { left, study, twin, word } = pair;
    this.#isHidden = notIn(madeUpTexts(left.study, word), [study, twin], word);
    this.#made = new MadeUpCalls(pair, random, play.isOdm);
  }

  get what(): string {
    return this.pair.what;
  }

  async read(calls: number): Promise<void> {
    for (let number = 0; number < calls && !this.#isDone; number++) {
      const call = this.#made.next();
      const answer = await this.#send(call);
      if (call.isEmpty === true && answer.status === 200) {
        if (!EMPTY_LIST.test(answer.body)) this.#tell(call, 'a list that is not empty');
        continue;
      }
      if (call.isNeverGranted === true && answer.status < 400)
        this.#tell(call, `${answer.status} in place of a refusal`);
      if (isRefusedByPolicy(answer, call.mayBeRefused) || call.unlike !== undefined) continue;
      this.#compare(call, await this.rooms.smaller.call(call), answer);
    }
  }

  async change(): Promise<void> {
    for (const { call, isGranted, isAlike = isGranted, isOfRecord = false } of changesFor(
      this.pair,
      this.random,
    )) {
      if (this.#isDone) return;
      const before = await this.#untouched(isOfRecord);
      const answer = await this.#send(call);
      const isRefused = isRefusedByPolicy(answer, true);
      if (isAlike ?? !isRefused) {
        const expected = await this.rooms.smaller.call(call);
        if (isGranted === true || !isRefused) this.#compare(call, expected, answer);
      }
      if (isGranted === false && answer.status < 400)
        this.#tell(call, `${answer.status} in place of a refusal`);
      if ((await this.#untouched(isOfRecord)) !== before)
        this.#tell(call, 'something changed that may not be changed');
      if (!isCalculatedFromHidden(this.pair))
        this.#tell(
          call,
          difference(await this.rooms.smaller.call(ALL), await this.rooms.restricted.call(ALL)),
        );
    }
    await this.#joinGroup();
  }

  /** What somebody of a group has created under a policy is in their group. */
  async #joinGroup(): Promise<void> {
    const { study, who } = this.pair;
    const { whole } = this.rooms.smaller;
    const group = groupOf(who.rules, who.person);
    if (group === undefined) return;
    // In full: an export of the id alone has the rows of instances under the event, where the import would add one.
    const rows = await whole.exportRecords({ exportDataAccessGroups: true });
    const created = rows.filter((row) => row['redcap_data_access_group'] === '');
    const joined = created.map((row) => ({
      ...Object.fromEntries(
        [idOf(study), ...PLACE].flatMap((name) => (name in row ? [[name, row[name]]] : [])),
      ),
      redcap_data_access_group: group,
    }));
    if (joined.length > 0) await whole.importData(JSON.stringify(joined), { format: 'json' });
  }

  async #send(call: ApiCall): Promise<Answer> {
    const answer = await this.rooms.restricted.call(call);
    this.compared += 1;
    if (answer.status < 300) this.shown += 1;
    this.#tell(call, this.#isHidden(textOf(answer), JSON.stringify(call)));
    return answer;
  }

  #compare(call: ApiCall, expected: Answer, answer: Answer): void {
    this.#tell(call, difference(withoutReason(expected), withoutReason(answer)));
  }

  #tell(call: ApiCall, told: string | undefined): void {
    if (told !== undefined) this.findings.push({ call: JSON.stringify(call), told });
  }

  async #untouched(isOfRecord: boolean): Promise<string> {
    const { study, left, who } = this.pair;
    const rows = await this.rooms.restricted.whole.exportRecords({ exportDataAccessGroups: true });
    return untouchable(rows, study, left, who.rules, isOfRecord).join('\n');
  }

  get #isDone(): boolean {
    return this.play.isBrief && this.findings.length > 0;
  }
}

/** In JSON, in CSV with a header, and in XML. */
const EMPTY_LIST = /^(\[\]|[^\n<[]+\n|<\?xml[^\n]*\n<items>\n<\/items>)$/;

/** All records. */
const ALL: ApiCall = {
  entries: [
    ['content', 'record'],
    ['format', 'csv'],
  ],
};

/** What a policy does not grant is 403. */
function isRefusedByPolicy({ status, body }: Answer, mayBeRefused = false): boolean {
  return (
    (mayBeRefused && status === 403) ||
    (status === 400 && /cannot be (used|eav|evaluated) under (this|a) policy/.test(body))
  );
}

/** Of what is wrong with a filter, or with the event of a survey or a file, only the beginning is in REDCap's words. */
function withoutReason(answer: Answer): Answer {
  const known =
    /(The logic in the parameter \\?"filterLogic\\?" is not valid: |is not enabled as a survey|is not designated for the event).*/s;
  return { ...answer, body: answer.body.replace(known, '$1') };
}

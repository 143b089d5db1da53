import { SeededRandom } from '../../../src/sandbox/demo-study/made-up.js';
import { NOW } from '../../proof/chosen-records.js';
import { difference, notIn, textOf } from '../../proof/compare.js';
import type { Leak } from '../../proof/leaks/leak.js';
import { madeUpTexts } from '../../proof/made-up.js';
import type { Answer } from '../../proof/request.js';
import { openRoom, type Room } from '../../proof/room.js';
import { stopDate } from '../../proof/stop-date.js';
import { seededPair } from '../pairs.js';
import { MadeUpCalls, type JudgedCall } from './calls.js';

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
}

/**
 * Makes the calls of a seed to the service in front of a project, under a policy, and to the smaller project itself.
 */
export async function playDoor(seed: number, { reads = READS, leak }: DoorPlay = {}): Promise<PlayedDoor> {
  const pair = seededPair(seed);
  const { study, left, twin, who, word, isAlike } = pair;
  const played: PlayedDoor = { compared: 0, shown: 0, findings: [], what: pair.what };
  if (!isAlike) return played;
  const isHidden = notIn(madeUpTexts(left.study, word), [study, twin], word);
  const made = new MadeUpCalls(pair, new SeededRandom(seed));
  const restricted = await openRoom(study, { who, leak });
  const smaller = await openRoom(left.study);
  const goOn = stopDate(NOW);
  try {
    for (let number = 0; number < reads; number++) {
      if (leak !== undefined && played.findings.length > 0) break;
      const call = made.next();
      const answer = await restricted.call(call);
      played.compared += 1;
      if (answer.status < 300) played.shown += 1;
      const told = await judged(call, answer, smaller);
      const leaked = isHidden(textOf(answer), JSON.stringify(call));
      for (const each of [told, leaked])
        if (each !== undefined) played.findings.push({ call: JSON.stringify(call), told: each });
    }
  } finally {
    goOn();
    await restricted.close();
    await smaller.close();
  }
  return played;
}

/** @returns what is wrong with an answer */
async function judged(call: JudgedCall, answer: Answer, smaller: Room): Promise<string | undefined> {
  if (isRefusedByPolicy(answer, call)) return undefined;
  if (call.unlike !== undefined) return undefined;
  return difference(withoutReason(await smaller.call(call)), withoutReason(answer));
}

/** What a policy does not grant is 403. */
function isRefusedByPolicy({ status, body }: Answer, { mayBeRefused }: JudgedCall): boolean {
  return (
    (mayBeRefused === true && status === 403) ||
    (status === 400 && /cannot be (used|eav|evaluated) under (this|a) policy/.test(body))
  );
}

/** What is wrong with a filter, or with the event of a survey, is said in words of which only the beginning is known. */
function withoutReason(answer: Answer): Answer {
  const known =
    /(The logic in the parameter \\?"filterLogic\\?" is not valid: |is not enabled as a survey).*/s;
  return { ...answer, body: answer.body.replace(known, '$1') };
}

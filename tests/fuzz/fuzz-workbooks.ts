import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import type { FuzzRequest } from './fuzz-request.js';
import { FuzzTarget } from './fuzz-target.js';
import { WORKBOOK_REQUESTS } from './workbook-requests.js';

/** How long nobody else may wait for a workbook. */
const MAX_STALL_MS = 250;
/** A busy machine delays one answer, but not those to the same workbook each time. */
const TRIES = 3;
const PROBE_EVERY_MS = 20;
const AT_ONCE = 100;

/**
 * Sends workbooks to the built server, one after the other, and asks for `/health` all the time.
 *
 * @returns the number of findings: no answer or a failure, a stall, the end of the server
 */
export async function fuzzWorkbooks(cases: number, seed: number): Promise<number> {
  let findings = 0;
  for (const [name, requests] of Object.entries(WORKBOOK_REQUESTS)) {
    const target = await FuzzTarget.start();
    const statuses: Record<number, number> = {};
    let longest = 0;
    try {
      for (let done = 0; done < cases; done += AT_ONCE) {
        // Not all at once: each may have megabytes.
        for (const request of fc.sample(requests, {
          numRuns: Math.min(AT_ONCE, cases - done),
          seed: seed + done,
        })) {
          const { status, stallMs, body } = await sent(target, request);
          statuses[status] = (statuses[status] ?? 0) + 1;
          longest = Math.max(longest, stallMs);
          if (status >= 200 && status < 500 && stallMs <= MAX_STALL_MS) continue;
          findings += 1;
          console.log(
            `workbooks (${name}): ${status}, a stall of ${Math.round(stallMs)} ms, seed ${seed + done}`,
          );
          console.log(`  ${request.body?.length ?? 0} bytes: ${body.slice(0, 200)}`);
        }
      }
      if (!(await target.isAlive())) {
        findings += 1;
        console.log(`workbooks (${name}): the server has died, or logged a fault that nobody caught.`);
      }
    } finally {
      await target.stop();
    }
    console.log(
      `workbooks (${name}): ${cases} cases, seed ${seed}, longest wait for /health ${Math.round(longest)} ms, answers ${JSON.stringify(statuses)}`,
    );
  }
  return findings;
}

/** Sends a workbook. @returns the answer, and the longest wait for `/health` meanwhile: the shortest of several tries */
async function sent(
  target: FuzzTarget,
  request: FuzzRequest,
): Promise<{ status: number; body: string; stallMs: number }> {
  let stallMs = Infinity;
  for (let attempt = 1; ; attempt++) {
    const state = { isDone: false };
    const probed = longestProbe(target, state);
    const { status, body } = await target.send(request);
    state.isDone = true;
    stallMs = Math.min(stallMs, await probed);
    if (stallMs <= MAX_STALL_MS || attempt === TRIES) return { status, body, stallMs };
  }
}

async function longestProbe(target: FuzzTarget, state: { readonly isDone: boolean }): Promise<number> {
  let longest = 0;
  while (!state.isDone) {
    const asked = performance.now();
    await target.isAlive();
    longest = Math.max(longest, performance.now() - asked);
    await setTimeout(PROBE_EVERY_MS);
  }
  return longest;
}

import type http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { SeededRandom } from '../../../../src/sandbox/demo-study/made-up.js';
import { forward } from '../../../support/forward.js';
import type { ImportLedger } from './import-ledger.js';
import { asTexts, rowsOf, type ExportAsked, type Mixed } from './mixed-requests.js';
import { send, type Cut, type Leaving, type Sending, type WholeAnswer } from './send.js';

export interface MixedRunOptions {
  readonly base: string;
  readonly authorization: string;
  readonly agent: http.Agent;
  /** Where the correct answers come from. */
  readonly sandbox: { readonly url: string; readonly token: string };
  readonly ledger: ImportLedger;
  readonly random: SeededRandom;
}

/** Statuses of a failure behind the service. 500 would be a fault of the service itself. */
const UPSTREAM_FAILURES = [502, 503, 504];

/** Sends a mix of requests, some from clients that disconnect, and checks each complete answer. */
export class MixedRun {
  /** How often each kind was answered correctly. */
  readonly good = { export: 0, import: 0, read: 0, bad: 0 };

  constructor(private readonly options: MixedRunOptions) {}

  /** @param clients how many clients send at the same time, one request each */
  async run(requests: Iterable<Mixed>, clients: number): Promise<void> {
    const queue = requests[Symbol.iterator]();
    const client = async (): Promise<void> => {
      for (let next = queue.next(); next.done !== true; next = queue.next()) await this.#perform(next.value);
    };
    await Promise.all(Array.from({ length: clients }, client));
  }

  async #perform(mixed: Mixed): Promise<void> {
    const { random } = this.options;
    const leaving = random.chance(0.08) ? random.pick<Leaving>(['at once', 'with the head']) : undefined;
    if (mixed.kind === 'import') return this.#import(mixed.sending, mixed.marks, leaving);

    const answer = await this.#send(mixed.sending, leaving);
    if (typeof answer === 'string') {
      if (mixed.kind !== 'export') expect(answer, mixed.sending.path).to.equal('left');
      return;
    }
    if (mixed.kind === 'bad') expect(answer.status, mixed.sending.path).to.equal(mixed.status);
    else if (this.#isFailure(answer)) return;
    if (mixed.kind === 'export') {
      expect(rowsOf(answer), mixed.sending.path).to.deep.equal(await this.#truth(mixed.asked));
    }
    if (mixed.kind === 'read' && mixed.data !== undefined) {
      expect(JSON.parse(answer.text)).to.deep.equal({ data: mixed.data });
    }
    this.good[mixed.kind] += 1;
  }

  /** With a key, a client that disconnected repeats its request to get the answer. */
  async #import(sending: Sending, marks: readonly string[], leaving: Leaving): Promise<void> {
    let answer = await this.#send(sending, leaving);
    const hasKey = sending.headers?.['idempotency-key'] !== undefined;
    while (hasKey && (answer === 'left' || (typeof answer !== 'string' && answer.status === 409))) {
      await sleep(50);
      answer = await this.#send(sending, undefined);
    }
    if (typeof answer === 'string') expect(answer, sending.path).to.equal('left');
    const whole = typeof answer === 'string' ? undefined : answer;
    this.options.ledger.note(marks, whole);
    if (whole !== undefined && !this.#isFailure(whole)) this.good.import += 1;
  }

  #send(sending: Sending, leaving: Leaving): Promise<WholeAnswer | Cut | 'left'> {
    const { base, agent, authorization } = this.options;
    return send(base, agent, { ...sending, headers: { authorization, ...sending.headers } }, leaving);
  }

  #isFailure({ status, text }: WholeAnswer): boolean {
    if (status === 200) return false;
    expect(status, text).to.be.oneOf(UPSTREAM_FAILURES);
    return true;
  }

  /** Returns the answer of the sandbox itself. */
  async #truth({ records, fields }: ExportAsked): Promise<Record<string, string>[]> {
    const { url, token } = this.options.sandbox;
    const form = new URLSearchParams({ token, content: 'record', format: 'json', type: 'flat' });
    form.set('records', records.join(','));
    form.set('fields', fields.join(','));
    const { body } = await forward(url, { body: String(form) });
    return (JSON.parse(String(body)) as object[]).map(asTexts);
  }
}

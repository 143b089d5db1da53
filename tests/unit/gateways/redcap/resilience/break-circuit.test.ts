import { expect } from 'chai';
import { InvalidRequestError } from '../../../../../src/domain/errors/caller-errors.js';
import { OverloadedError } from '../../../../../src/domain/errors/operator-errors.js';
import { UpstreamRejectedError } from '../../../../../src/domain/errors/upstream-errors.js';
import type { CrfError } from '../../../../../src/domain/errors/crf-error.js';
import { asText } from '../../../../../src/gateways/redcap/readings.js';
import {
  CallScopes,
  limitTime,
  type InProgress,
} from '../../../../../src/gateways/redcap/resilience/call-scope.js';
import type { Outcome } from '../../../../../src/gateways/redcap/call-errors.js';
import { breakCircuit } from '../../../../../src/gateways/redcap/resilience/circuit-breaker.js';
import { DEFAULT_RESILIENCE } from '../../../../../src/gateways/redcap/resilience/resilience-options.js';
import { wrap, type Send } from '../../../../../src/gateways/redcap/wire-call.js';
import { withFaults } from '../../../../support/fault-client.js';
import { ManualClock } from '../../../../support/manual-clock.js';
import { rejection } from '../../../../support/rejection.js';

/** Makes one call that fails when it is sent, and returns the outcomes reported to the circuit breaker. */
async function outcomesOf(error: CrfError): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const clock = new ManualClock();
  const circuit = {
    check: () => undefined,
    enter: () => (outcome: Outcome) => void outcomes.push(outcome),
  };
  const scopes = new CallScopes(DEFAULT_RESILIENCE.totalMs, clock);
  const fails: Send<InProgress> = () => Promise.reject(error);
  const guarded = wrap(fails, breakCircuit(circuit));
  const send = wrap(guarded, limitTime(scopes));
  await rejection(send({ parameters: { content: 'version' }, reading: asText(/./) }));
  scopes.close();
  return outcomes;
}

describe('breakCircuit', () => {
  it('UP-06: reports a call that could not be written as abandoned', async () => {
    expect(
      await outcomesOf(new InvalidRequestError([{ field: 'records[0]', message: 'cannot be sent' }])),
    ).to.deep.equal(['abandoned']);
  });

  it('UP-06: reports a call that the minute had no room for as abandoned', async () => {
    expect(await outcomesOf(new OverloadedError())).to.deep.equal(['abandoned']);
  });

  it('UP-05: does not count a call that cannot be written', async () => {
    await withFaults(
      () => ({ kind: 'answer', body: '16.1.9' }),
      async ({ client, server }) => {
        for (const call of [
          client.call('report', { report_id: NaN }),
          client.importData('id\n\ud800', { format: 'csv' }),
          client.dags.switch('\ud800'),
        ]) {
          expect(await rejection(call)).to.have.property('code', 'invalid_request');
        }

        expect(await client.getVersion()).to.equal('16.1.9');
        expect(server.requests).to.have.length(1);
      },
      { resilience: { callsPerMinute: 1 } },
    );
  });

  it('UP-06: reports a refusal as answered, because REDCap is up', async () => {
    expect(await outcomesOf(new UpstreamRejectedError('no'))).to.deep.equal(['answered']);
  });
});

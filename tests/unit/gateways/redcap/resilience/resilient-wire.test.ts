import { expect } from 'chai';
import { InvalidRequestError } from '../../../../../src/errors/caller-errors.js';
import { UpstreamRejectedError } from '../../../../../src/errors/upstream-errors.js';
import type { CrfError } from '../../../../../src/errors/crf-error.js';
import type { Outcome } from '../../../../../src/gateways/redcap/resilience/circuit-breaker.js';
import { DEFAULT_RESILIENCE } from '../../../../../src/gateways/redcap/resilience/resilience-options.js';
import { LOCAL_RESILIENCE } from '../../../../../src/gateways/redcap/resilience/resilience-state.js';
import { ResilientWire } from '../../../../../src/gateways/redcap/resilience/resilient-wire.js';
import { withFaults } from '../../../../contract/faults/fault-client.js';
import { ManualClock } from '../../../../support/manual-clock.js';
import { rejection } from '../../../../support/rejection.js';

/** Makes one call whose transport throws, and returns the outcomes reported to the circuit breaker. */
async function outcomesOf(error: CrfError): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const fails = () => Promise.reject(error);
  const wire = new ResilientWire(
    { text: fails, json: fails, stream: fails, download: fails, upload: fails, close: () => undefined },
    DEFAULT_RESILIENCE,
    new ManualClock(),
    {
      ...LOCAL_RESILIENCE,
      circuit: () => ({ check: () => undefined, enter: () => (outcome) => outcomes.push(outcome) }),
    },
  );
  await rejection(wire.text({ content: 'version' }, /./));
  wire.close();
  return outcomes;
}

describe('ResilientWire', () => {
  it('UP-06: reports a call that could not be written as abandoned', async () => {
    expect(
      await outcomesOf(new InvalidRequestError([{ field: 'records[0]', message: 'cannot be sent' }])),
    ).to.deep.equal(['abandoned']);
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

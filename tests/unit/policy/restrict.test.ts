import { expect } from 'chai';
import { callsOf } from '../../../src/client/compose-client.js';
import type { CrfCalls } from '../../../src/gateways/redcap/crf-client.js';
import { restrict } from '../../../src/policy/restrict.js';
import { rejection } from '../../support/rejection.js';
import { startSandboxClient, type SandboxClient } from '../../support/sandbox-client.js';
import { classicStudy } from '../../support/studies.js';
import { viewOf } from '../../support/view-of.js';

describe('The calls of a view', () => {
  let started: SandboxClient;
  let calls: CrfCalls;

  before(async () => {
    started = await startSandboxClient(classicStudy());
    calls = restrict(callsOf(started.client), viewOf({}));
  });
  after(() => started.close());

  it('refuse calls of contents that have no method', async () => {
    expect(await rejection(calls.call('record'))).to.have.property('code', 'not_in_policy');
  });

  it('do not close those of the whole project', async () => {
    calls.close();

    expect(await started.client.getVersion()).to.match(/^\d+\./);
  });
});

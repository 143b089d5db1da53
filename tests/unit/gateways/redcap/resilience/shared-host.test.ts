import { expect } from 'chai';
import { UpstreamUnavailableError } from '../../../../../src/domain/errors/upstream-errors.js';
import type { Outcome } from '../../../../../src/gateways/redcap/call-errors.js';
import { CallScope } from '../../../../../src/gateways/redcap/resilience/call-scope.js';
import { SharedHost } from '../../../../../src/gateways/redcap/resilience/shared-host.js';
import { ManualClock } from '../../../../support/manual-clock.js';
import { rejection } from '../../../../support/rejection.js';

const QUEUE = { concurrency: 3, queueLimit: 10, queueWaitMs: 1_000 };
const BREAKER = { breakerFailures: 2, breakerOpenMs: 1_000 };

describe('The projects of one REDCap', () => {
  let clock: ManualClock;
  let host: SharedHost;
  beforeEach(() => {
    clock = new ManualClock();
    host = new SharedHost();
    host.projects = 3;
  });

  describe('and their turns', () => {
    const enter = (project: string) => {
      const queue = host.of(project).host?.queue(QUEUE, clock);
      return queue?.enter(project, new CallScope(undefined, 60_000, clock)) ?? Promise.reject(new Error());
    };

    it('PROJ-07: leave one to each, however many calls of others hang', async () => {
      for (const project of ['hung', 'hung', 'hung', 'flooding', 'flooding']) await enter(project);
      const waiting = ['hung', 'flooding'].map((project) => rejection(enter(project)));

      expect(await enter('quiet')).to.be.a('function');
      await clock.advance(1_000);
      expect((await Promise.all(waiting)).map(({ code }) => code)).to.deep.equal([
        'overloaded',
        'overloaded',
      ]);
    });

    it('PROJ-07: go round by project, not by the number of calls that wait', async () => {
      const held = [];
      for (const project of ['a', 'a', 'a', 'b', 'b']) held.push(await enter(project));
      const order: string[] = [];
      for (const project of ['a', 'a', 'b']) void enter(project).then(() => order.push(project));

      held[0]?.();
      await new Promise(setImmediate);
      held[3]?.();
      await new Promise(setImmediate);

      expect(order).to.have.members(['a', 'b']);
    });
  });

  describe('and their ceiling', () => {
    const take = (project: string, count: number) => {
      const ceiling = host.of(project).ceiling(60, clock);
      for (let call = 0; call < count; call += 1) void ceiling.take('etl');
    };

    it('PROJ-07: leave each its share of half of it, when one takes the rest', () => {
      // A third of 30 is its own, and 30 are for whoever comes first.
      expect(() => take('flooding', 40)).to.not.throw();
      expect(() => take('flooding', 1))
        .to.throw()
        .with.property('code', 'overloaded');
      expect(() => take('quiet', 10)).to.not.throw();
      expect(() => take('quiet', 1)).to.throw();
      expect(() => take('third', 10)).to.not.throw();
    });

    it('UP-04: are never more than the host allows, and begin anew after a minute', async () => {
      take('flooding', 40);
      take('quiet', 10);
      take('third', 10);
      expect(() => take('third', 1)).to.throw();
      await clock.advance(60_000);

      expect(() => take('third', 40)).to.not.throw();
    });
  });

  describe('and their circuits', () => {
    const circuits = () =>
      Object.fromEntries(
        ['hung', 'other', 'third'].map((name) => [name, host.of(name).circuit(BREAKER, clock)]),
      );
    const report = (circuit: ReturnType<typeof circuits>[string] | undefined, outcome: Outcome) =>
      circuit?.enter()(outcome);

    const checkOf = (circuit: ReturnType<typeof circuits>[string] | undefined) => circuit?.check();

    it('PROJ-07: do not open for the others when one project fails', () => {
      const { hung, other } = circuits();
      for (let call = 0; call < 2; call += 1) report(hung, 'failed');

      expect(() => checkOf(hung)).to.throw(UpstreamUnavailableError);
      expect(checkOf(other)).to.equal(undefined);
    });

    it('PROJ-07: open for all when several fail and none answers', async () => {
      const { hung, other, third } = circuits();
      report(hung, 'failed');
      report(other, 'failed');
      report(hung, 'failed');

      expect(() => checkOf(third)).to.throw(UpstreamUnavailableError);
      await clock.advance(1_000);
      report(third, 'answered');
      expect(checkOf(third)).to.equal(undefined);
    });

    it('PROJ-07: stay closed while any of them is answered', () => {
      const { hung, other, third } = circuits();
      for (let call = 0; call < 3; call += 1) {
        report(third, 'answered');
        report(call % 2 === 0 ? hung : other, 'failed');
      }

      expect(checkOf(third)).to.equal(undefined);
    });
  });
});

import { expect } from 'chai';
import fc from 'fast-check';
import { StudyLists } from '../../../../../src/services/summary/study-lists.js';
import type { FieldDistribution } from '../../../../../src/services/summary/field-distribution.js';
import { StudySummaries } from '../../../../../src/services/summary/study-summaries.js';
import { startSandboxClient } from '../../../../support/sandbox-client.js';
import { attackOn, type Answers } from '../../../../support/attack-on-answers.js';
import { LinearAttack } from '../../../../support/linear-attack.js';
import { randomStudy } from '../../../../support/random-summary-study.js';

const LEAST = 5;

describe('Counts for callers who may not read records', () => {
  it('GW-05: reveal no count from 1 to 4, however they are added and subtracted', async () => {
    await fc.assert(
      fc.asyncProperty(randomStudy, async (random) => {
        expect(attackOn(await answersFor(random)).smallCounts(LEAST)).to.deep.equal([]);
      }),
      { numRuns: 60 },
    );
  }).timeout(300_000);
});

/** Requests everything there is without `records:read`. */
async function answersFor({
  shape,
  study,
}: Parameters<Parameters<typeof randomStudy.map>[0]>[0]): Promise<Answers> {
  const started = await startSandboxClient(study);
  try {
    const summaries = new StudySummaries(started.client, new StudyLists(started.client));
    const summary = await summaries.summary(['project:read']);
    const all = await summaries.summary(['records:read']);
    const distributions: FieldDistribution[] = [];
    // One after the other: on a busy machine, calls that wait for others are refused as overload.
    for (const { name: field } of study.fields.slice(1))
      for (const by of [undefined, 'dag', 'arm'] as const)
        distributions.push(await summaries.distribution({ field, by }, ['project:read']));
    const percents = new Map(summary.missing.map(({ field, percent }) => [field, percent]));
    const emptyOf = new Map(
      all.missing.flatMap(({ field, missing }): [string, number][] =>
        (percents.get(field) ?? null) === null ? [] : [[field, missing ?? 0]],
      ),
    );
    return { shape, fields: study.fields, summary, distributions, emptyOf };
  } finally {
    await started.close();
  }
}

describe('The attack', () => {
  it('adds and subtracts', () => {
    const attack = new LinearAttack();
    attack.adds('forms', ['complete', 'unverified', 'incomplete']);
    attack.adds('forms', ['values', 'missing']);
    for (const [count, value] of [
      ['values', 119],
      ['missing', 120],
      ['complete', 230],
      ['incomplete', 6],
    ] as const)
      attack.knows(count, value);

    expect(attack.smallCounts(LEAST)).to.deep.equal(['unverified = 3']);
  });

  it('knows that counts are not negative', () => {
    const attack = new LinearAttack();
    attack.adds('all', ['a', 'b', 'c']);
    attack.knows('all', 3);
    attack.knowsAll([
      ['a', null],
      ['b', null],
      ['c', null],
      ['d', 0],
    ]);

    expect(attack.smallCounts(LEAST)).to.have.members(['all = 3', 'a = 1', 'b = 1', 'c = 1']);
  });
});

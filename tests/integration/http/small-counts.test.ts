import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import type { FieldDistribution } from '../../../src/services/summary/field-distribution.js';
import type { StudySummary } from '../../../src/services/summary/study-summary.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { startSandboxClient } from '../../support/sandbox-client.js';
import { startServiceWithAuth } from '../../support/start-service-with-auth.js';
import { attackOn } from '../../support/attack-on-answers.js';
import { randomStudy } from '../../support/random-summary-study.js';

type Get = (path: string) => Promise<string>;

const PLOTS = ['recruitment', 'completeness', 'dags', 'missing'];

/** Requests as somebody who is signed in, and may read the project alone. */
async function asReaderOf<T>(study: Study, work: (get: Get) => Promise<T>): Promise<T> {
  const started = await startSandboxClient(study);
  const service = await startServiceWithAuth({}, { capture: started.client });
  try {
    const person = await service.signedIn('grace');
    return await work(async (path) => {
      const answer = await person.send(path);
      return answer.status === 200 ? answer.text() : '';
    });
  } finally {
    await service.close();
    await started.close();
  }
}

async function dataOf<T>(get: Get, path: string): Promise<T> {
  return (JSON.parse(await get(`/api/v1/project/summary${path}`)) as { data: T }).data;
}

/** Every number in a document. */
function numbersIn(value: unknown): Set<number> {
  return new Set((JSON.stringify(value).match(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/g) ?? []).map(Number));
}

/** The numbers in the cells of a plot, without the first column and the header. */
function numbersOfPlot(csv: string): number[] {
  const [, ...rows] = parse(csv, { relax_column_count: true });
  return rows.flatMap((row) =>
    row
      .slice(1)
      // A form that repeats has these words in place of a count.
      .filter((cell) => cell !== '' && cell !== 'not expected')
      .map(Number),
  );
}

describe('Small counts', () => {
  it('GW-05: can be computed neither from all answers of REST nor from the plots of the dashboard', async () => {
    await fc.assert(
      fc.asyncProperty(randomStudy, async (random) => {
        await asReaderOf(random.study, async (get) => {
          const summary = await dataOf<StudySummary>(get, '');
          const distributions: FieldDistribution[] = [];
          for (const { name } of random.study.fields.slice(1)) {
            for (const by of ['', 'dag', 'arm']) {
              const query = by === '' ? '' : `by=${by}`;
              const told = await dataOf<FieldDistribution>(get, `/fields/${name}?${query}`);
              distributions.push(told);
              const plot = numbersOfPlot(
                await get(`/dashboard/plots/distribution.csv?field=${name}&${query}`),
              );
              expect([...numbersIn(told)]).to.include.members(plot);
            }
          }
          for (const plot of PLOTS)
            expect([...numbersIn(summary)]).to.include.members(
              numbersOfPlot(await get(`/dashboard/plots/${plot}.csv`)),
            );

          const { shape, study } = random;
          const answers = { shape, fields: study.fields, summary, distributions, emptyOf: new Map() };
          expect(attackOn(answers).smallCounts(5)).to.deep.equal([]);
        });
      }),
      { numRuns: 6 },
    );
  });
});

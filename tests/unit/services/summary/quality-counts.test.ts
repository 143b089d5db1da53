import { expect } from 'chai';
import { say } from '../../../../src/domain/errors/sentences.js';
import type { ListedFinding } from '../../../../src/services/summary/listed-forms.js';
import { KeptCounts } from '../../../../src/services/summary/kept-counts.js';
import { countFindings, type FindingSource } from '../../../../src/services/summary/quality-counts.js';

const MINUTE_MS = 60_000;

function finding(parts: Partial<ListedFinding>): ListedFinding {
  const listed = { record: 'A-1', dag: '', joined: '' };
  const place = { ...listed, event: '', instrument: 'base', instance: null, field: 'age' };
  return { ...place, rule: 'required_empty', ...say('required_empty'), ...parts };
}

/** A source that counts its passes, and yields one more finding in each. */
function counting() {
  let passes = 0;
  const source: FindingSource = {
    async *findings(_filter, _call, onRecord) {
      passes += 1;
      for (let index = 0; index < passes; index += 1) yield finding({});
      await Promise.resolve();
      for (let records = 0; records < 3; records += 1) onRecord?.();
    },
  };
  return { source, passes: () => passes };
}

describe('The counts of quality findings', () => {
  let now: Date;
  const clock = (): Date => now;
  const counted = (source: FindingSource) =>
    new KeptCounts(() => countFindings(source, clock, {}), clock, 10 * MINUTE_MS);
  beforeEach(() => {
    now = new Date('2026-11-20T20:00:00Z');
  });

  it('counts findings by rule in one pass for concurrent callers', async () => {
    const { source, passes } = counting();
    const quality = counted(source);

    const [one, other] = await Promise.all([quality.counts(), quality.counts()]);

    expect(one).to.deep.include({ records: 3, findings: 1, madeAt: '2026-11-20T20:00:00.000Z' });
    expect(one.rules).to.include({ required_empty: 1, out_of_range: 0 });
    expect(other).to.equal(one);
    expect(passes()).to.equal(1);
  });

  it('returns the last counts for ten minutes, and then while it counts again', async () => {
    const { source, passes } = counting();
    const quality = counted(source);
    const first = await quality.counts();

    now = new Date(now.getTime() + 9 * MINUTE_MS);
    expect(await quality.counts()).to.equal(first);
    expect(passes()).to.equal(1);

    now = new Date(now.getTime() + 2 * MINUTE_MS);
    expect(await quality.counts()).to.equal(first);
    expect(passes()).to.equal(2);
    let later = await quality.counts();
    for (; later === first; later = await quality.counts()) await new Promise(setImmediate);
    expect(later).to.include({ findings: 2 });
  });

  it('does not cache a failed pass', async () => {
    const { source } = counting();
    let isDown = true;
    const failing: FindingSource = {
      findings: (...asked) => {
        if (isDown) throw new Error('REDCap is down');
        return source.findings(...asked);
      },
    };
    const quality = counted(failing);

    const refused = await quality.counts().catch((error: unknown) => error);
    isDown = false;

    expect(refused).to.be.an('error');
    expect(await quality.counts()).to.include({ findings: 1 });
  });
});

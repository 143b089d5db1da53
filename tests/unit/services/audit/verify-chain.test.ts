import { expect } from 'chai';
import fc from 'fast-check';
import { NEW_CHAIN, nextLine } from '../../../../src/services/audit/hash-chain.js';
import { verifyChain, type ChainReport } from '../../../../src/services/audit/verify-chain.js';

describe('verifyChain', () => {
  it('finds a log intact across several files, and reports where it ends', async () => {
    const lines = chainOf(6);

    const report = await verify(lines.slice(0, 2), lines.slice(2, 5), lines.slice(5));

    expect(report).to.include({ lines: 6, firstSeq: 1, torn: 0 });
    expect(report.faults).to.deep.equal([]);
    expect(report.end).to.deep.include({ seq: 6 });
  });

  it('accepts a log that starts with a later line, because older files may be gone', async () => {
    const report = await verify(chainOf(6).slice(3));

    expect(report).to.deep.include({ firstSeq: 4, faults: [] });
  });

  it('property: detects any change to one of many lines', async () => {
    const tampering = fc.constantFrom('drop', 'repeat', 'swap', 'alter', 'add');
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), fc.nat(), tampering, async (at, byte, how) => {
        const lines = chainOf(10);
        const line = lines[at] ?? '';
        if (how === 'drop') lines.splice(at, 1);
        else if (how === 'repeat') lines.splice(at, 0, line);
        else if (how === 'swap') lines.splice(at, 2, lines[at + 1] ?? '', line);
        else if (how === 'add') lines.splice(at, 0, nextLine(NEW_CHAIN, { event: 'call.ended' }).line);
        else lines[at] = altered(line, byte);

        expect((await verify(lines)).faults).to.not.be.empty;
      }),
      { numRuns: 100 },
    );
  });

  it('names the file, the line and the fault', async () => {
    const lines = chainOf(6);
    lines.splice(3, 1);

    const { faults } = await verify(lines.slice(0, 2), lines.slice(2));

    expect(faults).to.deep.equal([
      { file: 'file 2', line: 2, message: 'follows on line 3 as 5: lines are missing' },
    ]);
  });

  it('distinguishes a new chain within a file from a continued log', async () => {
    const { faults } = await verify([...chainOf(3), ...chainOf(2)]);

    expect(faults).to.deep.equal([
      { file: 'file 1', line: 4, message: 'begins a new chain: what stood between is missing' },
    ]);
  });

  it('checks the files of replicas as a chain each, also rotated ones', async () => {
    const [one, other] = [chainOf(4), chainOf(3)];
    const { faults, chains } = await verify(one.slice(0, 2), other.slice(0, 1), one.slice(2), other.slice(1));
    const broken = await verify(one.slice(0, 2), other.slice(0, 1), one.slice(3), other.slice(1));

    expect(faults).to.deep.equal([]);
    expect(chains.map(({ file, end }) => [file, end.seq])).to.deep.equal([
      ['file 3', 4],
      ['file 4', 3],
    ]);
    expect(broken.faults.map(({ file }) => file)).to.deep.equal(['file 3']);
  });

  it('counts an incomplete line left by a crash', async () => {
    const [first = '', second = ''] = chainOf(2);
    const last = nextLine(endOf(second), { event: 'service.started', afterTornLine: true });

    const report = await verify([first, second, '{"seq":3,"at":"2026-', last.line]);

    expect(report).to.deep.include({ torn: 1, faults: [], lines: 4 });
  });

  it('counts the incomplete lines of several crashes in a row', async () => {
    const [first = ''] = chainOf(1);
    const last = nextLine(endOf(first), { event: 'service.started', afterTornLine: true });

    const report = await verify([first, '{"seq":2,"at":"2026-', '{"seq":2,"e'], ['{"se', last.line]);

    expect(report).to.deep.include({ torn: 3, faults: [], lines: 5 });
  });

  it('reports lines that are not of an audit log, however many', async () => {
    const report = await verify([...chainOf(1), ...Array<string>(100).fill('x')]);

    expect(report.faults.map(({ line }) => line)).to.deep.equal(
      Array.from({ length: 20 }, (_, at) => at + 2),
    );
  });

  it('reports an incomplete line that no later line explains', async () => {
    const [first = '', second = ''] = chainOf(2);

    expect((await verify([first, 'x', second])).faults).to.have.length(1);
    expect((await verify([first, '{"seq":2,"at":"2026-', second])).faults).to.have.length(1);
  });

  it('tells an unfinished last line from an altered one, wherever a crash cut it', async () => {
    const [first = '', second = '', third = ''] = chainOf(3);
    for (let length = 1; length < third.length; length += 1) {
      const report = await verify([first, second, third.slice(0, length)]);

      expect(report, `${length} characters`).to.deep.include({
        faults: [],
        torn: 0,
        unfinished: 1,
        lines: 3,
      });
      expect(report.end?.seq).to.equal(2);
    }
  });

  it('counts the unfinished last lines of several crashes, also of a log that just began', async () => {
    const [first = '', second = ''] = chainOf(2);

    expect(await verify([first, second.slice(0, 20)], [second.slice(0, 9)])).to.deep.include({
      faults: [],
      unfinished: 2,
    });
    expect(await verify([first.slice(0, 30)])).to.deep.include({ faults: [], unfinished: 1 });
  });

  it('reports a last line that is altered, or of another place, and not unfinished', async () => {
    const [first = '', second = '', third = ''] = chainOf(3);

    for (const last of [altered(third, 20), third.replace('r2', 'r7'), '{"seq":4,"at":', 'x', '{"seq":31,']) {
      expect(await verify([first, second, last])).to.deep.include({
        unfinished: 0,
        faults: [{ file: 'file 1', line: 3, message: 'was altered, or is not a line of an audit log' }],
      });
    }
  });

  it('detects a line whose place was taken by another chain with the same numbers', async () => {
    const [, second = '', third = ''] = chainOf(3);
    const [foreign = ''] = chainOf(1, 'other');

    expect((await verify([foreign, second, third])).faults).to.deep.equal([
      {
        file: 'file 1',
        line: 2,
        message: 'does not follow on the line before it: lines were moved, added or altered',
      },
    ]);
  });
});

function chainOf(length: number, name = 'r'): string[] {
  const lines: string[] = [];
  let end = NEW_CHAIN;
  for (let index = 0; index < length; index += 1) {
    const next = nextLine(end, { event: 'call.begun', requestId: `${name}${index}` });
    lines.push(next.line);
    end = next.end;
  }
  return lines;
}

function endOf(line: string): { seq: number; hash: string } {
  return JSON.parse(line) as { seq: number; hash: string };
}

/** Returns the line with one character replaced. */
function altered(line: string, byte: number): string {
  const at = byte % line.length;
  const other = line[at] === 'x' ? 'y' : 'x';
  return `${line.slice(0, at)}${other}${line.slice(at + 1)}`;
}

function verify(...files: string[][]): Promise<ChainReport> {
  return verifyChain(
    files.map((lines, index) => ({
      name: `file ${index + 1}`,
      lines: (async function* () {
        yield* lines;
      })(),
    })),
  );
}

import { expect } from 'chai';
import fc from 'fast-check';
import type { LogEntry } from '../../../../src/gateways/redcap/contents/log.js';
import { readLogPage, type LogPlace } from '../../../../src/services/log/log-page.js';

/** Entries by minute and text. A few texts, so that some entries of a minute are equal. */
const written = fc.array(
  fc.record({ minute: fc.integer({ min: 0, max: 3 }), text: fc.constantFrom('a', 'b', 'c') }),
  { maxLength: 25 },
);

const NOWHERE = { record: undefined, eventLabel: undefined, arm: undefined, instance: undefined };

function toEntry({ minute, text }: { minute: number; text: string }): LogEntry {
  const at = `2026-01-31 08:0${minute}`;
  return {
    at,
    user: 'ada',
    type: undefined,
    action: 'other',
    actionText: text,
    details: '',
    origin: 'api',
    fields: [],
    ...NOWHERE,
  };
}

/** @returns the log newest first, as REDCap has it */
function toLog(entries: readonly { minute: number; text: string }[]): LogEntry[] {
  return [...entries].sort((one, other) => other.minute - one.minute).map(toEntry);
}

/** Answers like REDCap to a query that ends with a minute. */
async function* upTo(minute: string | undefined, log: readonly LogEntry[]): AsyncGenerator<LogEntry> {
  const asked = log.filter(({ at }) => minute === undefined || at <= minute);
  yield* asked;
  await Promise.resolve();
}

async function allPages(
  log: readonly LogEntry[],
  size: number,
  grow: (log: readonly LogEntry[]) => readonly LogEntry[] = (same) => same,
): Promise<LogEntry[][]> {
  const pages: LogEntry[][] = [];
  let now = log;
  let after: LogPlace | undefined;
  do {
    const { entries, end } = await readLogPage(upTo(after?.minute, now), size, after);
    pages.push([...entries]);
    after = end;
    now = grow(now);
  } while (after !== undefined && pages.length < 100);
  return pages;
}

describe('readLogPage', () => {
  it('returns every entry once, in order, in pages of the given size', async () => {
    await fc.assert(
      fc.asyncProperty(written, fc.integer({ min: 1, max: 6 }), async (entries, size) => {
        const log = toLog(entries);
        const pages = await allPages(log, size);

        expect(pages.flat()).to.deep.equal(log);
        for (const page of pages.slice(0, -1)) expect(page).to.have.lengthOf(size);
      }),
    );
  });

  it('leaves out none of the entries while new ones are written, even in the same minute', async () => {
    await fc.assert(
      fc.asyncProperty(written, fc.integer({ min: 2, max: 6 }), async (entries, size) => {
        const log = toLog(entries);
        // Reading the log writes to it, in the newest minute. A page must be longer than what is written meanwhile.
        const newest = toEntry({ minute: 3, text: 'a' });
        const pages = await allPages(log, size, (before) => [newest, ...before]);
        const rest = [...log];
        for (const entry of pages.flat()) if (isSame(entry, rest[0])) rest.shift();

        expect(rest).to.deep.equal([]);
      }),
    );
  });

  it('goes on after as many entries as before if the last one is gone', async () => {
    const log = toLog(['a', 'b', 'c', 'a'].map((text) => ({ minute: 0, text })));
    const { end } = await readLogPage(upTo(undefined, log), 2, undefined);
    const purged = log.filter(({ actionText }) => actionText !== 'b');
    const { entries } = await readLogPage(upTo(end?.minute, purged), 2, end);

    expect(entries.map(({ actionText }) => actionText)).to.deep.equal(['a']);
  });
});

function isSame(one: LogEntry, other: LogEntry | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

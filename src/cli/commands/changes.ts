import type { SqlCopy } from '../../sync/sql-copy.js';
import { EXIT_CODES, UsageError } from '../cli-error.js';
import { defineCommand } from '../command.js';
import { copyArgs, copyTarget, intervalOf } from '../options/copy-options.js';
import { flag, needed, text } from '../options/option.js';
import { updateCopy } from './update-copy.js';

export const command = defineCommand({
  args: {
    copy: needed('The copy that changes are found with, such as sqlite:FILE'),
    cursor: text('Only what follows this cursor, which every line has'),
    follow: flag('Run until interrupted, and print what is found'),
    every: text(
      'With --follow: how often to look, 30s, 15m or 2h; auto is a minute, and up to 15 when nothing changes',
      { default: 'auto' },
    ),
    ...copyArgs,
  },
  examples: {
    '$0 changes --copy sqlite:study.db':
      'All changes that the copy knows, the first being what it began with',
    '$0 changes --copy sqlite:study.db --cursor "$CURSOR" --follow': 'Go on from there, and wait for more',
  },
  epilogue:
    'The copy is brought up to date first, as by crf sync. A line has ids of records and names of fields, and no values.',
  combinations: [
    { option: 'policy', needs: 'as' },
    { option: 'budget', needs: 'follow' },
  ],
  check: ({ copy, every, budget }) => {
    copyTarget(copy);
    intervalOf(every, budget);
  },
  run: (options, io) => {
    let after: number | undefined;
    return updateCopy(
      {
        ...options,
        quiet: true,
        target: copyTarget(options.copy),
        interval: options.follow ? intervalOf(options.every, options.budget) : undefined,
        onLook: async (_, copy) => {
          after ??= await positionOf(options.cursor, copy);
          const name = await copy.name();
          for (;;) {
            const changes = await copy.changesAfter(after, 1000);
            for (const { seq, ...change } of changes)
              io.stdout.write(`${JSON.stringify({ ...change, cursor: `${name}.${seq}` })}\n`);
            after = changes.at(-1)?.seq ?? after;
            if (changes.length < 1000) return EXIT_CODES.ok;
          }
        },
      },
      io,
    );
  },
});

/** @throws {UsageError} the cursor is of another copy, or of none */
async function positionOf(cursor: string | undefined, copy: SqlCopy): Promise<number> {
  if (cursor === undefined) return 0;
  const [, name, seq] = /^([\da-f]{12})\.(\d{1,15})$/.exec(cursor) ?? [];
  if (name === (await copy.name()) && Number(seq) <= (await copy.lastSeq())) return Number(seq);
  throw new UsageError('--cursor is not a cursor of this copy. Leave it out to begin anew.');
}

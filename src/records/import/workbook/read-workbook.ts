import { once } from 'node:events';
import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { InvalidRequestError } from '../../../domain/errors/caller-errors.js';
import { heard } from '../../../domain/bytes/heard.js';
import { say } from '../../../domain/errors/sentences.js';
import type { InputErrors } from '../input-errors.js';
import type { WorkbookChoice } from './read-sheet.js';
import type { SheetLines } from './sheet-rows.js';
import { MIB, type WorkbookLimits } from './workbook-limits.js';
import type { WorkbookAnswer, WorkbookOrder } from './workbook-thread.js';

export type { WorkbookChoice } from './read-sheet.js';

/** The rows of a workbook, in memory. */
export interface WorkbookRows {
  readonly ndjson: Readable;
  readonly bytes: number;
}

/**
 * Reads a sheet of a workbook (`.xlsx`) as NDJSON, a line for each row of the sheet, so that a message about a line
 * names the row that a person sees. The first row has the names of the columns. Numbers have the fifteen digits that a
 * spreadsheet shows, dates and times are as REDCap writes them, TRUE and FALSE are `true` and `false`, of which an import makes 1 and 0. An error of a formula is its
 * text (`#N/A`), as in a CSV. A whole number of more digits than are exact stays a number, which imports refuse.
 *
 * It is read in a thread of its own, which ends with it: foreign bytes hold up nobody, whatever they are.
 *
 * @throws {MalformedRequestError} it is too large or no workbook, two columns have one name, or a column with values has
 *   none
 * @throws {InvalidRequestError} the sheet does not exist
 */
export async function readWorkbook(
  workbook: Uint8Array,
  choice: WorkbookChoice,
  errors: InputErrors,
  limits: WorkbookLimits,
): Promise<WorkbookRows> {
  if (workbook.length > limits.bytes)
    throw errors.whole(say('workbook_too_large', { megabytes: limits.bytes / MIB }));
  const { sheet, decimalCharacter, rawOrLabelHeaders } = choice;
  const answer = await answerOf({ workbook, choice: { sheet, decimalCharacter, rawOrLabelHeaders }, limits });
  if (answer === undefined) throw errors.whole(say('workbook_costly'));
  if ('cause' in answer) throw errors.whole(say('not_workbook'), { cause: answer.cause });
  if ('sheet' in answer)
    return {
      ndjson: heard(Readable.from(ndjsonOf(answer.sheet), { objectMode: false })),
      bytes: answer.sheet.bytes,
    };
  const { rule, place } = answer.refusal;
  if (rule.code === 'sheet_name') throw new InvalidRequestError([{ field: 'sheet', ...rule }]);
  throw place === undefined ? errors.whole(rule) : errors.row(place, rule);
}

/** @returns undefined if the thread needed more memory or time than it may have */
async function answerOf(order: WorkbookOrder): Promise<WorkbookAnswer | undefined> {
  const { heapMegabytes, seconds } = order.limits;
  const thread = new Worker(THREAD, {
    workerData: order,
    execArgv: THREAD_OPTIONS,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
  });
  try {
    const [answer] = (await once(thread, 'message', { signal: AbortSignal.timeout(seconds * 1000) })) as [
      WorkbookAnswer,
    ];
    return answer;
  } catch (error) {
    if (ENDED.has((error as NodeJS.ErrnoException).code)) return undefined;
    throw error;
  } finally {
    await thread.terminate();
  }
}

/** How a thread ends that needed too much memory or time. */
const ENDED: ReadonlySet<string | undefined> = new Set(['ERR_WORKER_OUT_OF_MEMORY', 'ABORT_ERR']);
const YOUNG_MEGABYTES = 16;
const IS_SOURCE = import.meta.url.endsWith('.ts');
const THREAD = new URL(`./workbook-thread.${IS_SOURCE ? 'ts' : 'js'}`, import.meta.url);
/** From source, as in tests, a thread is told how to read TypeScript: threads of Node 20 do not inherit it. */
const THREAD_OPTIONS = IS_SOURCE
  ? [
      '--import',
      `data:text/javascript,import{register}from'${import.meta.resolve('tsx/esm/api')}';register()`,
    ]
  : [];

/** Writes the rows of a sheet as NDJSON: the line of the header is blank. */
export function* ndjsonOf({ names, lines }: SheetLines): Generator<string, void, undefined> {
  const decoder = new TextDecoder();
  yield '\n';
  for (const chunk of lines) {
    // Every piece ends with a line.
    for (const line of decoder.decode(chunk).split('\n').slice(0, -1)) yield `${rowOf(names, line)}\n`;
  }
}

function rowOf(names: readonly string[], line: string): string {
  if (line === '') return '';
  const cells = JSON.parse(line) as readonly (string | number | boolean)[];
  const named = names.flatMap((name, at): [string, string | number | boolean][] =>
    name === '' ? [] : [[name, cells[at] ?? '']],
  );
  return JSON.stringify(Object.fromEntries(named));
}

import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { say } from '../../../domain/errors/sentences.js';
import { readSheet, type WorkbookChoice } from './read-sheet.js';
import type { SheetLines } from './sheet-rows.js';
import { MIB, WorkbookRefusal, type WorkbookLimits } from './workbook-limits.js';

/** What the thread is given. */
export interface WorkbookOrder {
  readonly workbook: Uint8Array;
  readonly choice: WorkbookChoice;
  readonly limits: WorkbookLimits;
}

/** What the thread answers: the sheet, the rule that the workbook breaks, or that it cannot be read. */
export type WorkbookAnswer =
  | { readonly sheet: SheetLines }
  | { readonly refusal: Pick<WorkbookRefusal, 'rule' | 'place'> }
  | { readonly cause: unknown };

const { workbook, choice, limits } = workerData as WorkbookOrder;

/** V8 has no limit for a thread where the process has one (`--max-old-space-size`). */
function checkHeap(): void {
  if (getHeapStatistics().used_heap_size > limits.heapMegabytes * MIB)
    throw new WorkbookRefusal(say('workbook_costly'));
}

function answer(): WorkbookAnswer {
  try {
    return { sheet: readSheet(workbook, choice, limits, checkHeap) };
  } catch (error) {
    if (!(error instanceof WorkbookRefusal)) return { cause: error };
    const { rule, place } = error;
    return { refusal: { rule, place } };
  }
}

const answered = answer();
parentPort?.postMessage(
  answered,
  'sheet' in answered ? answered.sheet.lines.map(({ buffer }) => buffer) : [],
);

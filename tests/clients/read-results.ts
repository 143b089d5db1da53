import { readFile } from 'node:fs/promises';
import * as z from 'zod';

const RESULTS = z.object({
  outcomes: z.array(
    z.object({
      test: z.string(),
      state: z.enum(['passed', 'failed', 'skipped']),
      detail: z.string(),
    }),
  ),
  methods: z.record(z.string(), z.boolean()),
});

/** Reads the results of a client's suite, which the recorders next to this file write. */
export async function readResults(file: string): Promise<z.infer<typeof RESULTS>> {
  return RESULTS.parse(JSON.parse(await readFile(file, 'utf8')));
}

import { openStudy } from '../../server/open-study.js';
import { StudyLists } from '../../services/summary/study-lists.js';
import { StudySummaries } from '../../services/summary/study-summaries.js';
import { withClient, type ProjectChoice } from '../open-client.js';
import { summaryInWords } from '../printing/summary-in-words.js';
import { terminalWidth } from '../printing/terminal-width.js';
import { TOKEN_SCOPES } from '../token-scopes.js';

/** Prints the progress of the study, with bars or as JSON. */
export async function printSummary(options: ProjectChoice & { readonly json: boolean }): Promise<void> {
  await withClient(options, async ({ client, settings }) => {
    const study = await openStudy(settings);
    const summaries = new StudySummaries(client, new StudyLists(client, study), study);
    const summary = await summaries.withDaysToEntry(await summaries.summary(TOKEN_SCOPES), TOKEN_SCOPES);
    process.stdout.write(
      options.json
        ? `${JSON.stringify(summary, null, 2)}\n`
        : summaryInWords(summary, terminalWidth(process.stdout)),
    );
  });
}

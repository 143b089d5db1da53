import { Readable } from 'node:stream';
import type { CrfClient } from '../../gateways/redcap/crf-client.js';
import { reportFile } from '../../pages/dashboard/report-page.js';
import { textsIn } from '../../pages/texts/texts.js';
import { loadCommandSettings, type Settings } from '../../server/config/settings.js';
import { openStudy } from '../../server/open-study.js';
import { StudyLists } from '../../services/summary/study-lists.js';
import { StudySummaries } from '../../services/summary/study-summaries.js';
import { defineCommand } from '../command.js';
import { saveFile } from '../files/save-file.js';
import { withClient } from '../open-client.js';
import { choice, flag, value } from '../options/option.js';
import { JSON_OPTION } from '../options/shared-options.js';
import { summaryInWords } from '../printing/summary-in-words.js';
import { terminalWidth } from '../printing/table.js';

/** Whoever has the API token may read records, and the log as far as REDCap lets them. */
const TOKEN_SCOPES = ['project:read', 'records:read', 'log:read'] as const;

/** Prints the progress of the study, with bars or as JSON, or saves it as a report to print. */
export const command = defineCommand({
  args: {
    ...JSON_OPTION,
    report: value('Save a report to print as this HTML file, without scripts, instead of printing figures'),
    lang: choice('The language of the report', ['en', 'de'] as const, { default: 'en' as const }),
    force: flag('Replace the file of the report'),
  },
  examples: {
    '$0 summary --report study.html': 'The report for the monthly meeting, on one or two pages of A4',
  },
  run: async ({ report, lang, ...options }, io) => {
    if (report === undefined)
      return withClient(options, io, async ({ client, settings }) => {
        const { summary } = await summaryOf(client, settings);
        return { data: summary, text: summaryInWords(summary, terminalWidth(io.stdout)) };
      });
    return saveFile({ ...options, output: report }, 'report.html', io, async (client, signal) => {
      const { study, lists, summaries, summary } = await summaryOf(client, loadCommandSettings(io.env));
      const [quality, recent, names] = await Promise.all([
        summaries.quality(TOKEN_SCOPES),
        summaries.recent(TOKEN_SCOPES),
        lists.names({ signal }),
      ]);
      const due = names.hasSchedule ? await lists.page('due', {}, { signal }) : undefined;
      const page = reportFile(textsIn(lang, study.timeZone), {
        ...{ summary, filter: {}, names, quality, recent },
        visitsByDag: due?.visitsByDag,
      });
      return { name: 'report.html', body: Readable.from([Buffer.from(page)]) };
    });
  },
});

async function summaryOf(client: CrfClient, settings: Settings) {
  const study = await openStudy(settings);
  const lists = new StudyLists(client, study);
  const summaries = new StudySummaries(client, lists, study);
  const summary = await summaries.withDaysToEntry(await summaries.summary(TOKEN_SCOPES), TOKEN_SCOPES);
  return { study, lists, summaries, summary };
}

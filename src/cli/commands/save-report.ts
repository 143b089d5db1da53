import { Readable } from 'node:stream';
import { loadCommandSettings } from '../../server/config/settings.js';
import { reportFile } from '../../pages/dashboard/report-page.js';
import { textsIn, type Language } from '../../pages/texts/texts.js';
import { openStudy } from '../../server/open-study.js';
import { StudyLists } from '../../services/summary/study-lists.js';
import { StudySummaries } from '../../services/summary/study-summaries.js';
import { saveFile, type SaveArguments } from '../files/save-file.js';
import { TOKEN_SCOPES } from '../token-scopes.js';

/** Saves the report of the study as an HTML file. */
export async function saveReport({
  lang,
  ...options
}: SaveArguments & { readonly lang: Language }): Promise<void> {
  await saveFile(options, 'report.html', async (client, signal) => {
    const study = await openStudy(loadCommandSettings());
    const lists = new StudyLists(client, study);
    const summaries = new StudySummaries(client, lists, study);
    const call = { signal };
    const [summary, quality, recent, names] = await Promise.all([
      summaries.summary(TOKEN_SCOPES).then((made) => summaries.withDaysToEntry(made, TOKEN_SCOPES)),
      summaries.quality(TOKEN_SCOPES),
      summaries.recent(TOKEN_SCOPES),
      lists.names(call),
    ]);
    const due = names.hasSchedule ? await lists.page('due', {}, call) : undefined;
    const report = reportFile(textsIn(lang, study.timeZone), {
      ...{ summary, filter: {}, names, quality, recent },
      visitsBySite: due?.visitsBySite,
    });
    return { name: 'report.html', body: Readable.from([Buffer.from(report)]) };
  });
}

import { toIds, toList } from '../options/list-option.js';
import { saveFile, type SaveArguments } from '../files/save-file.js';

export interface ProjectXmlArguments extends SaveArguments {
  readonly metadataOnly: boolean;
  readonly records?: readonly string[];
  readonly fields?: readonly string[];
  readonly events?: readonly string[];
  readonly filter?: string;
  readonly surveyFields: boolean;
  readonly dags: boolean;
  readonly files: boolean;
}

/** `crf project xml`: writes to standard output or a file. */
export async function saveProjectXml(options: ProjectXmlArguments): Promise<void> {
  const { output = '-' } = options;
  await saveFile({ ...options, output }, 'project.REDCap.xml', async (client, signal) => ({
    name: 'project.REDCap.xml',
    body: await client.projects.openXml({
      signal,
      metadataOnly: options.metadataOnly,
      records: toIds(options.records),
      fields: toList(options.fields),
      events: toList(options.events),
      filterLogic: options.filter,
      exportSurveyFields: options.surveyFields,
      exportDataAccessGroups: options.dags,
      exportFiles: options.files,
    }),
  }));
}

import { isObject } from '../../domain/identifiers/check-options.js';
import { EXPORTED_ONLY } from '../../gateways/redcap/contents/project.js';
import type { ProjectInfo, ProjectSettings } from '../../gateways/redcap/crf-client.js';
import { DesignService } from '../../services/design/design-service.js';
import { defineCommand, subcommand } from '../command.js';
import { parseJson, readTextFile } from '../files/read-files.js';
import { needed } from '../options/option.js';
import { DRY_RUN, ENCODING_OPTION, JSON_OPTION } from '../options/shared-options.js';
import { changed } from '../printing/design-change.js';
import { printable, said } from '../printing/table.js';

const putCommand = subcommand({
  usage: 'put <file>',
  describe: 'Change what a JSON object has; what is not in it stays',
  args: {
    file: needed('JSON file; - for standard input'),
    ...ENCODING_OPTION,
    ...DRY_RUN,
    ...JSON_OPTION,
  },
  examples: { 'echo \'{"title":"Cohort 2026"}\' | $0 info put -': 'Rename the project' },
  writes: async ({ client }, { file, dryRun, ...options }, io) => {
    const settings = settingsOf(await readTextFile(file, io, 'file', options));
    return changed(await new DesignService(client).putInfo(settings, { dryRun }), io);
  },
});

export const command = defineCommand({
  args: JSON_OPTION,
  subcommands: [putCommand],
  reads: async ({ client }) => {
    const info = await client.project.getInfo();
    return { data: info, text: projectInWords(info) };
  },
});

const PURPOSES = ['practice', 'other', 'research', 'quality improvement', 'operational support'];

/** @returns the project as lines of text, without those that would be empty */
function projectInWords(project: ProjectInfo): string {
  const lines: readonly (readonly [string, string])[] = [
    ['Project', `${project.id}, made on ${project.creationTime}`],
    ['State', project.isInProduction ? `in production since ${project.productionTime}` : 'in development'],
    ['Purpose', [PURPOSES[project.purpose] ?? 'unknown', project.purposeOther].filter(Boolean).join(': ')],
    ['Design', designOf(project)],
    ['Record ids', project.recordAutonumberingEnabled ? 'numbered by REDCap' : 'given with the record'],
    ['Also uses', modulesOf(project)],
    ['Unique field', project.secondaryUniqueField],
    ['Investigator', `${project.piFirstName} ${project.piLastName}`],
    ['Ethics (IRB)', project.irbNumber],
    ['Grant', project.grantNumber],
    ['Missing data', project.missingDataCodes],
    ['Language', project.language],
    ['Notes', project.notes],
  ];
  const known = lines
    .map(([name, text]) => [name, printable(text)] as const)
    .filter(([, text]) => text !== '');
  return [printable(project.title), ...known.map(([name, text]) => `  ${name.padEnd(14)}${text}`), ''].join(
    '\n',
  );
}

function designOf({ isLongitudinal, hasRepeatingInstrumentsOrEvents }: ProjectInfo): string {
  const events = isLongitudinal ? 'longitudinal, with events' : 'classic, without events';
  return hasRepeatingInstrumentsOrEvents ? `${events}; instruments or events repeat` : events;
}

function modulesOf(project: ProjectInfo): string {
  return said(
    project.surveysEnabled && 'surveys',
    project.schedulingEnabled && 'scheduling',
    project.randomizationEnabled && 'randomization',
  ).join(', ');
}

/**
 * Reads settings, such as `crf info --json` prints, without those that REDCap's API cannot change. Whether they are
 * settings is for the client to say.
 *
 * @throws {InvalidRequestError} the text is not an object of JSON
 */
export function settingsOf(text: string): ProjectSettings {
  const settings = parseJson(text, isObject, 'must hold a JSON object');
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !Object.hasOwn(EXPORTED_ONLY, name)));
}

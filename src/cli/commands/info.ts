import type { ProjectInfo } from '../../gateways/redcap/crf-client.js';
import { defineCommand } from '../command.js';
import { JSON_OPTION } from '../options/shared-options.js';
import { printable, said } from '../printing/table.js';

export const command = defineCommand({
  args: JSON_OPTION,
  reads: async ({ client }, { json }) => {
    const info = await client.getProjectInfo();
    return json ? JSON.stringify(info, null, 2) : projectInWords(info);
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

import type { NewProject } from '../../gateways/redcap/crf-client.js';
import { confirm, type YesArguments } from '../options/confirm.js';
import { namesInWords } from '../printing/names-in-words.js';
import { withClient } from '../open-client.js';

export interface CreateProjectArguments extends YesArguments {
  title: string;
  purpose: number;
  purposeOther?: string | undefined;
  notes?: string | undefined;
  longitudinal: boolean;
  surveys: boolean;
  autonumber: boolean;
}

/** Creates a project with a super token, and prints the token of the new project. */
export async function createProject(options: CreateProjectArguments): Promise<void> {
  const project: NewProject = {
    title: options.title,
    purpose: options.purpose,
    purposeOther: options.purposeOther,
    notes: options.notes,
    isLongitudinal: options.longitudinal,
    surveysEnabled: options.surveys,
    recordAutonumberingEnabled: options.autonumber,
  };
  await confirm(`Make the project ${namesInWords([options.title])}, and print its token`, options.yes);
  await withClient({ ...options, needsProject: true }, async ({ client }) => {
    process.stdout.write(`${await client.projects.create(project)}\n`);
    process.stderr.write(
      'The token gives access to everything in the project: keep it as safe as the super token.\n',
    );
  });
}

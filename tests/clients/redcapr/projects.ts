import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { loadStudy } from '../../../src/sandbox/demo-study/load-study.js';
import { ALL_RIGHTS } from '../../../src/sandbox/redcap/rights.js';
import type { Study, StudyUser } from '../../../src/sandbox/redcap/study.js';

/** One line of the client's own list of test projects. */
const CREDENTIAL = z.object({
  redcap_uri: z.string(),
  username: z.string(),
  project_id: z.string(),
  token: z.string().regex(/^[0-9A-F]{32}$/),
  comment: z.string(),
});

export type Credential = z.infer<typeof CREDENTIAL>;

/** A test project of the client: what it is, and who has a token for it. */
export interface ClientProject {
  readonly tag: string;
  readonly study: Study;
}

/** The test projects that the client's folder describes, as the server had them that its tests were written for. */
export async function readProjects(client: string): Promise<ClientProject[]> {
  const credentials = await readCredentials(client);
  const tags = await readTags(client);
  const folders = new Set(await readdir(path.join(client, 'inst/test-data/projects')));
  const projects: ClientProject[] = [];
  for (const [id, tag] of tags) {
    const owners = credentials.filter(({ project_id }) => project_id === id);
    if (!folders.has(tag) || owners.length === 0) continue;
    const study = await readStudy(path.join(client, 'inst/test-data/projects', tag));
    if (study !== undefined) projects.push({ tag, study: { ...study, rows: [], users: owners.map(userOf) } });
  }
  return projects;
}

async function readCredentials(client: string): Promise<Credential[]> {
  const text = await readFile(path.join(client, 'inst/misc/example.credentials'), 'utf8');
  const rows: unknown[] = parse(text, { columns: true, comment: '#', relax_quotes: true, trim: true });
  return rows.flatMap((row) => {
    const credential = CREDENTIAL.safeParse(row);
    return credential.success ? [credential.data] : [];
  });
}

/** The tag of each project, by its number on the server that is the client's default. */
async function readTags(client: string): Promise<Map<string, string>> {
  const text = await readFile(path.join(client, 'inst/misc/project-redirection.yml'), 'utf8');
  const server = text.split(/^-$/m).find((part) => part.includes('instance: dev-2')) ?? '';
  return new Map([...server.matchAll(/^\s+- ([\w-]+): (\d+)/gm)].map(([, tag = '', id = '']) => [id, tag]));
}

async function readStudy(folder: string): Promise<Study | undefined> {
  const text = (name: string): Promise<string | undefined> =>
    readFile(path.join(folder, name), 'utf8').catch(() => undefined);
  const dictionaryCsv = (await text('dictionary.csv')) ?? (await text('dictionay.csv'));
  if (dictionaryCsv === undefined) return undefined;
  try {
    return loadStudy({ dictionaryCsv, recordsCsv: await text('data.csv') }).study;
  } catch (error) {
    console.error(folder, (error as Error).message);
    return undefined;
  }
}

function userOf({ username, token }: Credential): StudyUser {
  return {
    username,
    email: '',
    firstName: '',
    lastName: '',
    token,
    expiration: '',
    group: '',
    role: '',
    rights: ALL_RIGHTS,
  };
}

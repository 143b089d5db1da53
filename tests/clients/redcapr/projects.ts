import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import * as z from 'zod';
import { readProjectXml } from '../../../src/sandbox/redcap/odm/read-project-xml.js';
import { ALL_RIGHTS } from '../../../src/sandbox/redcap/rights.js';
import type { Study, StudyRole, StudyUser } from '../../../src/sandbox/redcap/study.js';
import { WIDE_TAG } from './wide-project.js';

/** One line of the client's own list of its test projects. */
const CREDENTIAL = z.object({
  username: z.string(),
  project_id: z.string(),
  token: z.string().regex(/^[0-9A-F]{32}$/),
});

type Credential = z.infer<typeof CREDENTIAL>;

/** A test project of the client. */
export interface ClientProject {
  /** The name of the project in the client's tests, and of its folder. */
  readonly tag: string;
  readonly study: Study;
}

/**
 * The test projects described by the client's folder: a project XML for each, and in prose what it cannot contain: the
 * tokens with their roles and groups.
 *
 * @param wide the project without a file
 */
export async function readProjects(client: string, wide: Study | undefined): Promise<ClientProject[]> {
  const credentials = await readCredentials(client);
  const tags = await readTags(client);
  const projects = [...tags].map(async ([id, tag]) => {
    const owners = credentials.filter(({ project_id }) => project_id === id);
    if (owners.length === 0) return [];
    const study = tag === WIDE_TAG ? wide : await readStudy(client, tag);
    if (study === undefined) return [];
    const users = owners.map((owner) => userOf(owner, tag, study));
    return [{ tag, study: asOnTheServer(tag, { ...study, users }, Number(id)) }];
  });
  return (await Promise.all(projects)).flat();
}

async function readStudy(client: string, tag: string): Promise<Omit<Study, 'users'> | undefined> {
  const document = await readProjectFile(path.join(client, 'inst/test-data/projects'), tag);
  return document === undefined ? undefined : (await readProjectXml(document)).study;
}

/** The XML of a project. That of the wide projects is in an archive. */
async function readProjectFile(folder: string, tag: string): Promise<string | undefined> {
  const plain = await readFile(path.join(folder, tag, 'project.xml'), 'utf8').catch(() => undefined);
  if (plain !== undefined) return plain;
  const file = `${tag}/project.xml`;
  const names = new Set(await readdir(folder));
  if (names.has(`${tag}.zip`)) return unpack('unzip', ['-p', path.join(folder, `${tag}.zip`), file]);
  if (names.has(`${tag}.tar.xz`)) return unpack('tar', ['-xJOf', path.join(folder, `${tag}.tar.xz`), file]);
  return undefined;
}

async function unpack(command: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { maxBuffer: 256 * 1024 * 1024 });
  return stdout;
}

async function readCredentials(client: string): Promise<Credential[]> {
  const text = await readFile(path.join(client, 'inst/misc/example.credentials'), 'utf8');
  const rows: unknown[] = parse(text, { columns: true, comment: '#', relax_quotes: true, trim: true });
  return rows.flatMap((row) => CREDENTIAL.safeParse(row).data ?? []);
}

/** The name of each project, by its number on the default server of the client's tests. */
async function readTags(client: string): Promise<Map<string, string>> {
  const text = await readFile(path.join(client, 'inst/misc/project-redirection.yml'), 'utf8');
  const server = text.split(/^-$/m).find((part) => part.includes('instance: dev-2')) ?? '';
  return new Map([...server.matchAll(/^\s+- ([\w-]+): (\d+)/gm)].map(([, tag = '', id = '']) => [id, tag]));
}

/** The group of each user, by project and name in the list of tokens, according to the readme of each project. */
const GROUPS: ReadonlyMap<string, string> = new Map([
  ['dag/myusername', 'daga'],
  ['dag-write/user-dag1', 'daga'],
]);

function userOf(
  { username, token }: Credential,
  tag: string,
  { roles = [] }: Omit<Study, 'users'>,
): StudyUser {
  const isInGroup = username === 'user-dag1';
  return {
    username: isInGroup ? 'unittestphifree-dag1' : 'unittestphifree',
    email: isInGroup ? 'dag1@example.org' : 'phifree@example.org',
    firstName: 'Unit Test',
    lastName: isInGroup ? 'PHI Free DAG1' : 'Phi Free',
    token,
    expiration: '',
    group: GROUPS.get(`${tag}/${username}`) ?? '',
    role: roles.find(({ label }) => label === 'api')?.uniqueName ?? '',
    rights: ALL_RIGHTS,
  };
}

/**
 * Facts about the server that the client's tests assume and no file states: the numbers that it assigned, the creation
 * time of a project, and that choices of a project created from XML have no blanks around their bars
 * (docs/protocol/redcap.md 20).
 */
function asOnTheServer(tag: string, study: Study, id: number): Study {
  const isSimple = tag === 'simple';
  // The sandbox writes choices as dictionaries do, so that a project is unchanged after a round trip.
  const fields = study.fields.map((field) => ({
    ...field,
    choicesOrCalculations: field.choicesOrCalculations.replaceAll(' | ', '|'),
  }));
  return {
    ...study,
    fields: isSimple || tag === 'blank-for-gray-status' ? fields : study.fields,
    project: { ...study.project, id, ...(isSimple && { creationTime: '2024-10-10 20:21:18' }) },
    firstDocumentId: new Map([
      ['simple', 22],
      ['file-repo', 6649],
    ]).get(tag),
    ...(tag === 'dag' && { groups: study.groups?.map((group, index) => ({ ...group, id: 20 + index })) }),
    ...(isSimple && { roles: study.roles?.map(savedAnew) }),
    ...(isSimple && { reports: study.reports?.map((report) => ({ ...report, id: 12 })) }),
  };
}

/**
 * A role that was changed on the server after its file was written, by a REDCap with the new values of rights
 * (docs/protocol/redcap.md 20).
 */
function savedAnew(role: StudyRole): StudyRole {
  const forms = Object.fromEntries(Object.keys(role.formRights?.forms ?? {}).map((name) => [name, 130]));
  return {
    ...role,
    rights: { ...role.rights, manage_survey_participants: 0 },
    ...(role.formRights && { formRights: { ...role.formRights, forms } }),
  };
}

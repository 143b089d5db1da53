import { expect } from 'chai';
import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { backUp } from '../../../src/cli/backup/back-up.js';
import { BackupFolder, toBytes } from '../../../src/cli/backup/backup-folder.js';
import { compareRestored } from '../../../src/cli/backup/compare-restored.js';
import { endRestore, restore, type Restored } from '../../../src/cli/backup/restore.js';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import type { CrfClient, NewProject } from '../../../src/gateways/redcap/crf-client.js';
import { DEMO_TOKEN } from '../../../src/sandbox/demo-study/demo-study.js';
import { LAST_DAY } from '../../../src/sandbox/demo-study/made-up.js';
import { createNamedStudy } from '../../../src/sandbox/named-study.js';
import { startRedcapSandbox, type RedcapSandbox } from '../../../src/sandbox/redcap/redcap-sandbox.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { field } from '../../support/import-project.js';
import { armsStudy, classicStudy } from '../../support/studies.js';
import { WHOLE_STUDY } from '../../support/random-whole-study.js';

const SUPER_TOKEN = 'A1'.repeat(32);
const RUN = { signal: new AbortController().signal, onProgress: () => undefined };

describe('A backup', function () {
  this.timeout(120_000);

  let path: string;
  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'crf-backup-'));
  });
  afterEach(() => rm(path, { recursive: true }));

  it('is restored without a difference, to a project of any study (BACK-01)', async () => {
    await fc.assert(
      fc.asyncProperty(WHOLE_STUDY, async (study) => {
        const folder = join(path, String(Math.random()).slice(2));
        await withProject(study, async ({ from, sandbox }) => {
          await backedUp(from, folder);
          const copy = { title: 'Copy', purpose: 0 };
          const isBlank = study.project.missingDataCodes === '';
          const to = isBlank ? await made(sandbox, copy) : await copyOf(sandbox, folder);
          expect(await restored(to, folder)).to.deep.equal([]);
          to.close();
        });
      }),
      { numRuns: 20 },
    );
  });

  it('is restored with the files of every instance (BACK-01)', async () => {
    await withProject(repeatingStudy(), async ({ from, sandbox }) => {
      const files = repeatingStudy().files ?? [];
      expect(await backedUp(from, path)).to.deep.include({ fetched: files.length + 3, kept: 0 });
      const to = await copyOf(sandbox, path);
      const done = await restore(to, await BackupFolder.toRead(path), RUN);

      expect(await differencesOf(to, path, done)).to.deep.equal([]);
      for (const { record, event, instance, field: name, bytes } of files) {
        const place = { record, event, field: name, ...(instance > 0 && { instance }) };
        const file = await to.files.get(place);
        expect([file.name, await textOf(file.body)]).to.deep.equal([
          `${name} ${instance}.txt`,
          String(bytes),
        ]);
      }

      const changed = { record: '1', event: 'visit_arm_1', field: 'photo', instance: 2 };
      await to.files.put(changed, { name: 'photo 2.txt', bytes: Buffer.from('other') });
      await to.files.delete({ record: '1', event: 'start_arm_1', field: 'label', instance: 1 });
      expect(await differencesOf(to, path, done)).to.have.members([
        'records: 1 start_arm_1 meds 1: label',
        'files: 1 visit_arm_1 2: photo differs',
        'files: 1 start_arm_1 1: label is absent',
      ]);
      to.close();
    });
  });

  it('says exactly what is not as it was', async () => {
    await withProject(groupedStudy(), async ({ from, sandbox }) => {
      await backedUp(from, path);
      const to = await copyOf(sandbox, path);
      const done = await restore(to, await BackupFolder.toRead(path), RUN);
      await to.importRecords(
        [
          { id: '2', age: '31' },
          { id: 'new', age: '1' },
        ],
        { check: false },
      );
      await to.users.put([{ username: 'site_admin', rights: { record_delete: 1 } }]);
      await to.records.delete(['10']);
      await to.files.put({ record: 'A-1', field: 'scan' }, { name: 'scan.txt', bytes: Buffer.from('other') });
      await to.users.put([{ username: 'monitor', rights: { design: 1 } }]);
      await to.project.putInfo({ notes: 'Other' });
      await to.dags.put([{ name: 'West' }]);
      const [file] = (await to.fileRepository.list()).filter(({ kind }) => kind === 'file');
      await to.fileRepository.delete(file?.id ?? 0);

      expect(await differencesOf(to, path, done)).to.have.members([
        'settings: notes',
        'dags: West is too much',
        'users: monitor differs',
        'records: 2: age',
        'records: 10 is absent',
        'records: new is too much',
        'files: A-1: scan differs',
        'repository: protocol.pdf is absent',
      ]);
      to.close();
    });
  });

  it('gives groups that have other unique names to users and records', async () => {
    await withProject(groupedStudy(), async ({ from, sandbox }) => {
      await backedUp(from, path);
      const to = await copyOf(sandbox, path);

      expect(await restored(to, path)).to.deep.equal([]);
      expect((await to.dags.list()).map(({ uniqueName }) => uniqueName)).to.deep.equal([
        'centre_hospitalier',
      ]);
      const [row] = await to.exportRecords({ records: ['A-1'], exportDataAccessGroups: true });
      expect(row?.redcap_data_access_group).to.equal('centre_hospitalier');
      to.close();
    });
  });

  it('leaves out the participants of instruments that are no surveys', async () => {
    await withProject(
      await createNamedStudy({ study: 'longitudinal', until: LAST_DAY }),
      async ({ from }) => {
        await backedUp(from, path);
        const lists = JSON.parse(await readFile(join(path, 'participants.json'), 'utf8')) as {
          instrument: string;
        }[];
        expect(new Set(lists.map(({ instrument }) => instrument))).to.deep.equal(
          new Set(['quality_of_life']),
        );
      },
    );
  });

  it('fetches only files that it does not have, and drops those that the project no longer has', async () => {
    await withProject(groupedStudy(), async ({ from }) => {
      expect(await backedUp(from, path)).to.include({ fetched: 4, kept: 0 });
      expect(await backedUp(from, path)).to.include({ fetched: 0, kept: 4 });
      const before = await readdir(join(path, 'files'));
      await from.files.put({ record: 'A-1', field: 'scan' }, { name: 'new.txt', bytes: Buffer.from('new') });

      expect(await backedUp(from, path)).to.include({ fetched: 1, kept: 3 });
      const after = await readdir(join(path, 'files'));
      expect(after).to.have.length(1).and.to.not.deep.equal(before);
      await writeFile(join(path, 'files', after[0] ?? ''), 'rotten');
      expect(await brokenIn(path)).to.deep.equal([`files/${after[0]}`]);
      expect(await backedUp(from, path)).to.include({ fetched: 1, kept: 3 });
      expect(await brokenIn(path)).to.deep.equal([]);
    });
  });

  it('goes on after a crash at any call, and fetches no file twice', async () => {
    await withProject(groupedStudy(), async ({ sandbox }) => {
      let keptAtLast = 0;
      for (let last = 0, isWhole = false; !isWhole; last += 1) {
        const folder = join(path, String(last));
        const crash = crashAt(sandbox, last);
        const first = clientOf(sandbox, DEMO_TOKEN, crash.onCall);
        isWhole = await backedUp(first, folder).then(
          () => true,
          () => false,
        );
        crash.end();
        first.close();
        if (isWhole) break;
        const again = clientOf(sandbox, DEMO_TOKEN);
        const { fetched, kept } = await backedUp(again, folder);
        again.close();
        expect([fetched + kept, await brokenIn(folder)], `call ${last}`).to.deep.equal([4, []]);
        expect(kept).to.be.gte(keptAtLast);
        keptAtLast = kept;
      }
      expect(keptAtLast).to.equal(4);
    });
  });

  it('is the old one or the new one after a crash at any of its moves', async () => {
    await withProject(groupedStudy(), async ({ from }) => {
      await backedUp(from, path);
      const { manifest } = await BackupFolder.toRead(path);
      for (let last = 0; last <= (manifest?.parts.length ?? 0); last += 1) {
        const folder = await BackupFolder.toWrite(path);
        for (const part of manifest?.parts ?? []) await folder.writePart(part.path, toBytes([`run ${last}`]));
        let moves = 0;
        const crash = async (one: string, other: string): Promise<void> => {
          if (moves === last) throw new Error('crash');
          moves += 1;
          await rename(one, other);
        };
        const about = { at: `run ${last}`, redcap: '', project: { id: 1, title: '' }, leftOut: [] };
        await folder.commit(about, crash as typeof rename).catch(() => undefined);

        const after = await BackupFolder.toRead(path);
        expect(after.manifest?.at).to.equal(`run ${last}`);
        expect(await after.readText('info.json')).to.equal(`run ${last}`);
      }
    });
  });

  it('is restored by the same command after a crash at any call, and nothing is stored twice (BACK-02)', async () => {
    await withProject(groupedStudy(), async ({ from, sandbox }) => {
      await backedUp(from, path);
      for (let last = 0, isWhole = false; !isWhole; last += 1) {
        const crash = crashAt(sandbox, last);
        const first = await copyOf(sandbox, path, crash.onCall);
        isWhole = await restored(first, path).then(
          () => true,
          () => false,
        );
        crash.end();
        const token = tokens.at(-1) ?? '';
        first.close();
        if (isWhole) break;
        const again = clientOf(sandbox, token);
        expect(await restored(again, path), `call ${last}`).to.deep.equal([]);
        expect(await again.fileRepository.list()).to.have.length(2);
        expect((await again.dags.list()).length + (await again.roles.list()).length).to.equal(2);
        again.close();
      }
    });
  });

  it('is refused to a token that may not read a part, unless the part is left out', async () => {
    await withProject(groupedStudy(), async ({ from, sandbox }) => {
      await from.users.put([
        {
          username: 'reader',
          rights: { api_export: 1, file_repository: 1, user_rights: 2, data_access_groups: 1 },
          formsExport: { base: 1 },
        },
      ]);
      const { study } = sandbox.project;
      const token = 'B'.repeat(32);
      const users = study.users.map((user) => (user.username === 'reader' ? { ...user, token } : user));
      sandbox.project.redesign({ users });
      const reader = clientOf(sandbox, token);

      expect(await refusalOf(backedUp(reader, path))).to.include('--without log');
      const { manifest } = await backUp(reader, await BackupFolder.toWrite(path), {
        ...RUN,
        without: ['log'],
      });
      expect(manifest.leftOut[0]).to.deep.equal({ what: 'log', why: 'left out with --without' });
      expect(await brokenIn(path)).to.deep.equal([]);

      await from.users.put([{ username: 'reader', formsExport: { base: 3 } }]);
      const fields = study.fields.map((entry) => ({ ...entry, isIdentifier: entry.name === 'age' }));
      sandbox.project.redesign({ fields });
      reader.clearCache();
      const partial = backUp(reader, await BackupFolder.toWrite(path), { ...RUN, without: ['log'] });
      expect(await refusalOf(partial)).to.include("age is hidden from the token's user");
      reader.close();
    });
  });

  it('has no file outside its folder, even if a list of somebody else names it with its digest', async () => {
    await writeFile(join(path, 'outside'), 'secret');
    const folder = await BackupFolder.toWrite(join(path, 'backup'));
    const sha256 = createHash('sha256').update('secret').digest('hex');
    const named = async (document: string) => {
      const line = { id: 1, path: document, bytes: 6, sha256, name: 'a', contentType: 'text/plain' };
      await writeFile(join(path, 'backup', 'files.ndjson'), `${JSON.stringify(line)}\n`);
      return allOf(folder.everyPart());
    };

    await writeFile(join(path, 'backup', 'files', '1'), 'secret');
    for (const part of await named('files/1')) expect(await folder.isWhole(part)).to.equal(true);
    for (const outside of ['../outside', 'files/../../outside', join(path, 'outside')])
      expect(await refusalOf(named(outside)), outside).to.equal(
        'files.ndjson, line 1, is not as crf backup writes it: path.',
      );
  });

  it('says which file, line and property is not as a backup has it', async () => {
    await withProject(groupedStudy(), async ({ from, sandbox }) => {
      await backedUp(from, path);
      const to = await copyOf(sandbox, path);
      for (const [name, text, place] of [
        ['files.ndjson', '[]\n', 'files.ndjson, line 1, is not as crf backup writes it.'],
        [
          'repository.ndjson',
          '{"id":1\n',
          'repository.ndjson, line 1, is not JSON, as crf backup writes it.',
        ],
        ['manifest.json', '{"format":1}', 'manifest.json is not as crf backup writes it: at.'],
        ['manifest.json', 'null', 'manifest.json is not as crf backup writes it.'],
      ] as const) {
        const before = await readFile(join(path, name));
        await writeFile(join(path, name), text);
        const parts = async () => allOf((await BackupFolder.toRead(path)).everyPart());
        expect(await refusalOf(parts())).to.equal(place);
        await writeFile(join(path, name), before);
      }
      for (const [name, text, place] of [
        [
          'info.json',
          '{"missingDataCodes":7}',
          'info.json is not as crf backup writes it: missingDataCodes.',
        ],
        ['dictionary.json', '[{"name":7}]', 'dictionary.json is not as crf backup writes it: 0.name.'],
        ['records.ndjson', '{"id":[]}\n', 'records.ndjson, line 1, is not as crf backup writes it: id.'],
        ['folders.json', '{}', 'folders.json is not as crf backup writes it.'],
      ] as const) {
        const before = await readFile(join(path, name), 'utf8');
        const manifest = await readFile(join(path, 'manifest.json'), 'utf8');
        const digest = (content: string) => createHash('sha256').update(content).digest('hex');
        const changed = manifest
          .replace(digest(before), digest(text))
          .replace(new RegExp(`("path": "${name}",\\s+"bytes": )\\d+`), `$1${text.length}`);
        await writeFile(join(path, name), text);
        await writeFile(join(path, 'manifest.json'), changed);
        expect(await refusalOf(restored(to, path)), name).to.equal(place);
        await writeFile(join(path, name), before);
        await writeFile(join(path, 'manifest.json'), manifest);
      }
      to.close();
    });
  });

  it('removes nothing outside its folder, whatever links one of somebody else has', async () => {
    await withProject(groupedStudy(), async ({ from }) => {
      await backedUp(from, path);
      const victim = await mkdtemp(join(tmpdir(), 'crf-victim-'));
      await writeFile(join(victim, '7'), 'mine');
      await rm(join(path, 'files'), { recursive: true });
      await symlink(victim, join(path, 'files'));
      // A backup that ended while it moved its parts, so that whoever opens it goes on.
      await mkdir(join(path, '.part'));
      await copyFile(join(path, 'manifest.json'), join(path, '.part', 'manifest.json'));

      for (const isRead of [true, false])
        expect(await refusalOf(isRead ? BackupFolder.toRead(path) : BackupFolder.toWrite(path))).to.include(
          'its files is a link or a file, not a folder',
        );
      expect(await readdir(victim)).to.deep.equal(['7']);
      await rm(victim, { recursive: true });
    });
  });

  it('does not wait for a named pipe in the place of one of its files', async () => {
    await withProject(groupedStudy(), async ({ from }) => {
      await backedUp(from, path);
      const folder = await BackupFolder.toRead(path);
      const reading = {
        'manifest.json': () => BackupFolder.toRead(path),
        'files.ndjson': () => folder.knownDocuments('files.ndjson'),
        'project.xml': () => folder.readText('project.xml'),
      };
      for (const [name, read] of Object.entries(reading)) {
        await rename(join(path, name), join(path, 'aside'));
        execFileSync('mkfifo', [join(path, name)]);

        expect(await refusalOf(read())).to.include(`its ${name} is not a file`);
        const part = folder.manifest?.parts.find((found) => found.path === name);
        if (part !== undefined) expect(await folder.isWhole(part)).to.equal(false);
        await rename(join(path, 'aside'), join(path, name));
      }
    });
  });

  it('writes nothing through links, whatever name of its next backup is one', async () => {
    await withProject(groupedStudy(), async ({ from }) => {
      await backedUp(from, path);
      const victims = await mkdtemp(join(tmpdir(), 'crf-victim-'));
      const names = [...(await readdir(path, { recursive: true })), 'document', 'whole.json', 'files.ndjson.journal', 'files.ndjson.journal.new']; // prettier-ignore
      const parts = names.filter((name) => !/^(?:files|repository)(?:$|\/)/.test(name) && name !== 'manifest.json'); // prettier-ignore
      await mkdir(join(path, '.part'));
      for (const name of parts) {
        await writeFile(join(victims, name), 'mine');
        await symlink(join(victims, name), join(path, '.part', name)).catch(() => undefined);
      }

      await backedUp(from, path);

      for (const name of parts) expect(await readFile(join(victims, name), 'utf8'), name).to.equal('mine');
      await rm(victims, { recursive: true });
    });
  });

  it('is not restored to a project that has records, or from files that have changed', async () => {
    await withProject(groupedStudy(), async ({ from, sandbox }) => {
      await backedUp(from, path);
      expect(await refusalOf(restored(from, path))).to.include('The project is not empty');

      await writeFile(join(path, 'records.ndjson'), '');
      const to = await copyOf(sandbox, path);
      expect(await refusalOf(restored(to, path))).to.include('records.ndjson is not as it was written');
      expect(await to.exportRecords()).to.deep.equal([]);
      to.close();
    });
  });
});

interface Project {
  readonly sandbox: RedcapSandbox;
  readonly from: CrfClient;
}

/** Starts a project with folders and files in its repository. */
async function withProject(study: Study, test: (project: Project) => Promise<void>): Promise<void> {
  const sandbox = await startRedcapSandbox({ study, superToken: SUPER_TOKEN });
  const from = clientOf(sandbox, DEMO_TOKEN);
  try {
    await from.fileRepository.put({ name: 'protocol.pdf', bytes: Buffer.from('version 1') });
    const outer = await from.fileRepository.createFolder({ name: 'Ethics' });
    const inner = await from.fileRepository.createFolder({ name: 'Votes', parent: outer });
    for (const vote of ['yes', 'no'])
      await from.fileRepository.put({ name: 'vote.txt', bytes: Buffer.from(vote) }, { folder: inner });
    await test({ sandbox, from });
  } finally {
    from.close();
    await sandbox.close();
  }
}

function clientOf(sandbox: RedcapSandbox, token: string, onCall: () => void = () => undefined): CrfClient {
  return createCrfClient({
    url: sandbox.url,
    token,
    resilience: { maxRetries: 0, callsPerMinute: 0 },
    observer: {
      began: () => {
        onCall();
        return () => undefined;
      },
      sent: () => () => undefined,
      circuitChanged: () => undefined,
    },
  });
}

/** Puts REDCap offline when a client makes its call of this number, until the end. */
function crashAt(sandbox: RedcapSandbox, call: number): { onCall: () => void; end: () => void } {
  let calls = 0;
  return {
    onCall: () => {
      if (calls === call) sandbox.fault = 'offline';
      calls += 1;
    },
    end: () => {
      sandbox.fault = undefined;
    },
  };
}

/** A study with a file, a role, and a group whose unique name says that there was another group before it. */
function groupedStudy(): Study {
  const classic = classicStudy();
  const group = { name: 'Centre hospitalier de Brest', uniqueName: 'centre_hospitalier2', id: 2 };
  const [manager, monitor] = classic.users;
  if (manager === undefined || monitor === undefined) throw new Error('the study has two users');
  return {
    ...classic,
    fields: [...classic.fields, field('scan', { instrument: 'base', type: 'file' })],
    groups: [group],
    roles: [{ uniqueName: 'U-ABCDEFGHIJ', label: 'Monitor', rights: monitor.rights }],
    users: [
      manager,
      { ...monitor, username: 'monitor', group: group.uniqueName },
      { ...monitor, username: 'coder', token: '', role: 'U-ABCDEFGHIJ' },
    ],
    rows: classic.rows.map((row) =>
      row.id === 'A-1' ? { ...row, scan: 'scan.txt', redcap_data_access_group: group.uniqueName } : row,
    ),
    files: [
      {
        record: 'A-1',
        event: '',
        instrument: '',
        instance: 0,
        field: 'scan',
        name: 'scan.txt',
        type: 'text/plain',
        bytes: Buffer.from('a scan'),
      },
    ],
  };
}

/** A study with files on an event, on instances of a repeating instrument, and on those of a repeating event. */
function repeatingStudy(): Study {
  const arms = armsStudy();
  const at = (event: string, instrument: string, instance: number, name: string) => ({
    ...{ record: '1', event, instrument, instance, field: name },
    ...{ name: `${name} ${instance}.txt`, type: 'text/plain' },
    bytes: Buffer.from(`${name} of ${event}, ${instance}`),
  });
  const files = [
    at('start_arm_1', '', 0, 'consent'),
    ...[1, 2, 3].map((instance) => at('start_arm_1', 'meds', instance, 'label')),
    ...[1, 2].map((instance) => at('visit_arm_1', '', instance, 'photo')),
  ];
  return {
    ...arms,
    fields: [
      ...arms.fields.filter(({ instrument }) => instrument !== 'meds'),
      field('photo', { instrument: 'visit', type: 'file' }),
      ...arms.fields.filter(({ instrument }) => instrument === 'meds'),
      field('label', { instrument: 'meds', type: 'file' }),
    ],
    arms: arms.arms.slice(0, 2),
    rows: files.map(({ event, instrument, instance, field: name, name: file }) => ({
      id: '1',
      redcap_event_name: event,
      redcap_repeat_instrument: instrument,
      redcap_repeat_instance: instance === 0 ? '' : String(instance),
      [name]: file,
    })),
    files,
  };
}

async function backedUp(client: CrfClient, path: string): Promise<{ fetched: number; kept: number }> {
  return backUp(client, await BackupFolder.toWrite(path), { ...RUN, without: [] });
}

/** Returns the files of a backup that are not as they were written. */
async function brokenIn(path: string): Promise<string[]> {
  const folder = await BackupFolder.toRead(path);
  const broken: string[] = [];
  for await (const part of folder.everyPart()) if (!(await folder.isWhole(part))) broken.push(part.path);
  return broken;
}

async function allOf<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}

async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return (error as Error).message;
}

/** The tokens of the projects that were made, the last one last. */
const tokens: string[] = [];

/** Makes an empty project with the design of a backup. */
async function copyOf(sandbox: RedcapSandbox, folder: string, onCall?: () => void): Promise<CrfClient> {
  const odm = await readFile(join(folder, 'project.xml'), 'utf8');
  return made(sandbox, { title: 'Copy', purpose: 0, odm }, onCall);
}

async function made(sandbox: RedcapSandbox, project: NewProject, onCall?: () => void): Promise<CrfClient> {
  const creator = clientOf(sandbox, SUPER_TOKEN);
  const token = await creator.project.create(project);
  creator.close();
  tokens.push(token);
  return clientOf(sandbox, token, onCall);
}

/** Restores a backup, and returns what differs then. */
async function restored(to: CrfClient, path: string): Promise<string[]> {
  const folder = await BackupFolder.toRead(path);
  const done = await restore(to, folder, RUN);
  const differences = await differencesOf(to, path, done);
  await endRestore(folder);
  return differences;
}

async function differencesOf(to: CrfClient, path: string, done: Restored): Promise<string[]> {
  const differences: string[] = [];
  const folder = await BackupFolder.toRead(path);
  await compareRestored(to, folder, done, (difference) => differences.push(difference), RUN.signal);
  return differences;
}

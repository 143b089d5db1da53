import { expect } from 'chai';
import {
  appendFile,
  mkdtemp,
  open as openFile,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuditFile } from '../../../../src/gateways/audit/audit-file.js';
import { AuditTrail } from '../../../../src/services/audit/audit-trail.js';
import { verifyChain } from '../../../../src/services/audit/verify-chain.js';
import { rejection } from '../../../support/rejection.js';

describe('AuditFile', () => {
  let folder: string;
  let path: string;
  const open: AuditTrail[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'audit-'));
    path = join(folder, 'audit.log');
  });
  afterEach(async () => {
    for (const audit of open.splice(0)) await audit.close();
    await rm(folder, { recursive: true });
  });

  async function start(): Promise<AuditTrail> {
    const audit = new AuditTrail(new AuditFile(path));
    open.push(audit);
    await audit.start();
    return audit;
  }

  it('creates a file that others than its owner and group cannot read', async () => {
    await start();

    expect((await stat(path)).mode & 0o007).to.equal(0);
  });

  it('survives a rotation that moves the file, and continues the chain in the new file', async () => {
    const audit = await start();
    await rename(path, `${path}.1`);
    await audit.record({ event: 'call.begun' });
    await rename(path, `${path}.0`);
    await writeFile(path, '');
    await audit.record({ event: 'call.ended' });

    const report = await verifyFiles(`${path}.1`, `${path}.0`, path);
    expect(report).to.deep.include({ lines: 3, faults: [] });
  });

  it('survives a rotation that copies and truncates the file', async () => {
    const audit = await start();
    await writeFile(`${path}.1`, await readFile(path));
    await truncate(path);
    await audit.record({ event: 'call.begun' });

    expect(await verifyFiles(`${path}.1`, path)).to.deep.include({ lines: 2, faults: [] });
  });

  it('continues the chain of the newest rotated file when it starts with an empty file', async () => {
    const first = await start();
    await first.close();
    open.pop();
    await rename(path, `${path}-20261121`);
    await writeFile(`${path}.2`, '{"event":"older"}\n');
    await utimes(`${path}.2`, 1, 1);
    await start();

    expect(await verifyFiles(`${path}-20261121`, path)).to.deep.include({ lines: 3, faults: [] });
  });

  it('separates a line that a crash left incomplete from the lines after it', async () => {
    const first = await start();
    await first.close();
    open.pop();
    await appendFile(path, '{"seq":3,"at":"20');
    await start();

    expect(await verifyFiles(path)).to.deep.include({ torn: 1, faults: [] });
  });

  it('separates the lines that two crashes in a row left incomplete, the second while it started', async () => {
    const first = await start();
    await first.close();
    open.pop();
    await appendFile(path, '{"seq":3,"at":"2026-11-22","what":{"rows":1}\n{"se');
    await start();

    expect(await verifyFiles(path)).to.deep.include({ lines: 5, torn: 2, faults: [] });
  });

  it('continues after a line of any length', async () => {
    const first = await start();
    const names = Array.from({ length: 1000 }, (_, index) => `field_${'x'.repeat(90)}${index}`);
    await first.record({ event: 'call.begun', what: { fields: names } });
    await start();

    expect(await verifyFiles(path)).to.deep.include({ lines: 3, faults: [] });
  });

  it('separates a line that a crash left incomplete from the lines after it, also after a rotation', async () => {
    const first = await start();
    await first.close();
    open.pop();
    await appendFile(path, '{"seq":3,"at":"20');
    await rename(path, `${path}.1`);
    await start();

    expect(await verifyFiles(`${path}.1`, path)).to.deep.include({ lines: 4, torn: 1, faults: [] });
  });

  describe('when what a failed write left behind cannot be removed', () => {
    let restore: () => void;

    beforeEach(async () => (restore = await breakTruncation(folder)));
    afterEach(() => restore());

    it('continues the chain after the lines that were written but not confirmed', async () => {
      const audit = await start();
      const repair = await breakDisk(folder, 'datasync');
      await rejection(audit.record({ event: 'call.begun' }));
      repair();
      await audit.record({ event: 'call.ended' });

      expect(await verifyFiles(path)).to.deep.include({ lines: 3, torn: 0, faults: [] });
    });

    it('marks a line of which only a part was written', async () => {
      const audit = await start();
      const repair = await breakDisk(folder, 'write');
      await rejection(audit.record({ event: 'call.begun' }));
      repair();
      await audit.record({ event: 'call.ended' });

      expect(await verifyFiles(path)).to.deep.include({ lines: 3, torn: 1, faults: [] });
    });

    it('still continues after the last confirmed line if the log was cut in the meantime', async () => {
      const audit = await start();
      await audit.record({ event: 'call.begun' });
      const repair = await breakDisk(folder, 'datasync');
      await rejection(audit.record({ event: 'call.ended' }));
      repair();
      const [first = ''] = (await readFile(path, 'utf8')).split('\n');
      await writeFile(path, `${first}\n`);
      await audit.record({ event: 'call.ended' });

      const { faults } = await verifyFiles(path);
      expect(faults.map(({ message }) => message)).to.deep.equal([
        'follows on line 1 as 3: lines are missing',
      ]);
    });
  });

  it('refuses to write after another process has written', async () => {
    const audit = await start();
    await appendFile(path, 'whatever\n');

    expect(await rejection(audit.record({ event: 'call.begun' }))).to.have.property(
      'code',
      'audit_unavailable',
    );
  });

  it('reports audit_unavailable on a full disk', async () => {
    const audit = new AuditTrail(new AuditFile('/dev/full'));

    expect(await rejection(audit.start())).to.have.property('code', 'audit_unavailable');
  });
});

/** Fails every truncation of an open file, as of one that can only be appended to. @returns a function that ends it */
function breakTruncation(folder: string): Promise<() => void> {
  return replaceMethod(folder, 'truncate', () => Promise.reject(diskError()));
}

/** Fails after the first bytes of a write, or when they are flushed. @returns a function that ends it */
function breakDisk(folder: string, method: 'write' | 'datasync'): Promise<() => void> {
  return replaceMethod(folder, method, async function (this: FileHandle, bytes?: Uint8Array) {
    if (bytes !== undefined) await this.appendFile(bytes.subarray(0, 20));
    throw diskError();
  });
}

const diskError = (): Error => Object.assign(new Error('i/o error'), { code: 'EIO' });

/** Replaces a method of all open files, because no file system fails on demand. */
async function replaceMethod(
  folder: string,
  name: 'truncate' | 'write' | 'datasync',
  method: (this: FileHandle, bytes?: Uint8Array) => Promise<never>,
): Promise<() => void> {
  const file = await openFile(folder);
  const methods = Object.getPrototypeOf(file) as Record<typeof name, unknown>;
  await file.close();
  const { [name]: original } = methods;
  methods[name] = method;
  return () => (methods[name] = original);
}

function verifyFiles(...paths: string[]): ReturnType<typeof verifyChain> {
  return verifyChain(
    paths.map((name) => ({
      name,
      lines: (async function* () {
        yield* (await readFile(name, 'utf8')).split('\n');
      })(),
    })),
  );
}

import { expect } from 'chai';
import { describeWith } from '../../support/needed-programs.js';
import { as, importOf, ReplicaSet, type Answer } from './replica-set.js';

describeWith(
  ['redis', 'nginx', 'openssl'],
  'IN-22: A change of a record that others change too',
  function () {
    this.timeout(120_000);
    let set: ReplicaSet;

    before(async () => {
      set = await ReplicaSet.start(['writer']);
    });
    after(() => set.dispose());

    const json = (more: Record<string, string> = {}): Record<string, string> =>
      as('writer', { 'content-type': 'application/json', ...more });
    const patch = (replica: number, record: string, rows: readonly object[], etag: string): Promise<Answer> =>
      set.sendTo(replica, `/api/v1/records/${record}`, {
        ...{ method: 'PATCH', headers: json({ 'if-match': etag }), body: JSON.stringify({ rows }) },
      });
    const read = async (record: string) => {
      const { headers, text } = await set.sendTo(0, `/api/v1/records/${record}`, { headers: as('writer') });
      return { etag: headers.etag ?? '', row: JSON.parse(text).data[0] };
    };

    for (let round = 1; round <= 5; round += 1)
      it(`SHARE-01: is made by one of the authors who have read the same version, on any replica (${round})`, async () => {
        const mark = `lease-${round}`;
        const { path, sent } = importOf(mark, mark, 'writer', false);
        expect((await set.sendTo(0, path, sent)).status).to.equal(200);
        const record = JSON.parse(sent.body ?? '').records[0].record_id as string;
        const { etag } = await read(record);

        const names = Array.from({ length: 9 }, (_, index) => `author ${index}`);
        const answers = await Promise.all(
          names.map((last_name, index) => patch(index % 3, record, [{ last_name }], etag)),
        );
        const stored = names.filter((_, index) => answers[index]?.status === 200);
        expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([
          ...[200, 412, 412, 412, 412, 412, 412, 412, 412],
        ]);
        expect((await read(record)).row).to.include({ last_name: stored[0] });
      });

    it('SHARE-01: is not made after an import on another replica that its author has not seen', async () => {
      const { path, sent } = importOf('import', 'import', 'writer', false);
      await set.sendTo(0, path, sent);
      const record = JSON.parse(sent.body ?? '').records[0].record_id as string;
      const { etag } = await read(record);
      const body = JSON.stringify({ records: [{ record_id: record, last_name: 'imported' }] });
      const [imported, patched] = await Promise.all([
        set.sendTo(1, '/api/v1/records', { method: 'POST', headers: json(), body }),
        patch(2, record, [{ last_name: 'patched' }], etag),
      ]);

      expect(imported.status).to.equal(200);
      // Whichever comes first, the import wins: it makes no condition, and the change does.
      expect((await read(record)).row).to.include({ last_name: 'imported' });
      expect(patched.status).to.be.oneOf([200, 412]);
    });
  },
);

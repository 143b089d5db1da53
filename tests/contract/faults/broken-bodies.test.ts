import { expect } from 'chai';
import type { Fault, Framing } from '../../support/fault-server.js';
import { rejection } from '../../support/rejection.js';
import { download, EXPORTS, withFaults } from '../../support/fault-client.js';

const FRAMINGS: readonly Framing[] = ['length', 'chunked', 'close'];

describe('An upstream whose answer is interrupted', () => {
  for (const format of ['json', 'csv'] as const) {
    for (const framing of FRAMINGS) {
      for (const fraction of [0.01, 0.5, 0.99]) {
        it(`LIB-04: makes a ${format} export truncated at ${fraction * 100} % fail as a stream (${framing})`, async () => {
          const fault: Fault = { kind: 'cut', body: EXPORTS[format], fraction, framing };
          await withFaults(
            () => fault,
            async ({ client }) => {
              expect(await rejection(download(client, format))).to.include({
                code: 'upstream_unavailable',
                phase: 'body',
                isRetryable: true,
              });
            },
          );
        });
      }
    }

    it(`LIB-04: makes a ${format} export whose connection is reset fail as a stream`, async () => {
      const fault: Fault = { kind: 'cut', body: EXPORTS[format], fraction: 0.5, how: 'reset' };
      await withFaults(
        () => fault,
        async ({ client }) => {
          expect(await rejection(download(client, format))).to.include({
            code: 'upstream_unavailable',
            phase: 'body',
          });
        },
      );
    });

    it(`delivers a ${format} export that arrives in small pieces`, async () => {
      const fault: Fault = { kind: 'drip', body: EXPORTS[format], pieces: 40, everyMs: 2 };
      await withFaults(
        () => fault,
        async ({ client }) => {
          expect((await download(client, format)).toString()).to.equal(EXPORTS[format]);
        },
      );
    });

    it(`delivers a ${format} export whose first bytes arrive one by one`, async () => {
      const body = format === 'json' ? ' [ {"a":"1"} ]\n' : 'a,b\n1,2\n';
      await withFaults(
        () => ({ kind: 'drip', body, pieces: body.length, everyMs: 1 }),
        async ({ client }) => {
          expect((await download(client, format)).toString()).to.equal(body);
        },
      );
    });

    it(`LIB-04: refuses a ${format} export with bytes that are not UTF-8`, async () => {
      const value = Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80]);
      const [head, tail] = format === 'json' ? ['[{"name":"', '"}]'] : ['record_id,name\n1,', '\n'];
      const body = Buffer.concat([Buffer.from(head), value, Buffer.from(tail)]);
      await withFaults(
        () => ({ kind: 'answer', body }),
        async ({ client }) => {
          expect(await rejection(download(client, format))).to.have.property('code', 'upstream_invalid');
        },
      );
    });

    for (const framing of FRAMINGS) {
      it(`delivers a complete ${format} export (${framing})`, async () => {
        await withFaults(
          () => ({ kind: 'answer', body: EXPORTS[format], framing }),
          async ({ client }) => {
            expect((await download(client, format)).toString()).to.equal(EXPORTS[format]);
          },
        );
      });
    }
  }

  for (const framing of FRAMINGS) {
    for (const fraction of [0.01, 0.5, 0.99]) {
      it(`LIB-04: yields no rows of an answer truncated at ${fraction * 100} % (${framing})`, async () => {
        const fault: Fault = { kind: 'cut', body: EXPORTS.json, fraction, framing };
        await withFaults(
          () => fault,
          async ({ client }) => {
            expect(await rejection(client.exportRecords())).to.include({
              code: 'upstream_unavailable',
              phase: 'body',
            });
          },
        );
      });
    }
  }

  for (const charset of ['iso-8859-1', '"Windows-1252"', 'utf-16']) {
    it(`LIB-04: refuses an answer in ${charset}, and reads one in UTF-8 and ASCII`, async () => {
      const headers = { 'content-type': `application/json; Charset=${charset}` };
      await withFaults(
        () => ({ kind: 'answer', body: '[{"a":"1"}]', headers }),
        async ({ client }) => {
          for (const call of [client.exportRecords(), download(client, 'json')])
            expect(await rejection(call)).to.have.property('code', 'upstream_invalid');
          headers['content-type'] =
            charset === 'utf-16' ? 'text/html; charset=us-ascii' : 'text/csv;charset="UTF-8"';
          expect(await client.exportRecords()).to.deep.equal([{ a: '1' }]);
        },
      );
    });
  }

  it('LIB-04: yields no rows of an answer with bytes that are not UTF-8', async () => {
    const body = Buffer.concat([Buffer.from('[{"name":"a'), Buffer.from([0xff]), Buffer.from('b"}]')]);
    await withFaults(
      () => ({ kind: 'answer', body }),
      async ({ client }) => {
        expect(await rejection(client.exportRecords())).to.have.property('code', 'upstream_invalid');
      },
    );
  });

  it('makes an export that runs out of memory midway fail with that reason', async () => {
    const body = `${EXPORTS.json.slice(0, -2)}<br />\n<b>Fatal error</b>: x{"error":"REDCap ran out of server memory. The request cannot be processed."}`;
    await withFaults(
      () => ({ kind: 'answer', body }),
      async ({ client }) => {
        expect(await rejection(download(client, 'json'))).to.include({
          code: 'upstream_invalid',
          isOutOfMemory: true,
        });
      },
    );
  });

  it('STR-02: does not end the process when a stream without listeners fails', async () => {
    const fault: Fault = { kind: 'cut', body: EXPORTS.json, fraction: 0.99 };
    await withFaults(
      () => fault,
      async ({ client }) => {
        const stream = await client.openRecords({ format: 'json' });
        stream.resume();
        await new Promise((resolve) => stream.once('close', resolve));

        expect(stream.errored).to.have.property('code', 'upstream_unavailable');
      },
    );
  });
});

describe('A read that an overloaded REDCap answers with an empty body', () => {
  for (const format of ['json', 'csv'] as const) {
    it(`is retried, and is then complete (${format})`, async () => {
      const asked = new Map<string, number>();
      await withFaults(
        ({ form }) => {
          const asFormat = form.get('format') ?? '';
          asked.set(asFormat, (asked.get(asFormat) ?? 0) + 1);
          const isFirst = asFormat === format && asked.get(format) === 1;
          return { kind: 'answer', body: isFirst ? '' : EXPORTS[asFormat === 'csv' ? 'csv' : 'json'] };
        },
        async ({ client }) => {
          expect((await download(client, format)).toString()).to.equal(EXPORTS[format].toString());
          expect(asked.get(format)).to.equal(2);
        },
        { resilience: { maxRetries: 1 } },
      );
    });

    it(`fails rather than returning no records if the body stays empty (${format})`, async () => {
      await withFaults(
        () => ({ kind: 'answer', body: '' }),
        async ({ client }) => {
          expect(await rejection(download(client, format))).to.have.property('code', 'upstream_invalid');
        },
        { resilience: { maxRetries: 1 } },
      );
    });
  }

  it('is retried for a list of the project', async () => {
    let asked = 0;
    await withFaults(
      () => ({ kind: 'answer', body: (asked += 1) === 1 ? '' : '[]' }),
      async ({ client }) => {
        expect(await client.dags.list()).to.deep.equal([]);
        expect(asked).to.equal(2);
      },
      { resilience: { maxRetries: 1 } },
    );
  });

  it('is not retried for an import', async () => {
    let asked = 0;
    await withFaults(
      () => {
        asked += 1;
        return { kind: 'answer', body: '' };
      },
      async ({ client }) => {
        expect(
          await rejection(client.importRecords([{ record_id: 'participant-00000001' }], { check: false })),
        ).to.have.property('code', 'upstream_invalid');
        expect(asked).to.equal(1);
      },
      { resilience: { maxRetries: 1 } },
    );
  });
});

describe('An empty CSV export', () => {
  for (const blank of ['', '\n']) {
    it(`is accepted if the JSON export is empty too (body ${JSON.stringify(blank)})`, async () => {
      await withFaults(
        ({ form }) => ({ kind: 'answer', body: form.get('format') === 'csv' ? blank : '[]' }),
        async ({ client, server }) => {
          expect((await download(client, 'csv')).length).to.equal(0);
          expect(server.requests.map(({ form }) => form.get('format'))).to.deep.equal(['csv', 'json']);
        },
      );
    });
  }

  for (const [what, body] of [
    ['has rows', EXPORTS.json],
    ['has an empty body too', ''],
  ] as const) {
    it(`UP-02: is refused if the JSON export ${what}`, async () => {
      await withFaults(
        ({ form }) => ({ kind: 'answer', body: form.get('format') === 'csv' ? '' : body }),
        async ({ client }) => {
          expect(await rejection(download(client, 'csv'))).to.have.property('code', 'upstream_invalid');
        },
      );
    });
  }
});

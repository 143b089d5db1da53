import { expect } from 'chai';
import type { Fault, Framing } from '../../support/fault-server.js';
import { rejection } from '../../support/rejection.js';
import { download, EXPORTS, withFaults } from './fault-client.js';

const FRAMINGS: readonly Framing[] = ['length', 'chunked', 'close'];

describe('An upstream that breaks off', () => {
  for (const format of ['json', 'csv'] as const) {
    for (const framing of FRAMINGS) {
      for (const fraction of [0.01, 0.5, 0.99]) {
        it(`LIB-04: a ${format} export cut at ${fraction * 100} % (${framing}) fails as a stream`, async () => {
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

    it(`LIB-04: a ${format} export whose connection is reset in its midst fails as a stream`, async () => {
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

    it(`a ${format} export that comes in drips is whole`, async () => {
      const fault: Fault = { kind: 'drip', body: EXPORTS[format], pieces: 40, everyMs: 2 };
      await withFaults(
        () => fault,
        async ({ client }) => {
          expect((await download(client, format)).toString()).to.equal(EXPORTS[format]);
        },
      );
    });

    it(`a ${format} export of which the first bytes come one by one is whole`, async () => {
      const body = format === 'json' ? ' [ {"a":"1"} ]\n' : 'a,b\n1,2\n';
      await withFaults(
        () => ({ kind: 'drip', body, pieces: body.length, everyMs: 1 }),
        async ({ client }) => {
          expect((await download(client, format)).toString()).to.equal(body);
        },
      );
    });

    it(`a ${format} export with bytes that are no UTF-8 passes through unharmed`, async () => {
      const value = Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80]);
      const [head, tail] = format === 'json' ? ['[{"name":"', '"}]'] : ['record_id,name\n1,', '\n'];
      const body = Buffer.concat([Buffer.from(head), value, Buffer.from(tail)]);
      await withFaults(
        () => ({ kind: 'answer', body }),
        async ({ client }) => {
          expect((await download(client, format)).equals(body)).to.equal(true);
        },
      );
    });

    for (const framing of FRAMINGS) {
      it(`a whole ${format} export (${framing}) is whole`, async () => {
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
      it(`LIB-04: rows cut at ${fraction * 100} % (${framing}) are not given`, async () => {
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

  it('replaces bytes that are no UTF-8 in parsed rows', async () => {
    const body = Buffer.concat([Buffer.from('[{"name":"a'), Buffer.from([0xff]), Buffer.from('b"}]')]);
    await withFaults(
      () => ({ kind: 'answer', body }),
      async ({ client }) => {
        expect(await client.exportRecords()).to.deep.equal([{ name: 'a\uFFFDb' }]);
      },
    );
  });

  it('an export that runs out of memory on its way fails, and says so', async () => {
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

  it('STR-02: a stream that fails with nobody listening does not end the process', async () => {
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

describe('A read that a REDCap under load answers with nothing', () => {
  for (const format of ['json', 'csv'] as const) {
    it(`is asked again, and is whole (${format})`, async () => {
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

    it(`is an error, and never "no records", when it stays so (${format})`, async () => {
      await withFaults(
        () => ({ kind: 'answer', body: '' }),
        async ({ client }) => {
          expect(await rejection(download(client, format))).to.have.property('code', 'upstream_invalid');
        },
        { resilience: { maxRetries: 1 } },
      );
    });
  }

  it('is asked again where it is a list of the project', async () => {
    let asked = 0;
    await withFaults(
      () => ({ kind: 'answer', body: (asked += 1) === 1 ? '' : '[]' }),
      async ({ client }) => {
        expect(await client.dags.export()).to.deep.equal([]);
        expect(asked).to.equal(2);
      },
      { resilience: { maxRetries: 1 } },
    );
  });

  it('is not asked again where it is an import', async () => {
    let asked = 0;
    await withFaults(
      () => {
        asked += 1;
        return { kind: 'answer', body: '' };
      },
      async ({ client }) => {
        expect(
          await rejection(client.importRecords([{ record_id: 'participant-00000001' }])),
        ).to.have.property('code', 'upstream_invalid');
        expect(asked).to.equal(1);
      },
      { resilience: { maxRetries: 1 } },
    );
  });
});

describe('An empty CSV export', () => {
  for (const blank of ['', '\n']) {
    it(`is empty when the same in JSON is (body ${JSON.stringify(blank)})`, async () => {
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
    ['is nothing as well', ''],
  ] as const) {
    it(`UP-02: is refused when the same in JSON ${what}`, async () => {
      await withFaults(
        ({ form }) => ({ kind: 'answer', body: form.get('format') === 'csv' ? '' : body }),
        async ({ client }) => {
          expect(await rejection(download(client, 'csv'))).to.have.property('code', 'upstream_invalid');
        },
      );
    });
  }
});

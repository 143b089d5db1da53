import type { Writable } from 'node:stream';
import { expect } from 'chai';
import { createCrfClient } from '../../../../src/client/create-crf-client.js';
import type { CrfClient } from '../../../../src/gateways/redcap/crf-client.js';
import { RecordExporter, type ExportRequest } from '../../../../src/records/export/record-exporter.js';
import {
  startFaultServer,
  type Fault,
  type FaultServer,
  type RecordedRequest,
} from '../../../support/fault-server.js';
import { KeptText } from '../../../support/kept-text.js';
import { rejection } from '../../../support/rejection.js';
import { FakeProject, ID_FIELD, recordsOf } from '../../../support/fake-project.js';

describe('RecordExporter over HTTP', () => {
  const rows = recordsOf(60, { note: 'x'.repeat(200) });
  const project = new FakeProject(rows);
  let server: FaultServer;
  let client: CrfClient;

  async function start(
    faultOf: (answer: Buffer, request: RecordedRequest, exports: number) => Fault,
  ): Promise<void> {
    let exports = 0;
    server = await startFaultServer((request) => {
      if (request.form.get('content') === 'metadata') return whole(JSON.stringify([DICTIONARY_ROW]));
      const answer = answerTo(request);
      return isListing(request) ? whole(answer) : faultOf(answer, request, exports++);
    });
    client = createCrfClient({ url: server.url, token: 'A'.repeat(32) });
  }

  function answerTo({ form }: RecordedRequest): Buffer {
    const records = [...form].flatMap(([name, value]) =>
      /^records(\[|$)/.test(name) ? value.split(',') : [],
    );
    return project.answerTo({
      format: form.get('format') === 'csv' ? 'csv' : 'json',
      records: records.length > 0 ? records : undefined,
      fields: isListing({ form } as RecordedRequest) ? ['record_id'] : undefined,
    });
  }

  async function write(request: ExportRequest, sink: Writable): Promise<void> {
    const exporter = new RecordExporter(client, { retryBaseMs: 1 });
    await (await exporter.open(request)).pipeTo(sink);
  }

  afterEach(async () => {
    client.close();
    await server.close();
  });

  for (const format of ['json', 'ndjson', 'csv'] as const) {
    for (const fraction of [0.01, 0.5, 0.99]) {
      it(`loses and repeats nothing when a ${format} batch is truncated at ${fraction * 100} %`, async () => {
        await start((body, _request, exports) =>
          exports === 1 ? { kind: 'cut', body, fraction, how: 'reset' } : whole(body),
        );
        const cut = new KeptText();
        await write({ format, batchSize: 25 }, cut);

        expect(cut.text).to.equal(wholeText(format));
      });
    }

    it(`STR-01: destroys the sink of a ${format} export in one call that is truncated`, async () => {
      await start((body) => ({ kind: 'cut', body, fraction: 0.5 }));
      const sink = new KeptText();

      const error = await rejection(write({ format }, sink));

      expect(error).to.have.property('code', 'upstream_unavailable');
      expect(sink).to.include({ destroyed: true, writableFinished: false });
    });

    it(`STR-04: closes the connection to REDCap when a ${format} reader leaves`, async () => {
      await start((body) => ({ kind: 'hang', at: 'body', body, fraction: 0.5 }));
      const sink = new KeptText();
      const closed = server.nextClose();
      const failure = rejection(write({ format }, sink));
      await sink.firstWrite;

      sink.destroy();

      await closed;
      expect(await failure).to.have.property('code', 'cancelled');
    });
  }

  it('continues in batches if REDCap reports that it ran out of memory', async () => {
    await start((body, { form }) =>
      [...form.keys()].some((name) => name.startsWith('records')) ? whole(body) : whole(OUT_OF_MEMORY),
    );
    const sink = new KeptText();

    await write({ format: 'json' }, sink);

    expect(sink.text).to.equal(wholeText('json'));
  });

  function wholeText(format: ExportRequest['format']): string {
    if (format === 'json') return JSON.stringify({ data: rows });
    if (format === 'ndjson') return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    return String(project.answerTo({ format: 'csv' }));
  }
});

function isListing({ form }: RecordedRequest): boolean {
  return [...form].some(([name, value]) => name.startsWith('fields') && value === 'record_id');
}

function whole(body: string | Buffer): Fault {
  return { kind: 'answer', body };
}

const OUT_OF_MEMORY =
  '<br /><b>Fatal error</b>{"error":"REDCap ran out of server memory. The request cannot be processed. Please try importing/exporting a smaller amount of data."}';

const DICTIONARY_ROW = {
  field_name: ID_FIELD.name,
  form_name: ID_FIELD.instrument,
  section_header: '',
  field_type: 'text',
  field_label: ID_FIELD.label,
  select_choices_or_calculations: '',
  field_note: '',
  text_validation_type_or_show_slider_number: '',
  text_validation_min: '',
  text_validation_max: '',
  identifier: '',
  branching_logic: '',
  required_field: '',
  custom_alignment: '',
  question_number: '',
  matrix_group_name: '',
  matrix_ranking: '',
  field_annotation: '',
};

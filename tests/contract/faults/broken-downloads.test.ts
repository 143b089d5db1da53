import { expect } from 'chai';
import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import type { CrfClient } from '../../../src/gateways/redcap/crf-client.js';
import { startService } from '../../support/start-service.js';
import type { Fault } from '../../support/fault-server.js';
import { rejection } from '../../support/rejection.js';
import { withFaults } from '../../support/fault-client.js';

const PLACE = { record: '1', field: 'consent' };
const FILE = Buffer.alloc(300_000, 'consent ');
const NAMED = { 'content-type': 'application/pdf; name="consent.pdf"' };
const MEMORY =
  '<br />\n<b>Fatal error</b>: Allowed memory size of 134217728 bytes exhausted\n{"error":"REDCap ran out of server memory. The request cannot be processed."}';

const answer = (body: string | Buffer, headers = {}, status = 200): Fault => ({
  kind: 'answer',
  status,
  headers,
  body,
});

/** Downloads through the client, and reads to the end. */
const file = async ({ files }: CrfClient): Promise<Buffer> => buffer((await files.get(PLACE)).body);
const pdf = async (client: CrfClient): Promise<Buffer> => buffer((await client.pdf.get()).body);
const whole = async (opened: Promise<Readable>): Promise<Buffer> => buffer(await opened);
const xml = (client: CrfClient): Promise<Buffer> => whole(client.project.openXml());
const report = (client: CrfClient): Promise<Buffer> => whole(client.reports.open(7, { format: 'json' }));

describe('A download that fails', () => {
  for (const [what, fault, code] of [
    ['an error in a 200', answer('{"error":"The file could not be read"}'), 'upstream_invalid'],
    ['a web page', answer('<html>Sign in</html>', { 'content-type': 'text/html' }), 'upstream_invalid'],
    ['an empty body', answer(''), 'upstream_invalid'],
    ['an unnamed body', answer('bytes', { 'content-type': 'application/pdf' }), 'upstream_invalid'],
    ['a PHP fatal error after the headers of a file', answer(MEMORY, NAMED), 'upstream_invalid'],
    [
      'a file whose end is not marked',
      { ...answer(FILE, NAMED), framing: 'close' } as Fault,
      'upstream_invalid',
    ],
    [
      'that there is no file',
      answer('{"error":"There is no file to download for this record"}', {}, 400),
      'file_not_found',
    ],
    [
      'that the record does not exist',
      answer('{"error":"The record \\"1\\" does not exist"}', {}, 400),
      'record_not_found',
    ],
  ] as const) {
    it(`FILE-02: is refused before its first byte: ${what}`, () =>
      withFaults(
        () => fault,
        async ({ client }) => {
          expect(await rejection(client.files.get(PLACE))).to.have.property('code', code);
        },
      ));
  }

  for (const [what, read, body] of [
    ['a PDF that is HTML', pdf, '<html></html>'],
    ['a PDF without its end', pdf, '%PDF-1.4\n1 0 obj'],
    [
      'an error in XML for a project',
      xml,
      '<?xml version="1.0" encoding="UTF-8" ?><hash><error>No</error></hash>',
    ],
    ['a truncated project', xml, '<?xml version="1.0" encoding="UTF-8" ?>\n<ODM x="1"><Study>'],
    ['an error for a report', report, '{"error":"No such report"}'],
    ['a truncated report', report, '[{"id":"1"},{"id"'],
  ] as const) {
    it(`FILE-02: is refused: ${what}`, () =>
      withFaults(
        () => answer(body, { 'content-type': 'application/pdf; name="a.pdf"' }),
        async ({ client }) => {
          expect(await rejection(read(client))).to.have.property('code', 'upstream_invalid');
        },
      ));
  }

  for (const framing of ['length', 'chunked'] as const) {
    for (const how of ['end', 'reset'] as const) {
      it(`FILE-02: never looks complete when truncated (${framing}, ${how})`, () =>
        withFaults(
          () => ({ kind: 'cut', body: FILE, fraction: 0.5, headers: NAMED, framing, how }),
          async ({ client }) => {
            expect(await rejection(file(client))).to.have.property('code', 'upstream_unavailable');
          },
        ));
    }
  }

  it('FILE-02: breaks the connection to the caller when it is interrupted', () =>
    withFaults(
      ({ form }) =>
        form.get('content') === 'file'
          ? { kind: 'cut', body: FILE, fraction: 0.5, headers: NAMED, framing: 'chunked' }
          : answer('16.1.9'),
      async ({ client }) => {
        const service = await startService({ capture: client });
        const response = await fetch(`${service.url}/api/v1/records/1/files/consent`, {
          headers: { authorization: service.authorization },
        });

        expect(response.status).to.equal(200);
        expect(await rejection(response.arrayBuffer())).to.be.instanceOf(Error);
        await service.close();
      },
    ));

  it('times out if REDCap falls silent midway', () =>
    withFaults(
      () => ({ kind: 'hang', at: 'body', body: FILE, fraction: 0.5, headers: NAMED }),
      async ({ client }) => {
        expect(await rejection(file(client))).to.have.property('code', 'upstream_timeout');
      },
    ));

  it('closes the connection to REDCap when its reader leaves', () =>
    withFaults(
      () => ({ kind: 'hang', at: 'body', body: FILE, fraction: 0.5, headers: NAMED }),
      async ({ client, server }) => {
        const { body } = await client.files.get(PLACE);
        const closed = server.nextClose();

        body.destroy();

        await closed;
        expect(server.connections.open).to.equal(0);
      },
      { timeouts: { connectMs: 60_000, firstByteMs: 60_000, idleMs: 60_000 } },
    ));
});

describe('An upload that REDCap does not accept', () => {
  for (const [what, fault, code] of [
    ['an error in a 200', answer('{"error":"The file could not be stored"}'), 'upstream_invalid'],
    ['an unexpected text', answer('stored?'), 'upstream_invalid'],
    ['a proxy with a lower limit', answer('', {}, 413), 'upstream_rejected'],
    ['a server error', answer('', {}, 500), 'upstream_unavailable'],
    ['a broken connection', { kind: 'reset' } as Fault, 'upstream_unavailable'],
  ] as const) {
    it(`fails: ${what}`, () =>
      withFaults(
        () => fault,
        async ({ client, server }) => {
          const upload = client.files.put(PLACE, { name: 'a.pdf', bytes: [FILE] });

          expect(await rejection(upload)).to.have.property('code', code);
          expect(server.requests.length).to.be.at.most(1);
        },
      ));
  }

  it('is cancelled by its signal while it waits for its source', () =>
    withFaults(
      () => answer(''),
      async ({ client }) => {
        const controller = new AbortController();
        async function* endless(): AsyncGenerator<Buffer> {
          yield FILE;
          controller.abort();
          await new Promise(() => undefined);
        }

        const upload = client.files.put(
          PLACE,
          { name: 'a', bytes: endless() },
          { signal: controller.signal },
        );

        expect(await rejection(upload)).to.have.property('code', 'cancelled');
      },
    ));

  it('is cancelled, not failed, when its sender falls silent', () =>
    withFaults(
      () => answer(''),
      async ({ client }) => {
        async function* silent(): AsyncGenerator<Buffer> {
          yield FILE;
          await new Promise(() => undefined);
        }

        const upload = client.files.put(PLACE, { name: 'a', bytes: silent() });

        expect(await rejection(upload)).to.have.property('code', 'cancelled');
      },
    ));
});

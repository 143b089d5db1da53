import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { readForm } from '../../../src/wire/read-form.js';

interface Read {
  readonly entries: readonly (readonly string[])[];
  readonly file?: { readonly name: string; readonly bytes: string } | undefined;
  /** The names that were there before the file was read. */
  readonly before: readonly string[];
  readonly held: number;
}

/** Sends a body to a server that reads it as the form of a call. */
async function read(body: FormData | URLSearchParams | string, type?: string): Promise<Read> {
  let found: Read | undefined;
  const server = http.createServer((request, response) => {
    void answer(request, response);
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let held = 0;
    const form = await readForm(request, (bytes) => (held += bytes));
    const before = form.entries.map(([name]) => name);
    const file = form.file && { name: form.file.name, bytes: await text(form.file.bytes) };
    found = { entries: form.entries.map((entry) => [...entry]), file, before, held };
    response.end();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await fetch(`http://127.0.0.1:${port}`, {
    method: 'POST',
    body,
    ...(type !== undefined && { headers: { 'content-type': type } }),
  });
  server.close();
  server.closeAllConnections();
  if (found === undefined) throw new Error('Nothing was read.');
  return found;
}

function formOf(...parts: readonly (readonly [name: string, value: string | File])[]): FormData {
  const form = new FormData();
  for (const [name, value] of parts) form.append(name, value);
  return form;
}

const CONTENT = 'x'.repeat(300_000);
const FILE = new File([CONTENT], 'scan.txt', { type: 'text/plain' });

describe('The form of a call', () => {
  it('is read alike from an URL-encoded body and a multipart one', async () => {
    const pairs = [
      ['token', 'A'],
      ['fields[1]', 'age, in years'],
    ] as const;

    const [urlencoded, multipart] = [
      await read(new URLSearchParams(pairs.map(([...pair]) => pair))),
      await read(formOf(...pairs)),
    ];

    expect(urlencoded.entries).to.deep.equal(pairs);
    expect(multipart.entries).to.deep.equal(pairs);
  });

  it('has its file as a stream, and what comes after the file once that is read', async () => {
    const { entries, file, before, held } = await read(
      formOf(['token', 'A'], ['content', 'file'], ['file', FILE], ['returnFormat', 'csv']),
    );

    expect(file).to.deep.equal({ name: 'scan.txt', bytes: CONTENT });
    expect(before).to.deep.equal(['token', 'content']);
    expect(entries.at(-1)).to.deep.equal(['returnFormat', 'csv']);
    expect(held).to.be.below(CONTENT.length);
  });

  it('has no parameters if it cannot be read', async () => {
    const { entries } = await read(
      '--x\r\nContent-Disposition: form-data; name="token"\r\n\r\nA',
      'multipart/form-data; boundary=x',
    );

    expect(entries).to.deep.equal([]);
  });
});

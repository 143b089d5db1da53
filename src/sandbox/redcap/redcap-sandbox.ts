import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { invalidParameter, runOperation } from './operations/operation-table.js';
import { loadRows } from './records/load-rows.js';
import { SandboxProject } from './project.js';
import type { Study } from './study.js';
import { ApiFailure, type Format } from './wire/answer.js';
import { Parameters } from './wire/parameters.js';
import { readParameters } from './wire/read-parameters.js';
import { writeAnswer, writeFailure } from './wire/write-answer.js';

export interface RedcapSandboxOptions {
  readonly study: Study;
  /** `127.0.0.1` by default; a loopback address always. */
  readonly host?: string | undefined;
  /** Any free port by default. */
  readonly port?: number | undefined;
  /** What `content=version` answers; `16.1.9` by default. */
  readonly version?: string | undefined;
  /** 64 hexadecimal characters; it may read the version. */
  readonly superToken?: string | undefined;
  readonly clock?: (() => Date) | undefined;
}

/** A REDCap that is not one: it speaks the API's protocol on a loopback port, and forgets everything when it stops. */
export interface RedcapSandbox {
  /** `http://127.0.0.1:PORT/api/` */
  readonly url: string;
  readonly project: SandboxProject;
  close(): Promise<void>;
}

/**
 * Starts a sandbox that holds a study.
 *
 * @throws {InvalidRequestError} the rows of the study do not fit its design
 */
export async function startRedcapSandbox(options: RedcapSandboxOptions): Promise<RedcapSandbox> {
  const {
    study,
    host = '127.0.0.1',
    port = 0,
    version = '16.1.9',
    superToken,
    clock = () => new Date(),
  } = options;
  const project = new SandboxProject(study, clock);
  loadRows(project, study.rows);

  const api = new RedcapApi(project, version, superToken);
  const server = http.createServer((request, response) => void api.serve(request, response));
  server.keepAliveTimeout = 60_000;
  server.listen(port, host);
  await once(server, 'listening');
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/api/`,
    project,
    close: async () => {
      const closed = once(server, 'close');
      server.closeAllConnections();
      server.close();
      await closed;
    },
  };
}

const CONTENT_TYPES: Readonly<Record<Format, string>> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  xml: 'text/xml; charset=utf-8',
};

const NO_PERMISSION = 'You do not have permissions to use the API';

/** One endpoint, one method, everything in the body. */
class RedcapApi {
  constructor(
    private readonly project: SandboxProject,
    private readonly version: string,
    private readonly superToken: string | undefined,
  ) {}

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://sandbox');
    if (pathname === '/api') return redirect(response);
    if (pathname !== '/api/') return send(response, 404, 'text/html; charset=utf-8', NOT_FOUND_PAGE);
    // The same text whatever the format: nothing was read yet. @see protocol reference 1.1 (client)
    if (request.method !== 'POST') {
      return send(
        response,
        501,
        CONTENT_TYPES.xml,
        writeFailure('The requested method is not implemented.', 'xml'),
      );
    }
    let parameters = new Parameters([]);
    try {
      parameters = await readParameters(request);
      const format = formatOf(parameters);
      send(response, 200, CONTENT_TYPES[format], this.#answer(parameters, format));
    } catch (error) {
      this.#refuse(response, parameters, error);
    }
  }

  #answer(parameters: Parameters, format: Format): string {
    const token = parameters.text('token');
    const user = this.project.userOf(token);
    const isSuper = this.superToken !== undefined && token.toUpperCase() === this.superToken.toUpperCase();
    if (user === undefined && !isSuper) throw new ApiFailure(403, NO_PERMISSION);
    // Bare text, whatever the format; the one thing that a super token may ask here. (wire, client)
    if (parameters.text('content') === 'version') return this.version;
    if (user === undefined) throw new ApiFailure(403, NO_PERMISSION);
    const returnFormat = returnFormatOf(parameters);
    const answer = runOperation({ project: this.project, parameters, user, format, returnFormat });
    return writeAnswer(answer, format);
  }

  #refuse(response: ServerResponse, parameters: Parameters, error: unknown): void {
    const format = returnFormatOf(parameters);
    const failure =
      error instanceof ApiFailure ? error : new ApiFailure(500, 'The sandbox failed on this request.');
    send(response, failure.status, CONTENT_TYPES[format], writeFailure(failure.text, format));
  }
}

/** The default is XML, whatever people believe. @see protocol reference 1.3 (doc) */
function formatOf(parameters: Parameters): Format {
  const format = parameters.text('format');
  if (format === '' || format === 'xml') return 'xml';
  if (format === 'json' || format === 'csv') return format;
  throw invalidParameter('format');
}

/** The format of errors: `returnFormat`, else `format`, else XML. (doc) */
function returnFormatOf(parameters: Parameters): Format {
  const [format] = [parameters.text('returnFormat'), parameters.text('format')].filter((text) => text !== '');
  return format === 'json' || format === 'csv' ? format : 'xml';
}

/** @see protocol reference 1.7 (wire) */
function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, {
    'content-type': contentType,
    'cache-control': 'no-store, no-cache, must-revalidate',
    pragma: 'no-cache',
    expires: '0',
    'access-control-allow-origin': '*',
    'x-xss-protection': '1; mode=block',
    'x-content-type-options': 'nosniff',
    'redcap-random-text': randomBytes(12).toString('hex'),
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

/** The web server's doing: a client that follows it as GET loses its body. @see protocol reference 1.1 (client) */
function redirect(response: ServerResponse): void {
  response.writeHead(301, { location: '/api/', 'content-length': 0 });
  response.end();
}

const NOT_FOUND_PAGE =
  '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>\n';

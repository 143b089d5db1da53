import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A certificate for names that are not ours, good for this machine and two days, and the file a client trusts. */
export interface Certificate {
  readonly key: string;
  readonly certificate: string;
  /** PEM: what `REQUESTS_CA_BUNDLE`, `CURL_CA_BUNDLE` and `SSL_CERT_FILE` are set to. */
  readonly file: string;
}

/**
 * Makes a self-signed certificate with `openssl`.
 *
 * @param hosts every name it is good for
 * @param directory an empty directory that the key and the certificate are written to
 */
export async function makeCertificate(hosts: readonly string[], directory: string): Promise<Certificate> {
  const [keyFile, file] = [path.join(directory, 'key.pem'), path.join(directory, 'certificate.pem')];
  await run('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-subj', '/CN=crf-service test clients', '-keyout', keyFile, '-out', file],
    ...['-addext', `subjectAltName=${hosts.map((host) => `DNS:${host}`).join(',')}`],
  ]);
  return {
    key: await readFile(keyFile, 'utf8'),
    certificate: await readFile(file, 'utf8'),
    file,
  };
}

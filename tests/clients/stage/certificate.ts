import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * A certificate for host names of others, valid for two days and only trusted on this machine, and the file that a
 * client trusts.
 */
export interface Certificate {
  readonly key: string;
  readonly certificate: string;
  /** PEM: the value of `REQUESTS_CA_BUNDLE`, `CURL_CA_BUNDLE` and `SSL_CERT_FILE`. */
  readonly file: string;
}

/**
 * Creates a self-signed certificate with `openssl`.
 *
 * @param hosts all host names for which it is valid
 * @param directory an empty directory for the key and the certificate
 */
export async function makeCertificate(hosts: readonly string[], directory: string): Promise<Certificate> {
  const [keyFile, file] = [path.join(directory, 'key.pem'), path.join(directory, 'certificate.pem')];
  await run('openssl', [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=crf-service test clients',
    '-keyout',
    keyFile,
    '-out',
    file,
    '-addext',
    `subjectAltName=${hosts.map((host) => `DNS:${host}`).join(',')}`,
  ]);
  return {
    key: await readFile(keyFile, 'utf8'),
    certificate: await readFile(file, 'utf8'),
    file,
  };
}

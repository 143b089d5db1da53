import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pathOf } from './needed-programs.js';

/** The paths of two PEM files. */
export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

/** Creates a self-signed certificate for one host name and loopback, with an elliptic curve for speed. */
export async function makeCertificate(folder: string, host: string): Promise<CertificateFiles> {
  const files = { certificate: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  await promisify(execFile)(pathOf('openssl') ?? '', [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
    '-subj',
    `/CN=${host}`,
    '-addext',
    `subjectAltName=DNS:${host},IP:127.0.0.1`,
    '-keyout',
    files.key,
    '-out',
    files.certificate,
  ]);
  return files;
}

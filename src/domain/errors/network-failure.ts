const SENTENCES: readonly (readonly [codes: RegExp, sentence: string])[] = [
  [/^(?:ENOTFOUND|EAI_[A-Z]+)$/, 'the name of the host was not found'],
  [/^ECONNREFUSED$/, 'the connection was refused'],
  [/^(?:ECONNRESET|EPIPE|ECONNABORTED)$/, 'the connection was broken'],
  [/^ETIMEDOUT$/, 'no connection in time'],
  [/^(?:EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/, 'there is no route to the host'],
  [
    /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|HOSTNAME_MISMATCH|EPROTO$|INVALID_(?:CA|PURPOSE))/,
    'the certificate or the TLS protocol was refused',
  ],
];

/**
 * Says in words why a connection failed, in logs, error messages, `crf check` and `crf auth check` alike. Contains no
 * address.
 *
 * @param code of Node's error, such as `ENOTFOUND`; it is repeated in brackets
 * @returns a part of a sentence
 */
export function describeNetworkFailure(code: string): string {
  const sentence = SENTENCES.find(([codes]) => codes.test(code))?.[1] ?? 'the connection failed';
  return `${sentence} (${code})`;
}

import { expect } from 'chai';
import { classifyErrorBody, classifyStatus } from '../../../../src/gateways/redcap/classify-answer.js';
import { toErrorBody } from '../../../../src/gateways/redcap/error-text.js';
import { upstreamAnswerOf } from '../../../../src/domain/errors/upstream-errors.js';

const TOKEN = '0123456789ABCDEF0123456789ABCDEF';
const classified = (status: number, body: string, retryAfter?: string) =>
  classifyStatus({ status, body, retryAfter }, { content: 'record', data: 'Jane Doe' });

describe('classifyStatus', () => {
  for (const [status, body, code, words] of [
    [429, 'Too many requests. Slow down!', 'upstream_unavailable', 'Too many requests Slow down'],
    [500, '<h1>Internal Server Error</h1>', 'upstream_unavailable', 'Internal Server Error'],
    [
      502,
      '<html><head><title>502 Bad Gateway</title></head><body><center>nginx/1.18</center></body></html>',
      'upstream_unavailable',
      'Bad Gateway nginx',
    ],
    [503, '', 'upstream_unavailable', undefined],
    [403, '<html>Forbidden by WAF', 'upstream_invalid', 'Forbidden by WAF'],
    [401, 'Unauthorized', 'upstream_invalid', 'Unauthorized'],
    [
      400,
      '<html><body>Request blocked by the security policy',
      'upstream_invalid',
      'Request blocked by the security policy',
    ],
    [
      403,
      '{"error":"You do not have permissions to use the API"}',
      'upstream_refused',
      'You do not have permissions to use the API',
    ],
    [403, '', 'upstream_refused', undefined],
    [418, 'A teapot', 'upstream_invalid', 'A'],
    [302, '<a href="/login">Moved permanently</a>', 'upstream_invalid', 'Moved permanently'],
  ] as const)
    it(`tells a ${status} with ${JSON.stringify(body.slice(0, 30))} from the others: ${code}`, () => {
      const error = classified(status, body);

      expect(error.code).to.equal(code);
      expect(upstreamAnswerOf(error)).to.deep.equal({ status, words });
      expect(error.message)
        .to.include(`${status}`)
        .and.to.include(words ?? '');
    });

  for (const [what, message] of [
    [
      'the key needs the scope log:read',
      'The API key lacks the scope log:read. Ask whoever runs the service for it.',
    ],
    [
      'the policy of the key does not allow this',
      'The API key may not do this by its policy. Ask whoever runs the service for it.',
    ],
    [
      'doe may be read, but not changed.',
      'The API key may not do this by its policy. Ask whoever runs the service for it.',
    ],
  ] as const)
    it(`tells what a service in REDCap's place refuses from a bad token: ${what}`, () => {
      const error = classified(
        403,
        JSON.stringify({ error: `You do not have permissions to use the API: ${what}` }),
      );

      expect(error).to.include({ code: 'upstream_forbidden', message });
    });

  for (const body of [
    `<html>Forbidden: token=${TOKEN} of Jane Doe, HIV positive, jane@example.org`,
    `Internal Server Error: Duplicate entry 'Doe-1980-01-01' for ${TOKEN}`,
    `<title>Jane Doe</title><p>Bad Gateway ${TOKEN.toLowerCase()}`,
    `{"error":"Jane Doe (${TOKEN}) cannot be saved"}`,
  ])
    it(`ERR-02: repeats neither a value nor the token of ${JSON.stringify(body.slice(0, 40))}`, () => {
      for (const status of [403, 429, 500, 502])
        expect(
          JSON.stringify([classified(status, body).message, upstreamAnswerOf(classified(status, body))]),
        ).to.not.match(/doe|jane|hiv|0123|1980/i);
    });

  it('says how long a throttling server asks to wait', () => {
    expect(classified(429, 'Too Many Requests', '30')).to.include({ status: 503, retryAfterSeconds: 30 });
  });
});

describe('toErrorBody', () => {
  it('reads an error in XML up to its end, or to where it was cut off', () => {
    const cutOff = '<hash><error><![CDATA[Wrong]]> id &lt;7&gt; <![CDATA[<not closed';

    expect(toErrorBody(cutOff)).to.deep.equal({ kind: 'error', text: 'Wrong id <7> <not closed' });
  });
});

describe('classifyErrorBody', () => {
  it('names the first words of a page that was answered with 200', () => {
    const body = toErrorBody('<html><title>Log in</title>Jane Doe');
    const error = body && classifyErrorBody(body);

    expect(error?.message).to.include('"Log in"').and.to.not.include('Doe');
    expect(upstreamAnswerOf(error)).to.deep.equal({ status: 200, words: 'Log in' });
  });
});

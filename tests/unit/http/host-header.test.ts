import { expect } from 'chai';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { hostProblem, toOriginForm } from '../../../src/http/host-header.js';

function requestWith(
  headers: readonly (readonly [name: string, value: string])[],
  url = '/',
): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.httpVersion = '1.1';
  request.url = url;
  request.rawHeaders = headers.flat();
  request.headers = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]).reverse());
  return request;
}

describe('hostProblem (HDR-01)', () => {
  it('says what is wrong in a sentence', () => {
    expect(hostProblem(requestWith([]))).to.equal('The request has no Host header.');
    for (const second of ['Host', 'HOST'])
      expect(
        hostProblem(
          requestWith([
            ['Host', 'a'],
            [second, 'b'],
          ]),
        ),
      ).to.equal('The request has several Host headers.');
    for (const host of ['a@b', 'x%2', 'x%zz', '[::1', 'a:b'])
      expect(hostProblem(requestWith([['Host', host]])), host).to.equal(
        'The Host header must be the name of a host, or its name and port.',
      );
  });

  it('accepts a host beside other headers of four letters, and none in HTTP/1.0', () => {
    for (const host of ['example.org', 'EXAMPLE.org:1', '[2001:db8::1]:80', 'x%2f', ''])
      expect(
        hostProblem(
          requestWith([
            ['Date', 'x'],
            ['Host', host],
            ['From', 'x'],
          ]),
        ),
        host,
      ).to.equal(undefined);
    const old = requestWith([]);
    old.httpVersion = '1.0';
    expect(hostProblem(old)).to.equal(undefined);
  });
});

describe('toOriginForm (HDR-01)', () => {
  for (const [url, path, host] of [
    ['http://a:1/b?c', '/b?c', 'a:1'],
    ['HTTPS://a', '/', 'a'],
    ['http://a?b', '/?b', 'a'],
    ['/http://a/b', '/http://a/b', 'own'],
    ['/b?next=http://a/', '/b?next=http://a/', 'own'],
    ['*', '*', 'own'],
  ] as const)
    it(`makes ${path} for ${host} of ${url}`, () => {
      const request = requestWith([['Host', 'own']], url);
      toOriginForm(request);
      expect([request.url, request.headers.host]).to.deep.equal([path, host]);
    });

  it('gives a request without a Host none', () => {
    const request = requestWith([], 'http://a/b');
    toOriginForm(request);
    expect([request.url, request.headers.host]).to.deep.equal(['/b', undefined]);
  });
});

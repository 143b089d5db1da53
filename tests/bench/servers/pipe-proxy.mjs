// The least a proxy can do: it pipes the upstream's answer, and nothing else. Its upstream is its first argument.
import http from 'node:http';

const upstream = new URL(process.argv[2]);
const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
const form = (fields) =>
  new URLSearchParams({ token: process.argv[3], returnFormat: 'json', ...fields }).toString();

const server = http.createServer((request, response) => {
  if (request.url === '/health') {
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.end('{"status":"ok"}');
    return;
  }
  if (request.method === 'POST') {
    pipeOn(request, response);
    return;
  }
  const { searchParams } = new URL(request.url, 'http://proxy');
  const body = form(Object.fromEntries(searchParams));
  const outgoing = http.request(
    upstream,
    {
      method: 'POST',
      agent,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': Buffer.byteLength(body),
      },
    },
    (answer) => {
      response.writeHead(answer.statusCode, { 'content-type': answer.headers['content-type'] });
      answer.pipe(response);
    },
  );
  outgoing.on('error', () => response.destroy());
  response.on('close', () => outgoing.destroy());
  outgoing.end(body);
});
/** The body of an import, as it comes. */
function pipeOn(request, response) {
  const outgoing = http.request(new URL('/sink', upstream), { method: 'POST', agent }, (answer) => {
    response.writeHead(answer.statusCode);
    answer.pipe(response);
  });
  request.pipe(outgoing);
}

server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })),
);

// The least a Node server can do: the yardstick of `npm run bench`.
import http from 'node:http';

const body = JSON.stringify({ status: 'ok' });
const server = http.createServer((_request, response) => {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(body);
});
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })),
);

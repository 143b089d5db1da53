// A bare Express application on app.listen, as most services run it: the yardstick of `npm run bench`.
import express from 'express';

const app = express();
app.get('/health', (_request, response) => response.json({ status: 'ok' }));
const server = app.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })),
);

// Sends a number of requests a second to a URL, without waiting for the answers, until it is ended.
import http from 'node:http';
import { performance } from 'node:perf_hooks';
import { setInterval } from 'node:timers';

const [url, perSecond] = process.argv.slice(2);
const agent = new http.Agent({ keepAlive: true, maxSockets: 50 });
let due = 0;
let last = performance.now();
setInterval(() => {
  const now = performance.now();
  due += ((now - last) / 1000) * Number(perSecond);
  last = now;
  for (; due >= 1; due -= 1) {
    const request = http.get(url, { agent }, (response) => response.resume());
    request.on('error', () => undefined);
  }
}, 10);
console.log(JSON.stringify({ url }));

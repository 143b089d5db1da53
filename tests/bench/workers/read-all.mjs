// Reads an export several times at once and throws it away, in a process of its own: what probes the service meanwhile
// must not wait for it. Arguments: the URL, the media type, how often, and a form to post. Ends with 1 when an answer is not whole.
import http from 'node:http';

const [url, accept, times, form] = process.argv.slice(2);
const agent = new http.Agent({ maxSockets: Number(times) });

const read = () =>
  new Promise((resolve, reject) => {
    const method = form === undefined ? 'GET' : 'POST';
    const headers = {
      accept,
      ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    const request = http.request(url, { method, agent, headers, timeout: 60_000 }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`The export answered ${response.statusCode}.`));
      response.once('error', reject).once('end', resolve).resume();
    });
    request.once('timeout', () => request.destroy(new Error('The export fell silent.')));
    request.once('error', reject);
    request.end(form);
  });

await Promise.all(Array.from({ length: Number(times) }, read));

import http, { type RequestListener } from 'node:http';

/**
 * Forwards the requests under a path to a sandbox, as the web server of a REDCap does.
 *
 * @param prefix the path of REDCap on its server, such as `/redcap`; empty for the root
 * @param sandboxUrl the sandbox's address, which ends with `/api/`
 * @param page answers requests outside `${prefix}/api`; 404 without it
 */
export function passOn(prefix: string, sandboxUrl: string, page?: RequestListener): RequestListener {
  return (request, response) => {
    const path = request.url ?? '/';
    if (!path.startsWith(`${prefix}/api`)) {
      if (page === undefined) response.writeHead(404).end();
      else page(request, response);
      return;
    }
    const target = new URL(path.slice(prefix.length), sandboxUrl);
    const passed = http.request(target, {
      method: request.method,
      headers: { ...request.headers, host: target.host },
    });
    passed.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.once('error', () => response.writeHead(502).end());
    request.pipe(passed);
  };
}

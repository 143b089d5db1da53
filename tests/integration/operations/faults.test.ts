import { expect } from 'chai';
import { runServer } from '../../support/run-server.js';

/** A message in parts: the script is its own file name, which may stand in a log. */
const SENTINEL = "'SENTI' + 'NEL'";

/** Runs in the process of the server, in front of it: plays a fault outside any request when it gets a signal. */
function onSignal(statement: string): string[] {
  const script = `process.on('SIGUSR2', () => { ${statement} });`;
  return ['--import', `data:text/javascript,${encodeURIComponent(script)}`];
}

describe('OPS-06: what nobody catches', function () {
  this.timeout(30_000);

  for (const [description, statement] of [
    ['a promise that is rejected', `Promise.reject(new TypeError(${SENTINEL}))`],
    ['a promise that is rejected with no error', 'Promise.reject(undefined)'],
    ['an exception', `throw new TypeError(${SENTINEL})`],
    ['an error of a stream', `process.stdin.destroy(new Error(${SENTINEL}))`],
  ] as const) {
    it(`${description} is logged, and ends the process with 1`, async () => {
      const server = await runServer({}, onSignal(statement));

      server.kill('SIGUSR2');

      expect(await server.exited).to.equal(1);
      const fatal = server.log.filter(({ level }) => level === 'fatal');
      expect(fatal.map(({ msg }) => msg)).to.deep.equal(['unexpected fault']);
      expect(JSON.stringify(server.log)).to.not.include('SENTINEL');
    });
  }
});

import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { OPERATIONS } from '../../support/api-operations.js';

const FOLDER = 'tests/integration';

/** A request that a test writes down: its method and path, with `*` for each part that it computes. */
interface WrittenRequest {
  readonly method: string;
  readonly path: string;
  readonly file: string;
}

/** The path of a URL in quotes, with or without a computed beginning. */
const PATH = /['"`](?:\$\{[^}]*\})?(\/(?:\$\{[^}]*\}|[^'"`\s?$])*)[?'"`]/g;

/** Reads the requests of a test: the method is the last one named before the path, or an option right after it. */
function requestsIn(text: string, file: string): WrittenRequest[] {
  return [...text.matchAll(PATH)].map(({ 0: quoted, 1: path = '', index }) => {
    const before = text.slice(Math.max(0, index - 60), index);
    const after = text.slice(index + quoted.length, index + quoted.length + 160);
    const [method = /method: '(\w+)'/.exec(after)?.[1] ?? 'get'] =
      before.match(/\b(?:get|put|post|patch|delete)\b/gi)?.slice(-1) ?? [];
    return { method: method.toUpperCase(), path: withoutPrefix(path.replace(/\$\{[^}]*\}/g, '*')), file };
  });
}

/** Many tests call the API through a helper that adds the beginning of its paths. */
function withoutPrefix(path: string): string {
  return path.replace(/^\/api\/v1(?=\/)/, '');
}

const requests = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .flatMap((file) => requestsIn(readFileSync(`${FOLDER}/${file}`, 'utf8'), `${FOLDER}/${file}`));

/** Returns the test that requests most of the paths beside this one. */
function fileFor(template: string): string {
  const [, area = '', name = ''] = withoutPrefix(template).split('/');
  const near = (start: string): string[] =>
    requests.filter(({ path }) => path.startsWith(start)).map(({ file }) => file);
  const files = [near(`/${area}/${name}`), near(`/${area}`)].find((found) => found.length > 0) ?? [];
  const count = (file: string): number => files.filter((other) => other === file).length;
  return files.reduce((most, file) => (count(file) > count(most) ? file : most), `${FOLDER}/http/`);
}

describe('Every operation of the REST API', () => {
  for (const { method, template } of OPERATIONS) {
    it(`is requested by a test of its own: ${method} ${template}`, () => {
      const shape = withoutPrefix(template)
        .split(/\{\w+\}/)
        .map((part) => part.replace(/[.]/g, '\\$&'))
        .join('[^/]+');
      const isIt = new RegExp(`^${shape}$`);
      const found = requests.some((request) => request.method === method && isIt.test(request.path));

      expect(found, `no test requests it: add one, for example to ${fileFor(template)}`).to.equal(true);
    });
  }
});

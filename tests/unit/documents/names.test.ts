import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import ts from 'typescript';
import { COMMAND_PATHS, helpOf } from '../../../scripts/command-line-page.js';
import {
  GONE,
  NAMED,
  NAMES,
  namesPage,
  ONLY_IN_COMMANDS,
  ONLY_IN_ROUTES,
  OTHERWISE_NAMED,
} from '../../../scripts/names-page.js';

const root = new URL('../../../', import.meta.url);

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}
interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly $ref?: string;
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
}
const document = JSON.parse(readFileSync(new URL('build/openapi.json', root), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly parameters?: Readonly<Record<string, Parameter>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
};
const { schemas, parameters: sharedParameters = {} } = document.components;

const isDefined = <T>(value: T | undefined): value is T => value !== undefined;
const lastOf = (reference: string): string => reference.split('/').at(-1) ?? '';
/** `filterLogic` or `filter-logic`: `['filter', 'logic']` */
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
const kebab = (name: string): string => wordsOf(name).join('-');
const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/s$/, '');

/** @returns the names of the path, the query and the JSON body of an operation such as `GET /records` */
function parametersOf(rest: string): string[] {
  const [method = '', path = ''] = rest.split(' ');
  const operation = document.paths[`/api/v1${path}`]?.[method.toLowerCase()];
  const { parameters = [], requestBody } = operation ?? expect.fail(`the document has no ${rest}`);
  const declared = parameters
    .map((each) => (each.$ref === undefined ? each : sharedParameters[lastOf(each.$ref)]))
    .filter(isDefined);
  const { $ref = '' } = requestBody?.content['application/json']?.schema ?? {};
  return [
    ...declared.filter((each) => each.in !== 'header').map(({ name }) => name),
    ...(method === 'POST' ? Object.keys(schemas[lastOf($ref)]?.properties ?? {}) : []),
  ];
}

/** @returns the options and positional arguments of a command, without dashes */
async function argumentsOf(command: string): Promise<string[]> {
  const help = await helpOf(command.split(' '));
  const [usage = ''] = help.split('\n');
  const options = [...help.matchAll(/^ +(?:-\w, )?--([a-z-]+)/gm)].map(([, name = '']) => name);
  return [...options, ...[...usage.matchAll(/[<[]([a-z-]+)/g)].map(([, name = '']) => name)];
}

/** @returns the names of the properties of all exported types of the client library, and of its methods' parameters */
function namesOfClient(): Set<string> {
  const options = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
  };
  const entry = fileURLToPath(new URL('src/client.ts', root));
  const program = ts.createProgram([entry], options);
  const checker = program.getTypeChecker();
  const names = new Set<string>();
  const seen = new Set<ts.Type>();
  const take = (type: ts.Type): void => {
    if (seen.has(type)) return;
    seen.add(type);
    for (const property of type.getProperties()) {
      const [declaration] = property.declarations ?? [];
      if (declaration === undefined || !declaration.getSourceFile().fileName.includes('/src/')) continue;
      names.add(property.name);
      const own = checker.getTypeOfSymbolAtLocation(property, declaration);
      for (const signature of own.getCallSignatures())
        for (const parameter of signature.getParameters()) {
          names.add(parameter.name);
          take(checker.getTypeOfSymbol(parameter));
        }
      take(own);
    }
  };
  const module = program.getSourceFile(entry);
  const symbol = module && checker.getSymbolAtLocation(module);
  for (const exported of symbol === undefined ? [] : checker.getExportsOfModule(symbol)) {
    const target = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    take(checker.getDeclaredTypeOfSymbol(target));
  }
  return names;
}

const commands = new Map(
  await Promise.all(
    COMMAND_PATHS.map(async (path) => [path.join(' '), await argumentsOf(path.join(' '))] as const),
  ),
);

/** Names of paths, parameters, properties of answers, commands and their options. */
const used = new Set([
  ...Object.entries(document.paths).flatMap(([path, methods]) =>
    !path.startsWith('/api/v1')
      ? []
      : [
          ...path.split('/').map((part) => part.replaceAll(/[{}]/g, '')),
          ...Object.keys(methods).flatMap((method) =>
            parametersOf(`${method.toUpperCase()} ${path.replace('/api/v1', '')}`),
          ),
        ],
  ),
  ...Object.values(schemas).flatMap(({ properties = {} }) => Object.keys(properties)),
  ...[...commands].flatMap(([command, given]) => [...command.split(' '), ...given]),
]);

describe('docs/names.md', () => {
  it('matches the page generated from the table of names', async () => {
    const page = readFileSync(new URL('docs/names.md', root), 'utf8');

    expect(page).to.equal(
      await format(namesPage(), { parser: 'markdown' }),
      'run: npx tsx scripts/names-page.ts && npm run format',
    );
  });

  for (const { rest, client, cli } of NAMED) {
    it(`calls ${rest} the same in the client and on the command line`, () => {
      const nouns = rest
        .split('/')
        .filter((part) => part !== '' && !part.includes('{') && !part.endsWith(' '));
      const last = wordsOf(nouns.at(-1) ?? '').map(singular);
      for (const name of [client, cli].filter(isDefined)) {
        if (name in OTHERWISE_NAMED) continue;

        expect(wordsOf(name).map(singular), name).to.include.members(last);
      }
    });
  }

  for (const cli of new Set(NAMED.map((named) => named.cli).filter(isDefined))) {
    const routes = NAMED.filter((named) => named.cli === cli);
    it(`has an option of the same name for each parameter of crf ${cli}`, () => {
      const given = commands.get(cli) ?? [];
      const parameters = new Set(routes.flatMap(({ rest }) => parametersOf(rest)));
      // An argument that may be repeated has the plural: `<events..>` for `{event}`.
      const missing = [...parameters].filter(
        (name) => !given.includes(kebab(name)) && !given.includes(`${kebab(name)}s`),
      );

      expect(
        missing.filter((name) => !(name in ONLY_IN_ROUTES) && !(`${cli}.${name}` in ONLY_IN_ROUTES)),
      ).to.deep.equal([]);
    });

    it(`has no option of crf ${cli} that the routes call otherwise`, () => {
      const parameters = new Set(
        routes.flatMap(({ rest }) => parametersOf(rest)).flatMap((name) => [kebab(name), `${kebab(name)}s`]),
      );
      const others = (commands.get(cli) ?? []).filter((name) => !parameters.has(name));

      expect(others.filter((name) => !(name in ONLY_IN_COMMANDS))).to.deep.equal([]);
    });
  }

  it('has in the client each name of a parameter', () => {
    const names = namesOfClient();
    const parameters = NAMED.filter(({ client }) => client !== undefined).flatMap(({ rest }) =>
      parametersOf(rest),
    );

    expect(names.size).to.be.greaterThan(100);
    expect(
      [...new Set(parameters)].filter((name) => !names.has(name) && !(name in ONLY_IN_ROUTES)),
    ).to.deep.equal([]);
    expect(GONE.filter((name) => names.has(name))).to.deep.equal([]);
  }).timeout(120_000);

  it('has no old name in a parameter, an answer, an option or a command', () => {
    expect(GONE.filter((name) => used.has(name) || used.has(kebab(name)))).to.deep.equal([]);
  });

  it('explains no name that nothing has', () => {
    const given = new Set([...commands.values()].flat());
    const parameters = new Set(
      NAMED.flatMap(({ rest, cli = '' }) => parametersOf(rest).flatMap((name) => [name, `${cli}.${name}`])),
    );

    expect(Object.keys(ONLY_IN_COMMANDS).filter((name) => !given.has(name))).to.deep.equal([]);
    expect(Object.keys(ONLY_IN_ROUTES).filter((name) => !parameters.has(name))).to.deep.equal([]);
    expect(Object.keys(NAMES).filter((name) => !used.has(name))).to.deep.equal([]);
  });
});

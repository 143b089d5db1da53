import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = new URL('../../../', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  exports: Record<string, { types: string } | string>;
};

/** The sources of the entries of the package. */
const entries = Object.values(manifest.exports).flatMap((target) =>
  typeof target === 'string'
    ? []
    : [fileURLToPath(new URL(target.types.replace('./build/dist/', '').replace('.d.ts', '.ts'), root))],
);

describe('The exports of the package', () => {
  it('each have a text that an editor shows when the pointer rests on them', () => {
    const config = ts.getParsedCommandLineOfConfigFile(
      fileURLToPath(new URL('tsconfig.json', root)),
      {},
      {
        ...ts.sys,
        onUnRecoverableConfigFileDiagnostic: () => undefined,
      },
    );
    const program = ts.createProgram(entries, { ...config?.options, noEmit: true });
    const checker = program.getTypeChecker();
    const undocumented = new Set<string>();
    let count = 0;
    for (const entry of entries) {
      const source = program.getSourceFile(entry);
      const module = source && checker.getSymbolAtLocation(source);
      for (const exported of module === undefined ? [] : checker.getExportsOfModule(module)) {
        count += 1;
        const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
        const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
        if (symbol.getDocumentationComment(checker).length === 0) undocumented.add(exported.name);
      }
    }

    expect(count).to.be.greaterThan(200);
    expect([...undocumented].sort()).to.deep.equal([]);
  }).timeout(120_000);
});

import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import fc from 'fast-check';
import ts from 'typescript';
import { DataDictionary } from '../../../../../src/domain/dictionary/data-dictionary.js';
import { ProjectStructure } from '../../../../../src/domain/dictionary/project-structure.js';
import { writeProjectTypes } from '../../../../../src/domain/dictionary/project-types/write-project-types.js';
import { someField } from '../../../../support/some-field.js';

/** Text that ends comments, strings, templates and lines, in any order, around a call. */
const hostileText = fc
  .array(
    fc.constantFrom(
      '*/',
      '/*',
      '//',
      '*',
      '/',
      '`',
      '${',
      '}',
      '{',
      "'",
      '"',
      '\\',
      ';',
      '|',
      ',',
      ' ',
      '<b>',
      '@',
      '=',
      '\n',
      '\r',
      '\u2028',
      '\u2029',
      '\u0000',
      '\u202e',
      '\ud800',
      '-->',
      '<!--',
      '#!',
      'a_1',
      '1',
      'ran()',
      'interface',
      'export',
      'constructor',
      '__proto__',
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => parts.join(''));

const hostileField = fc.record({
  name: hostileText,
  instrument: hostileText,
  label: hostileText,
  note: hostileText,
  validationMin: hostileText,
  type: fc.constantFrom('text', 'radio', 'checkbox', 'slider', 'calc', 'file', 'notes'),
  choicesOrCalculations: fc
    .tuple(hostileText, hostileText)
    .map(([code, label]) => `${code}, ${label} | 2, ${code}`),
});

const hostileTypes = fc
  .record({
    title: hostileText,
    fields: fc.array(hostileField, { minLength: 1, maxLength: 4 }),
    event: hostileText,
    label: hostileText,
    missing: hostileText,
  })
  .map(({ title, fields, event, label, missing }) =>
    writeProjectTypes(
      new ProjectStructure({
        dictionary: new DataDictionary(fields.map(({ name, ...field }) => someField(name, field))),
        events: [{ uniqueName: event, label, arm: 1 }],
        mappings: fields.map(({ instrument }) => ({ event, instrument })),
        missingDataCodes: [missing],
      }),
      title,
    ),
  );

describe('Types of projects with hostile names', () => {
  it('have one import of types and interfaces, and nothing else, whatever the names and labels are', () => {
    fc.assert(
      fc.property(hostileTypes, (source) => {
        const file = ts.createSourceFile('project.ts', source, ts.ScriptTarget.ES2023);
        const [head, ...interfaces] = file.statements;

        expect(head !== undefined && ts.isImportDeclaration(head) && head.importClause?.isTypeOnly).to.equal(
          true,
        );
        expect(interfaces.every((statement) => ts.isInterfaceDeclaration(statement))).to.equal(true);
      }),
      { numRuns: 400 },
    );
  });

  it('compile without a syntax error, and execute nothing', () => {
    fc.assert(
      fc.property(hostileTypes, (source) => {
        const { outputText, diagnostics } = ts.transpileModule(source, {
          reportDiagnostics: true,
          compilerOptions: {
            module: ts.ModuleKind.CommonJS,
            target: ts.ScriptTarget.ES2023,
            removeComments: false,
          },
        });
        const calls: string[] = [];
        runInNewContext(outputText, { exports: {}, ran: () => calls.push('ran') });

        expect(diagnostics?.map(({ messageText }) => messageText)).to.deep.equal([]);
        expect(calls).to.deep.equal([]);
      }),
      { numRuns: 200 },
    );
  });
});

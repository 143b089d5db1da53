import { expect } from 'chai';
import fc from 'fast-check';
import { parseLogic } from '../../../../src/domain/logic/parser.js';
import { printLogic } from '../../../../src/domain/logic/printer.js';
import type { LogicNode, Reference } from '../../../../src/domain/logic/syntax.js';
import { cpuMsOf } from '../../../support/cpu-ms-of.js';
import { logicTree } from '../../../support/logic-arbitraries.js';

const anyReference: fc.Arbitrary<Omit<Reference, 'start' | 'end'>> = fc
  .record(
    {
      field: fc.constantFrom('age', 'sites', 'Base_Complete'),
      code: fc.constantFrom('1', '-99', 'Aa'),
      event: fc.constantFrom('start_arm_1', 'first-event-name'),
      instance: fc.constantFrom(1, 25, 'first' as const, 'next' as const),
    },
    { requiredKeys: ['field'] },
  )
  .map((parts) => ({ kind: 'reference' as const, ...parts }));

function treeOf(source: string): LogicNode {
  const parsed = parseLogic(source);
  if ('problem' in parsed) throw new Error(`${parsed.problem.at}: ${parsed.problem.message}`);
  return parsed.tree;
}

/** The tree without positions, which differ between texts of the same meaning. */
function withoutPlaces(tree: LogicNode): unknown {
  return JSON.parse(
    JSON.stringify(tree, (key, value: unknown) => (key === 'start' || key === 'end' ? undefined : value)),
  );
}

describe('parseLogic', () => {
  it('reads the output of printLogic as the same tree', () => {
    fc.assert(
      fc.property(logicTree(anyReference), (tree) => {
        expect(withoutPlaces(treeOf(printLogic(tree)))).to.deep.equal(withoutPlaces(tree));
      }),
      { numRuns: 1000 },
    );
  });

  it('terminates on any text, with a tree or a position inside the text', () => {
    const scraps = fc.constantFrom(
      ...`[ ] ( ) ' " age event_1_arm_1 1 .5 <> = and or not , + - # //`.split(' '),
      '\n',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(scraps).map((parts) => parts.join(' ')),
          fc.string({ unit: 'binary' }),
        ),
        (source) => {
          const parsed = parseLogic(source);
          if ('problem' in parsed) expect(parsed.problem.at).to.be.within(1, source.length + 1);
          else expect(parsed.tree.end).to.be.at.most(source.length);
        },
      ),
      { numRuns: 1000 },
    );
  });

  for (const [source, printed] of [
    ['[a]=1 OR [b]!=2 aNd [c]>3', '[a] = 1 or [b] <> 2 and [c] > 3'],
    ['not [a] = 1 and [b] = 2', 'not [a] = 1 and [b] = 2'],
    ['not ([a] = 1 and [b] = 2)', 'not ([a] = 1 and [b] = 2)'],
    ['1 - 2 - (3 - 4)', '1 - 2 - (3 - 4)'],
    ['(([a]))^(2)', '[a] ^ 2'],
    [`[ age ] = "it's"`, `[age] = "it's"`],
    ['[start_arm_1][drug][2] = 1', '[start_arm_1][drug][2] = 1'],
    ['[drug][last-instance] <> ""', "[drug][last-instance] <> ''"],
    ['[visit_arm_1][2] = 1', '[visit_arm_1][2] = 1'],
    ['[age] >= 18 and\n // it\'s [ ( "\n1 = 1', '[age] >= 18 and 1 = 1'],
    ['// adults\n[age] >= 18\n  # and nobody else', '[age] >= 18'],
    [
      '[record-name] = 1 and [survey-date-completed:form] > 0',
      '[record-name] = 1 and [survey-date-completed:form] > 0',
    ],
  ] as const) {
    it(`reads ${JSON.stringify(source)} as ${printed}`, () => {
      expect(printLogic(treeOf(source))).to.equal(printed);
    });
  }

  it('reports the position of each part', () => {
    const tree = treeOf(' [age] >= 18');

    expect(tree).to.include({ kind: 'chain', start: 1, end: 12 });
    expect(tree).to.have.nested.property('first.end', 6);
  });

  for (const [source, at, message] of [
    ['[age >= 18', 1, 'this [ is not closed'],
    ['age] >= 18', 4, 'this ] has no [ before it'],
    ['([age] >= 18', 1, 'this ( is not closed'],
    ['[age] >= 18)', 12, 'this ) has no ( before it'],
    ["[name] = 'Ada", 10, "this ' is not closed"],
    ['[age] ~ 5 and ([b] = 1', 15, 'this ( is not closed'],
    ['[age] >=', 9, 'it ends where a value is needed'],
  ] as const) {
    it(`reports ${JSON.stringify(source)} as broken at character ${at}`, () => {
      expect(parseLogic(source)).to.containSubset({ problem: { at, message }, isBroken: true });
    });
  }

  for (const [source, at] of [
    ['[age] == 18', 8],
    ['[age] like 18', 7],
    ['[age:value] = 18', 1],
    ["[name] = 'O\\'Brien'", 19],
    ['[age] = 18; [b] = 1', 11],
    ['[age] = 18 // adults', 12],
    ["[note] = '\n' # a text", 14],
    ['('.repeat(101) + '1' + ')'.repeat(101), 102],
  ] as const) {
    it(`reports ${source.slice(0, 30)} as unknown rather than broken`, () => {
      expect(parseLogic(source))
        .to.deep.include({ isBroken: false })
        .and.have.nested.property('problem.at', at);
    });
  }

  it('takes time linear in the number of misplaced comments', () => {
    const source = `1 ${'#'.repeat(49_000)}`;
    expect(cpuMsOf(() => parseLogic(source))).to.be.below(1_500);
  });

  it('reads thousands of alternatives without deep recursion', () => {
    const source = Array.from({ length: 2500 }, (_, index) => `[id] = '${index}'`).join(' or ');

    expect(treeOf(source)).to.have.property('kind', 'chain');
  });
});

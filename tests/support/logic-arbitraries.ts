import fc from 'fast-check';
import {
  COMPARISON_LEVEL,
  LEVELS,
  type LogicNode,
  type Operator,
  type Reference,
} from '../../src/domain/logic/syntax.js';

const NOWHERE = { start: 0, end: 0 } as const;

/** Functions with a valid number of arguments. */
const CALLS: readonly (readonly [string, number])[] = [
  ['if', 3],
  ['sum', 2],
  ['mean', 3],
  ['median', 2],
  ['stdev', 3],
  ['min', 2],
  ['max', 2],
  ['round', 2],
  ['roundup', 1],
  ['rounddown', 2],
  ['abs', 1],
  ['sqrt', 1],
  ['log', 1],
  ['mod', 2],
  ['isnumber', 1],
  ['isinteger', 1],
  ['isblankormissingcode', 1],
  ['contains', 2],
  ['starts_with', 2],
  ['find', 2],
  ['left', 2],
  ['right', 2],
  ['mid', 3],
  ['length', 1],
  ['upper', 1],
  ['concat', 2],
  ['concat_ws', 3],
  ['replace_text', 3],
  ['year', 1],
  ['dayoftheweek', 1],
  ['age_at_date', 2],
];

/** Texts with surprising comparisons: numbers as text, decimal commas, blanks, dates. */
export const logicText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    '1',
    '01',
    '1,5',
    '1.5',
    '-3',
    'a',
    'B',
    'ab',
    '2020-02-29',
    '2021-02-29',
    '.5',
  ),
  fc.string({ maxLength: 4, unit: fc.constantFrom(...'aB1 ,.-é漢') }),
);

/** Generates random expression trees with the given references. */
export function logicTree(
  references: fc.Arbitrary<Omit<Reference, 'start' | 'end'>>,
): fc.Arbitrary<LogicNode> {
  const leaf: fc.Arbitrary<LogicNode> = fc.oneof(
    { weight: 4, arbitrary: references.map((reference) => ({ ...reference, ...NOWHERE })) },
    { weight: 2, arbitrary: logicText.map((value) => ({ kind: 'text' as const, value, ...NOWHERE })) },
    fc
      .constantFrom('0', '1', '2', '10', '2.5', '.5', '100')
      .map((text) => ({ kind: 'number' as const, text, ...NOWHERE })),
    fc.boolean().map((value) => ({ kind: 'boolean' as const, value, ...NOWHERE })),
  );
  return fc.letrec<{ node: LogicNode }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'logic' },
      leaf,
      chain(tie('node')),
      tie('node').map((operand) => ({ kind: 'not' as const, operand, ...NOWHERE })),
      fc
        .record({ sign: fc.constantFrom('+' as const, '-' as const), operand: tie('node') })
        .map((node) => ({ kind: 'sign' as const, ...node, ...NOWHERE })),
      fc
        .constantFrom(...CALLS)
        .chain(([name, count]) =>
          fc
            .array(tie('node'), { minLength: count, maxLength: count })
            .map((given) => ({ kind: 'call' as const, name, arguments: given, ...NOWHERE })),
        ),
    ),
  })).node;
}

/** Generates chains of operators of one level, mostly comparisons. */
function chain(node: fc.Arbitrary<LogicNode>): fc.Arbitrary<LogicNode> {
  const comparisons = LEVELS[COMPARISON_LEVEL] ?? [];
  return fc.constantFrom(...LEVELS, comparisons).chain((operators) => {
    const link = fc.record({ operator: fc.constantFrom<Operator>(...operators), operand: node });
    return fc
      .record({ first: node, rest: fc.array(link, { minLength: 1, maxLength: 3 }) })
      .map((parts) => ({ kind: 'chain' as const, ...parts, ...NOWHERE }));
  });
}

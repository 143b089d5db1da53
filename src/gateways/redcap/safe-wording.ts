/** The words that REDCap's refusals are made of. None of them identifies a person. */
const VOCABULARY: ReadonlySet<string> = new Set(
  [
    'a an the this that these those it its you your they their one more of or and not no any all some each only',
    'in on to for from by with without as at be is are was were been being can cannot could must may should will would',
    'do does did have has had if because since so than which who what when where there already yet again also both',
    'project projects record records event events arm arms field fields form forms instrument instruments instance',
    'instances repeating repeat survey surveys queue link code participant participants report reports file files',
    'folder folders repository document user users role roles group groups access data dictionary value values',
    'parameter parameters name names unique number text type format row rows column columns label logic filter',
    'randomization randomized randomize stratification allocation status development production mode setting settings',
    'permission permissions privileges right rights token api export import delete deleted rename renamed create created',
    'update updated move edit exist exists found missing empty blank required valid invalid incorrect allowed enabled',
    'disabled available assigned designated locked lock classic longitudinal provide provided specified specify given',
    'following contains contain belong belongs failed error errors request cannot please administrator size large',
    'exceeds limit maximum minimum length characters duplicate duplicated same different new existing current before',
    'after first last date time between other another least most too many few complete incomplete metadata upload',
  ].flatMap((line) => line.split(' ')),
);

const MAX_WORDS = 40;
const MIN_KNOWN_WORDS = 3;
const GAP = '…';

/**
 * Returns a text of REDCap with every word that is not in a fixed list replaced by `…`, so that no value of the project
 * is repeated; undefined if too little would be left to mean anything.
 */
export function safeWording(text: string): string | undefined {
  const words = text.trim().split(/\s+/).slice(0, MAX_WORDS);
  const safe = words.map((word) => {
    const [bare = ''] = /^[a-z]+(?=[.,:;]?$)/i.exec(word) ?? [];
    return VOCABULARY.has(bare.toLowerCase()) ? word.replace(/[.,:;]$/, '') : GAP;
  });
  const known = safe.filter((word) => word !== GAP).length;
  if (known < MIN_KNOWN_WORDS || known * 2 < words.length) return undefined;
  return safe.filter((word, index) => word !== GAP || safe[index - 1] !== GAP).join(' ');
}

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

/** The words of the pages of web servers, proxies and firewalls. */
const OF_SERVERS: ReadonlySet<string> = new Set(
  [
    'forbidden unauthorized denied blocked refused rejected rejects rejecting firewall waf security rule rules policy',
    'violation detected suspicious attack threat incident consult contact support attention notice warning fatal oops',
    'bad gateway service server servers internal unavailable temporarily timeout timed proxy upstream backend origin',
    'connection connect connecting reset closed peer host hostname network address load balancer cluster application',
    'requests rate limited throttled quota slow down busy overloaded capacity wait retry later again moment soon back',
    'nginx apache httpd iis php mysql mysqli sql database microsoft cloudflare akamai imperva incapsula fortinet',
    'fortigate fortiweb sophos barracuda netscaler citrix varnish haproxy envoy traefik caddy squid modsecurity zscaler',
    'http https html web page site website url uri status unexpected condition encountered prevented fulfilling',
    'uncaught exception parse syntax memory exhausted allowed size bytes tried allocate execution time seconds stack',
    'trace call undefined function class file log logged logs administrator webmaster inform occurred might done caused',
    'login log in sign session expired redirect redirected moved permanently permanent temporary under unable handle',
    'handled receive received response respond reached reach while processing process perform performing able request',
    'redcap reference support id code browser enable cookies javascript captcha human verify verification checking',
    'hospital university institute ray use used we sorry went wrong something here try see if how problem technical issue',
  ].flatMap((line) => line.split(' ')),
);

const MAX_FIRST_WORDS = 12;

/**
 * Returns the first words of an answer that is not data, such as `Bad Gateway nginx`, by which an operator recognises
 * who has answered. Every word that is not in a fixed list is left out, so that neither a value of the project nor the
 * token is repeated. Undefined if nothing is left.
 */
export function firstWords(body: string): string | undefined {
  const words = body
    .replace(/<(script|style)\b[^]*?(?:<\/\1>|$)/gi, ' ')
    .replace(/<[^>]*(?:>|$)/g, ' ')
    .split(/[^\p{L}\p{N}'@_-]+/u, MAX_READ_WORDS)
    .filter((word) => word !== '');
  const kept: string[] = [];
  for (const word of words) {
    const isKnown = VOCABULARY.has(word.toLowerCase()) || OF_SERVERS.has(word.toLowerCase());
    if (isKnown) kept.push(word);
    else if (kept.at(-1) !== GAP) kept.push(GAP);
    if (kept.length >= MAX_FIRST_WORDS) break;
  }
  while (kept.at(-1) === GAP) kept.pop();
  while (kept[0] === GAP) kept.shift();
  return kept.length === 0 ? undefined : kept.join(' ');
}

/** How much of an answer is looked at. */
const MAX_READ_WORDS = 200;
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

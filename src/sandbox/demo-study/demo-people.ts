/** A first or last name, in one of several scripts, with an ASCII spelling for email addresses. */
interface Name {
  readonly text: string;
  readonly ascii: string;
}

const name = (text: string, ascii = text.toLowerCase()): Name => ({ text, ascii });

export const FIRST_NAMES: readonly [Name, ...Name[]] = [
  name('José', 'jose'),
  name('Łukasz', 'lukasz'),
  name('李', 'li'),
  name('Ольга', 'olga'),
  name('عائشة', 'aisha'),
  name('Zoë', 'zoe'),
  name('Márta', 'marta'),
  name('Søren', 'soren'),
  name('さくら', 'sakura'),
  name('Aïssatou', 'aissatou'),
  name('Grace'),
  name('Émile', 'emile'),
];

export const LAST_NAMES: readonly [Name, ...Name[]] = [
  name('García', 'garcia'),
  name('Wiśniewska', 'wisniewska'),
  name('小龙', 'xiaolong'),
  name('Иванова', 'ivanova'),
  name('الزهراء', 'alzahra'),
  name("O'Brien", 'obrien'),
  name('Müller', 'muller'),
  name('Nguyễn', 'nguyen'),
  name('田中', 'tanaka'),
  name('Hopper'),
  name('van der Berg', 'vanderberg'),
  name('Ó Súilleabháin', 'osuilleabhain'),
];

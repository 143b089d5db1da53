import { SENTENCES, type Sentences } from '../../domain/errors/sentences.js';
import { tryFileTexts } from './en-try-file.js';
import { ENGLISH } from './in-language.js';

const { list } = ENGLISH;
const words = tryFileTexts.fileChoices;

/** What the service says of data, as programs get it, but for options, which are those of the page that checks a file. */
export const sentences: Sentences = {
  ...SENTENCES,
  date_option: ({ orders, needsCentury }) =>
    `it is one with ${[
      ...(orders.length === 0
        ? []
        : [`“${words.dates}: ${list(orders.map((order) => words.dateOrders[order]))}”`]),
      ...(needsCentury ? [`“${words.century}”`] : []),
    ].join(' and ')}`,
  decimal_option: ({ decimalCharacter }) =>
    `it is one with “${words.decimals}: ${words.writtenWith[decimalCharacter]}”`,
  auto_number_option: () => `REDCap numbers new records with “${words.numbering}”`,
};

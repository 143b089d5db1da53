import { PROBLEMS, type ProblemCode } from './problem-table.js';

/**
 * What this service says of data: the English end of a sentence that begins with a field, a row or a file, by its code.
 * A code is public API: added, never renamed. The pages say the same in their own languages.
 */
export const SENTENCES = {
  // What a value must be. Limits, choices and forms are those of the data dictionary.
  one_of: ({ choices, more }: Numbers<'more'> & Lists<'choices'>) =>
    `must be one of ${choices.join(', ')}${more > 0 ? ` and ${more} more codes` : ''}`,
  no_choices: () => 'must be one of the codes of the field, which has none',
  zero_or_one: () => 'must be 0 or 1',
  choice_code: ({ choices }: Lists<'choices'>) => `must be the code of a choice: ${choices.join(', ')}`,
  label_ambiguous: ({ codes }: Lists<'codes'>) =>
    `has the label of several choices (${codes.join(', ')}): import codes instead of labels, or give the choices different labels`,
  code_list: () => 'must be a list of codes of the field',
  from_to: ({ minimum, maximum }: Texts<'minimum' | 'maximum'>) => `must be from ${minimum} to ${maximum}`,
  at_least: ({ minimum }: Texts<'minimum'>) => `must be at least ${minimum}`,
  at_most: ({ maximum }: Texts<'maximum'>) => `must be at most ${maximum}`,
  date: ({ form }: Texts<'form'>) => `must be a date, as ${form}`,
  datetime: ({ form }: Texts<'form'>) => `must be a date and time, as ${form}`,
  time: ({ form }: Texts<'form'>) => `must be a time, as ${form}`,
  whole_number: () => 'must be a whole number',
  number: () => 'must be a number',
  number_with_comma: () => 'must be a number with a decimal comma',
  number_written_with: ({ decimalCharacter }: Texts<'decimalCharacter'>) =>
    `must be a number with the decimal character "${decimalCharacter}"`,
  decimals: ({ places, separator }: Numbers<'places'> & { readonly separator: 'point' | 'comma' }) =>
    `must be a number with ${places} decimal${places === 1 ? '' : 's'} after a ${separator}`,
  decimals_at_most: ({ places }: Numbers<'places'>) => `must be a number with at most ${places} decimals`,
  email: () => 'must be an email address',
  phone: () => 'must be a North American phone number',
  phone_australia: () => 'must be an Australian phone number',
  postalcode_australia: () => 'must be an Australian postal code',
  postalcode_canada: () => 'must be a Canadian postal code',
  postalcode_french: () => 'must be a French postal code',
  postalcode_germany: () => 'must be a German postal code',
  zipcode: () => 'must be a ZIP code',
  ssn: () => 'must be a social security number',
  alpha_only: () => 'must contain only letters',
  typed_value: () => 'must be a value of its type',
  inexact_number: () => 'must be sent as text: it has more digits than a number keeps',
  half_surrogate: () => 'must be text: it contains half of a surrogate pair',

  // How a value that breaks a rule would be read with another option of the import.
  date_option: ({
    orders,
    needsCentury,
  }: {
    readonly orders: readonly ('YMD' | 'MDY' | 'DMY')[];
    readonly needsCentury: boolean;
  }) =>
    `it is one with ${[
      ...(orders.length === 0 ? [] : [`date format ${orders.join(' or ')}`]),
      ...(needsCentury ? ['century 2000 or 1900'] : []),
    ].join(' and ')}`,
  decimal_option: ({ decimalCharacter }: { readonly decimalCharacter: '.' | ',' }) =>
    `it is one with decimal character "${decimalCharacter}"`,
  auto_number_option: () => 'REDCap numbers new records with force auto number',

  // How a spreadsheet, or a program that writes tables, has probably changed a value.
  spreadsheet_day: () =>
    'it is a day as spreadsheets count them, where 45658 is 2025-01-01: format the column as a date',
  spreadsheet_time: () =>
    'it is a part of a day as spreadsheets keep times, where 0.5 is 12:00: format the column as a time',
  spreadsheet_exponent: () =>
    'a spreadsheet has shortened it to a power of ten: format the column as a number without decimals',
  spreadsheet_decimals: () => 'it is a whole number, to which a program has added decimals',
  spreadsheet_zeros: () => 'has a spreadsheet removed leading zeros?',
  unseen_characters: () => 'it has blanks or other characters that nobody sees',

  // What is noticed about a record, or a row that would change one.
  required_empty: () => 'is required and empty',
  hidden_value: () => 'has a value, though its branching logic hides it',
  hidden: () => 'is hidden by branching logic',
  stale_calculation: () => 'differs from what its inputs give now',
  status_blank: () => 'is blank, though the form has values',
  complete_but_empty: () => 'says complete, though the form is empty',
  complete_without_required: () => 'says complete, though required fields are empty',
  blanks_around: () => 'had blanks around its value, which are left out',
  shortened_number: () => 'looks like a number that a spreadsheet has shortened: digits may be lost',
  same_number: () =>
    'is the stored number written in another way: has a spreadsheet removed leading zeros, or changed it otherwise?',
  unnumbered_id: () => 'is not a number, as the ids are that REDCap gives in this project',
  other_arm: ({ arm, arms }: Numbers<'arm'> & { readonly arms: readonly number[] }) =>
    `begins arm ${arm} for a record that is in arm ${arms.join(', ')} only`,

  record_id: ({ minimum, maximum }: Numbers<'minimum' | 'maximum'>) =>
    `must have ${minimum} to ${maximum} characters${minimum > 1 ? ' (RECORD_ID_MIN_LENGTH, for new records)' : ''}, no control character and no blank at either end`,
  /** `length` is that of the id, with which it would be accepted. */
  record_id_short: ({ length, minimum }: Numbers<'length' | 'minimum'>) =>
    `is the id of no record, and those of new records have at least ${minimum} characters: set RECORD_ID_MIN_LENGTH=${length} to admit it`,
  record_id_empty: () => 'must not be empty',
  record_stored: () => 'must be a record that the project has',
  record_new: () => 'must not be a record that the project has',
  record_of_row: () => 'must be as in record',
  event_name: () => 'must be a unique event name, as in baseline_arm_1',
  instrument_name: () => 'must be the unique name of an instrument',
  instance: () => 'must be a whole number from 1',
  instance_or_new: () => 'must be a whole number from 1, or new',
  read_only: () => 'may be read, but not changed',
  unknown_event: ({ name }: Named) => `has the event ${name}, which the project does not have`,
  not_repeating: ({ name, event }: Named & Texts<'event'>) =>
    `has the instrument ${name}, which does not repeat${event === '' ? '' : ` at ${event}`}`,
  instrument_needed: ({ forms }: Lists<'forms'>) =>
    `is needed with redcap_repeat_instance: what repeats here is ${forms.join(', ')}`,
  instance_needless: () => 'must be empty: neither an instrument nor the event repeats here',
  form_elsewhere: ({ form, event, events }: Texts<'form' | 'event'> & Lists<'events'>) =>
    `belongs to ${form}, which is not at ${event}${events.length === 0 ? '' : `, but at ${events.join(', ')}`}`,
  form_repeats: ({ form }: Texts<'form'>) =>
    `belongs to the repeating instrument ${form}: its rows have redcap_repeat_instrument and redcap_repeat_instance`,
  form_of_others: ({ form, instrument }: Texts<'form' | 'instrument'>) =>
    `belongs to ${form}, while the row is one of the repeating instrument ${instrument}`,
  dag_name: ({ dags, more }: Numbers<'more'> & Lists<'dags'>) =>
    `must be the unique name of a data access group: ${dags.join(', ')}${more > 0 ? ` or ${more} more` : ''}`,
  no_dags: () => 'must be empty: the project has no data access groups',
  missing: () => 'is missing',
  no_name: () => 'has no name',
  unknown_field: () => 'is not a field of the project',

  // What a request names. `among` are the names that were given where REDCap does not say which of them it is.
  unknown_name: ({ kind, among, meant }: UnknownName) => {
    const rule = `is not ${NAME_KINDS[kind]} of this project`;
    if (among !== undefined) return `has one that ${rule}, of ${among.join(', ')}`;
    return meant === undefined ? rule : `${rule}; did you mean ${meant}?`;
  },
  not_a_survey: () => 'is not enabled as a survey',
  no_return_later: () => 'does not let participants save and return later',
  not_importable: () => 'is not a field that can be imported into this project',

  // Why a row, or a whole body or file, cannot be read.
  other_cell_count: ({ cells, header }: Numbers<'cells' | 'header'>) =>
    `has another number of cells (${cells}) than the header (${header})`,
  value_without_name: ({ column }: Numbers<'column'>) =>
    `has a value in column ${column}, to which the header gives no name`,
  reserved_name: ({ column }: Texts<'column'>) => `has a reserved name: ${column}`,
  reserved_property: () => 'has a property with a reserved name',
  records_in_columns: () =>
    'has its records in columns, as the other template of REDCap: turn the table (in a spreadsheet: copy it, and paste it transposed)',
  nameless_columns: ({ first, second }: Columns) => `has no name in the columns ${first} and ${second}`,
  name_twice: ({ first, second }: Columns) => `has one name twice: in the columns ${first} and ${second}`,
  label_twice: ({ first, second }: Columns) =>
    `has one name twice: in the columns ${first} and ${second}; it needs the names of the fields, not labels`,
  label_of_several: ({ fields }: Lists<'fields'>) =>
    `has the label of several fields (${fields.join(', ')}): write the name of the field there`,
  status_of_which: () =>
    'is the status of a form, and stands behind no last field of one: write its name there, as in visit_complete',
  column_again: ({ name, column }: Named & Numbers<'column'>) =>
    `is ${name} once more, as column ${column} is`,
  unread_quotes: () => 'cannot be read: check its quotes',
  too_large: () => 'is larger than this service reads',
  too_many_columns: ({ most }: Numbers<'most'>) => `has more than ${most} columns`,
  not_utf8: ({ input, guess }: Texts<'input'> & Guessed) =>
    `is not UTF-8: save the ${input} as UTF-8${orEncoding(guess)}`,
  other_encoding: ({ encoding, input, guess }: Texts<'encoding' | 'input'> & Guessed) =>
    `declares the encoding ${encoding}: save the ${input} as UTF-8${orEncoding(guess)}`,
  not_encoding: ({ encoding }: Texts<'encoding'>) => `is not ${encoding}, as its encoding says`,
  is_utf16: ({ encoding, option }: Texts<'encoding'> & { readonly option: string | undefined }) =>
    `is ${encoding}: save it as UTF-8${orEncoding(option)}`,
  is_workbook: () => 'is a workbook, as of Excel, not text: save its sheet as CSV in UTF-8',
  unknown_delimiter: () => 'names a delimiter (sep=) other than comma, semicolon, tab, | and ^',
  empty_lines: ({ most, line }: Numbers<'most' | 'line'>) =>
    `has more than ${most} empty lines before line ${line}`,

  workbook_too_large: ({ megabytes }: Numbers<'megabytes'>) =>
    `is a workbook of more than ${megabytes} MB: save the sheet as CSV, and import that`,
  workbook_unpacked: ({ megabytes }: Numbers<'megabytes'>) =>
    `has more than ${megabytes} MB when it is unpacked: save the sheet as CSV`,
  not_workbook: () => 'is not a workbook (.xlsx) that can be read: save the sheet as CSV',
  workbook_costly: () => 'needs more memory or time than a workbook may: save the sheet as CSV',
  workbook_beyond: ({ what, most }: Numbers<'most'> & { readonly what: WorkbookPart }) =>
    `has more than ${most} ${WORKBOOK_PARTS[what]}, which no spreadsheet writes: save the sheet as CSV`,
  cell_unread: ({ column }: Numbers<'column'>) =>
    `has a cell in column ${column} that is not what its type says, such as a date that does not exist: enter its value again`,
  sheet_name_twice: ({ first, second }: Columns) =>
    `has one name twice in its sheet: in the columns ${first} and ${second}`,
  sheet_name: ({ sheets }: Lists<'sheets'>) =>
    `must be the name of a sheet of the workbook: ${sheets.map((name) => `"${name}"`).join(', ')}`,
  cells_outside: ({ rows, columns }: Numbers<'rows' | 'columns'>) =>
    `has a cell or a row outside of the first ${rows} rows and ${columns} columns: delete what is beside the rows, or save the sheet as CSV`,
  cells_apart: ({ cells }: Numbers<'cells'>) =>
    `has values so far apart that a sheet has more than ${cells} cells: delete what is beside the rows, or save the sheet as CSV`,

  not_object: () => 'is not a JSON object',
  not_json: () => 'is not valid JSON',
  not_flat: ({ option }: Texts<'option'>) =>
    `is not flat: values are strings, numbers, true, false or null (lists and objects need ${option})`,
  too_deep: () => 'is nested deeper than a typed row',
  not_list: ({ where }: Texts<'where'>) => `is not a JSON object with a list of records, ${where}`,
  part_too_large: ({ where }: Texts<'where'>) =>
    `has something that is larger than this service reads, ${where}`,
  ends_early: ({ where }: Texts<'where'>) => `ends too early, ${where}`,

  // What became of an import that stopped midway: the ends of sentences that begin with `import` or `records`.
  import_stopped: ({ problem }: { readonly problem: ProblemCode }) => `stopped: ${PROBLEMS[problem].title}`,
  import_counted: ({ sent, counted }: Numbers<'sent' | 'counted'>) =>
    `was counted as ${counted} of ${sent} records by REDCap`,
  rows_doubtful: ({ first, last }: Rows) =>
    `numbers ${first} to ${last} may have been stored too: the answer of REDCap was lost`,
  rows_miscounted: ({ first, last }: Rows) =>
    `numbers ${first} to ${last} may not be stored, or not all of them: REDCap did not confirm them`,
  rows_later: ({ first, last }: Rows) =>
    `numbers ${first} to ${last} were stored, although rows before them were not`,

  // Why the logic of a field is not evaluated, and what is wrong with logic at one place.
  logic_unread: ({ part, problems }: { readonly part: Part; readonly problems: readonly At[] }) =>
    `has ${part} that cannot be read here ${places(problems)}`,
  logic_unknown: ({ part, problems }: { readonly part: Part; readonly problems: readonly At[] }) =>
    `has ${part} that is not known in all parts ${places(problems)}`,
  /** REDCap calculates when a form is saved, so that all such values would differ on any other day. */
  calculation_of_its_day: () =>
    'has a calculation with today or now: its stored values are those of the days on which they were saved, and are not compared',

  /** `@CALCTEXT` and `@CALCDATE` compute by rules that are not supported here. */
  calculation_of_tag: () => 'has a calculation with @CALCTEXT or @CALCDATE, which is not evaluated',
  limit_not_evaluated: ({ limits }: Lists<'limits'>) =>
    `has a limit that is not evaluated, so that no value is compared with it: ${limits.join(', ')}`,

  logic_too_long: ({ most }: Numbers<'most'>) => `has more than ${most} characters`,
  logic_no_dictionary: () => 'the data dictionary could not be asked for',
  logic_character: () => 'this character is not part of the language as it is known here',
  logic_comment: () => 'a comment must begin its line',
  logic_not_closed: ({ sign }: Texts<'sign'>) => `this ${sign} is not closed`,
  logic_not_opened: ({ sign, opening }: Texts<'sign' | 'opening'>) =>
    `this ${sign} has no ${opening} before it`,
  logic_bracket: () => 'a field has no such bracket behind it',
  logic_field_form: () => 'this is not a known way to name a field',
  logic_event_form: () => 'this is not a known way to name an event',
  logic_operator: () => 'an operator is missing before this',
  logic_end: () => 'it ends where a value is needed',
  logic_value: () => 'a value is needed here',
  logic_word: () => 'this word is known neither as an operator nor as a value',
  logic_depth: () => 'it is nested too deep',
  logic_sign: ({ sign }: Texts<'sign'>) => `a ${sign} or an operator is needed here`,
  logic_name: ({ name }: Named) => `[${name}] is not known here`,
  logic_date_order: () => 'the order of day, month and year is not known here: write the date as YYYY-MM-DD',
  logic_function: ({ name }: Named) => `the function ${name} is not known here`,
  /** `most` is null if there is no limit. */
  logic_arguments: ({ name, least, most }: Named & Numbers<'least'> & { readonly most: number | null }) =>
    `${name} takes ${most === least ? least : most === null ? `${least} or more` : `${least} to ${most}`} arguments here`,
  logic_column: ({ name, logic }: Named & Texts<'logic'>) =>
    `[${name}] is an export column; logic writes [${logic}]`,
  logic_field: ({ name, meant }: Named & { readonly meant?: string | undefined }) =>
    `[${name}] is not a field of this project${meantOf(meant)}`,
  logic_event_unread: ({ name }: Named) => `the event [${name}] could not be looked up`,
  logic_no_events: ({ name }: Named) => `[${name}] is not an event: this project has none`,
  logic_event: ({ name, meant }: Named & { readonly meant?: string | undefined }) =>
    `[${name}] is not an event of this project${meantOf(meant)}`,
  logic_no_checkbox: ({ name }: Named) =>
    `[${name}] is not a checkbox field, so no choice can follow its name`,
  logic_choice_needed: ({ name, code }: Named & { readonly code?: string | undefined }) =>
    `[${name}] is a checkbox field: name one of its choices${code === undefined ? '' : `, as [${name}(${code})]`}`,
  logic_choice: ({ name, codes, more }: Codes) =>
    `[${name}] has no such choice; it has ${codes.join(', ')}${more > 0 ? `, and ${more} more` : ''}`,
  logic_code: (given: Codes) => `this is not a code of [${given.name}], which has ${shown(given)}`,
  logic_never_code: (given: Codes) =>
    `this comparison can never hold: the codes of [${given.name}] are ${shown(given)}`,
  /** `rule` is that of the values of the field. */
  logic_never: ({ name, rule }: Named & { readonly rule: Sentence }) =>
    `this comparison can never hold: [${name}] ${held(rule)}`,
  logic_never_text: ({ name, rule }: Named & { readonly rule: Sentence }) =>
    `this comparison can never hold: [${name}] ${held(rule)}, and this is not one`,
} as const;

/** What a workbook may have too much of. */
const WORKBOOK_PARTS = {
  levels: 'levels of elements',
  elements: 'elements',
  attributes: 'attributes in an element',
  name_characters: 'characters in the name of an element or attribute',
  entries: 'files in its archive',
  markup_bytes: 'bytes in a tag and the text behind it',
  text_characters: 'characters in a text',
  format_characters: 'characters in a number format',
  shared_texts: 'shared texts',
} as const;

export type WorkbookPart = keyof typeof WORKBOOK_PARTS;

/** What a project has by name, or by number. */
const NAME_KINDS = {
  field: 'a field',
  data_field: 'a field that holds data',
  file_field: 'a file field',
  instrument: 'an instrument',
  event: 'an event',
  arm: 'an arm',
  dag: 'a data access group',
  role: 'a role',
  user: 'a user',
  randomization: 'a randomization',
  folder: 'a folder of the file repository',
} as const;

export type NameKind = keyof typeof NAME_KINDS;

type UnknownName = {
  readonly kind: NameKind;
  readonly among?: readonly string[] | undefined;
  readonly meant?: string | undefined;
};

/** The parameters of sentences by what they are. */
type Texts<Name extends string> = { readonly [Each in Name]: string };
type Numbers<Name extends string> = { readonly [Each in Name]: number };
type Lists<Name extends string> = { readonly [Each in Name]: readonly string[] };
type Rows = Numbers<'first' | 'last'>;
type Columns = Numbers<'first' | 'second'>;
type Named = Texts<'name'>;
type Guessed = { readonly guess: string | undefined };
type Codes = Named & Lists<'codes'> & Numbers<'more'>;
/** Which logic of a field is meant. */
type Part = 'branching logic' | 'a calculation';
/** A problem of logic and where it is, from the first character on. */
type At = Sentence & { readonly at: number };

function places(problems: readonly At[]): string {
  return problems.map(({ at, message }) => `at character ${at}: ${message}`).join('; ');
}

function meantOf(meant: string | undefined): string {
  return meant === undefined ? '' : `; did you mean [${meant}]?`;
}

function shown({ codes, more }: Codes): string {
  return `${codes.join(', ')}${more > 0 ? ' …' : ''}`;
}

function held({ message }: Sentence): string {
  return message.replace(/^must be/, 'holds');
}

export type SentenceCode = keyof typeof SENTENCES;

/** The sentences in a language. One that is missing does not compile. */
export type Sentences = {
  readonly [Code in SentenceCode]: (...parameters: Parameters<(typeof SENTENCES)[Code]>) => string;
};

/** Something said of data, for people and for programs. */
export interface Sentence {
  /** A stable code: those of docs/reference/sentences.md. */
  readonly code: SentenceCode;
  /** What the message says besides its words: limits, choices and names of the project. */
  readonly parameters: { readonly [name: string]: unknown };
  /** In English, worded to follow the field name in a sentence. */
  readonly message: string;
}

const orEncoding = (guess: string | undefined): string =>
  guess === undefined ? '' : `, or give its encoding (${guess})`;

/** Makes a sentence. */
export function say<Code extends SentenceCode>(
  code: Code,
  ...[parameters]: Parameters<(typeof SENTENCES)[Code]>
): Sentence {
  const given: Readonly<Record<string, unknown>> = parameters ?? {};
  return { code, parameters: given, message: saidIn(SENTENCES, { code, parameters: given }) };
}

/** Returns a sentence in the words of a language. */
export function saidIn(
  sentences: Sentences,
  { code, parameters }: Pick<Sentence, 'code' | 'parameters'>,
): string {
  // `say` has put a code and its parameters together.
  return (sentences[code] as (given: Sentence['parameters']) => string)(parameters);
}

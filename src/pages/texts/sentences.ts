import {
  saidIn,
  SENTENCES,
  type NameKind,
  type Sentence,
  type Sentences,
  type WorkbookPart,
} from '../../domain/errors/sentences.js';
import { GERMAN_TITLES } from './german-titles.js';
import { ENGLISH, GERMAN, type InLanguage } from './in-language.js';
import { tryFileTexts } from './try-file.js';

/** What is said of options of an import: those of the page that checks a file. */
function optionSentences(language: InLanguage) {
  const { t, list } = language;
  const words = tryFileTexts(language).fileChoices;
  const quoted = (option: string): string => t(`“${option}”`, `„${option}“`);
  return {
    date_option: ({ orders, needsCentury }) => {
      const order = `${words.dates}: ${list(orders.map((each) => words.dateOrders[each]))}`;
      const options = [...(orders.length === 0 ? [] : [order]), ...(needsCentury ? [words.century] : [])];
      const named = options.map(quoted).join(t(' and ', ' und '));
      return t(`it is one with ${named}`, `es ist eines mit der Angabe ${named}`);
    },
    decimal_option: ({ decimalCharacter }) => {
      const named = quoted(`${words.decimals}: ${words.writtenWith[decimalCharacter]}`);
      return t(`it is one with ${named}`, `es ist eine mit der Angabe ${named}`);
    },
    auto_number_option: () =>
      t(
        `REDCap numbers new records with ${quoted(words.numbering)}`,
        `REDCap nummeriert neue Datensätze mit der Angabe ${quoted(words.numbering)}`,
      ),
  } satisfies Partial<Sentences>;
}

/** What the service says of data, as programs get it, but for options. */
export const ENGLISH_SENTENCES: Sentences = { ...SENTENCES, ...optionSentences(ENGLISH) };

const { number } = GERMAN;

/** Returns a form of dates as Germans write it: `JJJJ-MM-TT` for `YYYY-MM-DD`. */
const formOf = (form: string): string => form.replace(/Y/g, 'J').replace('DD', 'TT');
const columnsOf = ({ first, second }: { readonly first: number; readonly second: number }): string =>
  `in den Spalten ${first} und ${second}`;
const meantOf = (meant: string | undefined): string =>
  meant === undefined ? '' : `; ist [${meant}] gemeint?`;
const placesOf = (problems: readonly (Sentence & { readonly at: number })[]): string =>
  problems.map((problem) => `Zeichen ${number(problem.at)}: ${saidIn(GERMAN_SENTENCES, problem)}`).join('; ');
const PARTS = { 'branching logic': 'eine Branching Logic', 'a calculation': 'eine Berechnung' };
const NAME_KINDS: Readonly<Record<NameKind, string>> = {
  field: 'kein Feld',
  data_field: 'kein Feld mit Daten',
  file_field: 'kein Feld mit Dateien',
  instrument: 'kein Instrument',
  event: 'kein Event',
  arm: 'kein Arm',
  dag: 'keine Datenzugriffsgruppe',
  role: 'keine Rolle',
  user: 'kein Benutzer',
  randomization: 'keine Randomisierung',
  folder: 'kein Ordner der Dateiablage',
};
const WORKBOOK_PARTS: Readonly<Record<WorkbookPart, string>> = {
  levels: 'Ebenen von Elementen',
  elements: 'Elemente',
  attributes: 'Attribute in einem Element',
  name_characters: 'Zeichen im Namen eines Elements oder Attributs',
  entries: 'Dateien in ihrem Archiv',
  markup_bytes: 'Bytes in einem Tag mit dem Text dahinter',
  text_characters: 'Zeichen in einem Text',
  format_characters: 'Zeichen in einem Zahlenformat',
  shared_texts: 'gemeinsame Texte',
};
const PLACES = { point: 'Punkt', comma: 'Komma' };
const shown = (codes: readonly string[], more: number): string =>
  `${codes.join(', ')}${more > 0 ? ' …' : ''}`;

/** What the service says of data, in German: the end of a sentence that begins with a field, a row or a file. */
export const GERMAN_SENTENCES: Sentences = {
  ...optionSentences(GERMAN),

  one_of: ({ choices, more }) =>
    `muss einer dieser Codes sein: ${choices.join(', ')}${more > 0 ? ` und ${number(more)} weitere` : ''}`,
  no_choices: () => 'muss ein Code des Feldes sein, das keine hat',
  zero_or_one: () => 'muss 0 oder 1 sein',
  choice_code: ({ choices }) => `muss der Code einer Auswahl sein: ${choices.join(', ')}`,
  label_ambiguous: ({ codes }) =>
    `hat die Beschriftung mehrerer Auswahlen (${codes.join(', ')}): Importieren Sie Codes statt Beschriftungen, oder ändern Sie die Beschriftungen`,
  code_list: () => 'muss eine Liste von Codes des Feldes sein',
  from_to: ({ minimum, maximum }) => `muss von ${minimum} bis ${maximum} sein`,
  at_least: ({ minimum }) => `muss mindestens ${minimum} sein`,
  at_most: ({ maximum }) => `darf höchstens ${maximum} sein`,
  date: ({ form }) => `muss ein Datum sein, als ${formOf(form)}`,
  datetime: ({ form }) => `muss ein Datum mit Uhrzeit sein, als ${formOf(form)}`,
  time: ({ form }) => `muss eine Zeit sein, als ${formOf(form)}`,
  whole_number: () => 'muss eine ganze Zahl sein',
  number: () => 'muss eine Zahl sein',
  number_with_comma: () => 'muss eine Zahl mit Dezimalkomma sein',
  number_written_with: ({ decimalCharacter }) =>
    `muss eine Zahl mit dem Dezimalzeichen „${decimalCharacter}“ sein`,
  decimals: ({ places, separator }) =>
    `muss eine Zahl mit ${places} ${places === 1 ? 'Stelle' : 'Stellen'} nach dem ${PLACES[separator]} sein`,
  decimals_at_most: ({ places }) => `muss eine Zahl mit höchstens ${places} Dezimalstellen sein`,
  email: () => 'muss eine E-Mail-Adresse sein',
  phone: () => 'muss eine nordamerikanische Telefonnummer sein',
  phone_australia: () => 'muss eine australische Telefonnummer sein',
  postalcode_australia: () => 'muss eine australische Postleitzahl sein',
  postalcode_canada: () => 'muss eine kanadische Postleitzahl sein',
  postalcode_french: () => 'muss eine französische Postleitzahl sein',
  postalcode_germany: () => 'muss eine deutsche Postleitzahl sein',
  zipcode: () => 'muss ein US-amerikanischer ZIP-Code sein',
  ssn: () => 'muss eine US-amerikanische Sozialversicherungsnummer sein',
  alpha_only: () => 'darf nur Buchstaben enthalten',
  typed_value: () => 'muss ein Wert seines Typs sein',
  inexact_number: () => 'muss als Text gesendet werden: Es hat mehr Stellen, als eine Zahl behält',
  half_surrogate: () => 'muss Text sein: Es enthält ein halbes Zeichen',

  spreadsheet_day: () =>
    'es ist ein Tag, wie Tabellenprogramme sie zählen, mit 45658 für den 1.1.2025: Formatieren Sie die Spalte als Datum',
  spreadsheet_time: () =>
    'es ist ein Teil eines Tages, wie Tabellenprogramme Uhrzeiten führen, mit 0,5 für 12:00: Formatieren Sie die Spalte als Uhrzeit',
  spreadsheet_exponent: () =>
    'ein Tabellenprogramm hat es zu einer Zehnerpotenz gekürzt: Formatieren Sie die Spalte als Zahl ohne Nachkommastellen',
  spreadsheet_decimals: () => 'es ist eine ganze Zahl, der ein Programm Nachkommastellen gegeben hat',
  spreadsheet_zeros: () => 'hat ein Tabellenprogramm führende Nullen entfernt?',
  unseen_characters: () => 'es hat Leerzeichen oder andere Zeichen, die niemand sieht',

  required_empty: () => 'ist ein Pflichtfeld und leer',
  hidden_value: () => 'hat einen Wert, obwohl die Branching Logic es verbirgt',
  hidden: () => 'wird von der Branching Logic verborgen',
  stale_calculation: () => 'weicht von dem ab, was die jetzigen Werte ergeben',
  status_blank: () => 'ist leer, obwohl das Formular Werte hat',
  complete_but_empty: () => 'sagt „vollständig“, obwohl das Formular leer ist',
  complete_without_required: () => 'sagt „vollständig“, obwohl Pflichtfelder leer sind',
  blanks_around: () => 'hatte Leerzeichen um seinen Wert, die weggelassen werden',
  shortened_number: () =>
    'sieht aus wie eine Zahl, die ein Tabellenprogramm gekürzt hat: Stellen können verloren sein',
  same_number: () =>
    'ist die gespeicherte Zahl, anders geschrieben: Hat ein Tabellenprogramm führende Nullen entfernt oder sie sonst verändert?',
  unnumbered_id: () => 'ist keine Zahl, wie es die Kennungen sind, die REDCap in diesem Projekt vergibt',
  other_arm: ({ arm, arms }) =>
    `beginnt Arm ${arm} für einen Datensatz, der bisher nur in Arm ${arms.join(', ')} ist`,

  record_id: ({ minimum, maximum }) =>
    `muss ${minimum} bis ${maximum} Zeichen haben${minimum > 1 ? ', wenn der Datensatz neu ist (RECORD_ID_MIN_LENGTH)' : ''}, kein Steuerzeichen und kein Leerzeichen am Anfang oder Ende`,
  record_id_short: ({ length, minimum }) =>
    `ist die Kennung keines Datensatzes, und die von neuen haben mindestens ${minimum} Zeichen: RECORD_ID_MIN_LENGTH=${length} ließe sie zu`,
  record_id_empty: () => 'darf nicht leer sein',
  record_stored: () => 'muss ein Datensatz sein, den das Projekt hat',
  record_new: () => 'darf kein Datensatz sein, den das Projekt hat',
  record_of_row: () => 'muss wie in record sein',
  event_name: () => 'muss der eindeutige Name eines Events sein, wie baseline_arm_1',
  instrument_name: () => 'muss der eindeutige Name eines Instruments sein',
  instance: () => 'muss eine ganze Zahl ab 1 sein',
  instance_or_new: () => 'muss eine ganze Zahl ab 1 sein, oder new',
  read_only: () => 'darf gelesen, aber nicht geändert werden',
  unknown_event: ({ name }) => `hat das Event ${name}, das es im Projekt nicht gibt`,
  not_repeating: ({ name, event }) =>
    `hat das Instrument ${name}, das sich ${event === '' ? '' : `bei ${event} `}nicht wiederholt`,
  instrument_needed: ({ forms }) =>
    `muss bei redcap_repeat_instance angegeben sein: Hier wiederholt sich ${forms.join(', ')}`,
  instance_needless: () => 'muss leer sein: Hier wiederholt sich weder ein Instrument noch das Event',
  form_elsewhere: ({ form, event, events }) =>
    `gehört zu ${form}, das es nicht bei ${event} gibt${events.length === 0 ? '' : `, aber bei ${events.join(', ')}`}`,
  form_repeats: ({ form }) =>
    `gehört zum wiederholten Instrument ${form}: Dessen Zeilen haben redcap_repeat_instrument und redcap_repeat_instance`,
  form_of_others: ({ form, instrument }) =>
    `gehört zu ${form}, die Zeile aber zum wiederholten Instrument ${instrument}`,
  dag_name: ({ dags, more }) =>
    `muss der eindeutige Name einer Datenzugriffsgruppe sein: ${dags.join(', ')}${more > 0 ? ` oder ${more} weitere` : ''}`,
  no_dags: () => 'muss leer sein: Das Projekt hat keine Datenzugriffsgruppen',
  missing: () => 'fehlt',
  no_name: () => 'hat keinen Namen',
  unknown_field: () => 'ist kein Feld des Projekts',
  unknown_name: ({ kind, among, meant }) => {
    if (among !== undefined)
      return `hat unter ${among.join(', ')} etwas, das im Projekt ${NAME_KINDS[kind]} ist`;
    return `ist ${NAME_KINDS[kind]} des Projekts${meant === undefined ? '' : `; ist ${meant} gemeint?`}`;
  },
  not_a_survey: () => 'ist nicht als Umfrage eingerichtet',
  no_return_later: () => 'lässt Teilnehmende nicht speichern und später weitermachen',
  not_importable: () => 'ist kein Feld, das in das Projekt importiert werden kann',

  other_cell_count: ({ cells, header }) =>
    `hat eine andere Zahl von Zellen (${cells}) als die Kopfzeile (${header})`,
  value_without_name: ({ column }) =>
    `hat einen Wert in Spalte ${column}, der die Kopfzeile keinen Namen gibt`,
  reserved_name: ({ column }) => `hat einen reservierten Namen: ${column}`,
  reserved_property: () => 'hat eine Eigenschaft mit einem reservierten Namen',
  records_in_columns: () =>
    'hat die Datensätze in den Spalten, wie die andere Vorlage von REDCap: Drehen Sie die Tabelle (im Tabellenprogramm: kopieren und transponiert einfügen)',
  nameless_columns: (columns) => `hat ${columnsOf(columns)} keinen Namen`,
  name_twice: (columns) => `hat ${columnsOf(columns)} denselben Namen`,
  label_twice: (columns) =>
    `hat ${columnsOf(columns)} denselben Namen; hierher gehören die Namen der Felder, nicht ihre Beschriftungen`,
  label_of_several: ({ fields }) =>
    `hat die Beschriftung mehrerer Felder (${fields.join(', ')}): Schreiben Sie dort den Namen des Feldes`,
  status_of_which: () =>
    'ist der Status eines Formulars, steht aber nicht hinter dem letzten Feld von einem: Schreiben Sie dort seinen Namen, wie visit_complete',
  column_again: ({ name, column }) => `ist noch einmal ${name}, wie Spalte ${column}`,
  unread_quotes: () => 'lässt sich nicht lesen: Prüfen Sie die Anführungszeichen',
  too_large: () => 'ist größer, als dieser Dienst liest',
  too_many_columns: ({ most }) => `hat mehr als ${number(most)} Spalten`,
  not_utf8: () =>
    'ist nicht in UTF-8: Speichern Sie die Datei in UTF-8, oder geben Sie ihre Zeichenkodierung an (Windows-1252?)',
  other_encoding: ({ encoding }) =>
    `gibt die Zeichenkodierung ${encoding} an: Speichern Sie die Datei in UTF-8, oder geben Sie ihre Zeichenkodierung an`,
  not_encoding: ({ encoding }) => `ist nicht in ${encoding}, der angegebenen Zeichenkodierung`,
  is_utf16: ({ encoding }) =>
    `ist in ${encoding}: Speichern Sie sie in UTF-8, oder geben Sie ihre Zeichenkodierung an`,
  is_workbook: () =>
    'ist eine Arbeitsmappe, etwa von Excel, und kein Text: Speichern Sie das Blatt als CSV in UTF-8',
  unknown_delimiter: () => 'nennt ein anderes Trennzeichen (sep=) als Komma, Semikolon, Tabulator, | und ^',
  empty_lines: ({ most, line }) => `hat mehr als ${number(most)} leere Zeilen vor Zeile ${number(line)}`,

  workbook_too_large: ({ megabytes }) =>
    `ist eine Arbeitsmappe von mehr als ${megabytes} MB: Speichern Sie das Blatt als CSV, und prüfen Sie das`,
  workbook_unpacked: ({ megabytes }) =>
    `hat ausgepackt mehr als ${megabytes} MB: Speichern Sie das Blatt als CSV`,
  not_workbook: () => 'ist keine lesbare Arbeitsmappe (.xlsx): Speichern Sie das Blatt als CSV',
  workbook_costly: () =>
    'braucht mehr Speicher oder Zeit, als eine Arbeitsmappe darf: Speichern Sie das Blatt als CSV',
  workbook_beyond: ({ what, most }) =>
    `hat mehr als ${number(most)} ${WORKBOOK_PARTS[what]}, wie es keine Tabellenkalkulation schreibt: Speichern Sie das Blatt als CSV`,
  cell_unread: ({ column }) =>
    `hat in Spalte ${column} eine Zelle, die nicht ist, was ihr Typ sagt, etwa ein Datum, das es nicht gibt: Geben Sie ihren Wert neu ein`,
  sheet_name_twice: (columns) => `hat im Blatt ${columnsOf(columns)} denselben Namen`,
  sheet_name: ({ sheets }) =>
    `muss der Name eines Blattes der Arbeitsmappe sein: ${sheets.map((name) => `„${name}“`).join(', ')}`,
  cells_outside: ({ rows, columns }) =>
    `hat eine Zelle oder Zeile außerhalb der ersten ${number(rows)} Zeilen und ${number(columns)} Spalten: Löschen Sie, was neben den Zeilen steht, oder speichern Sie das Blatt als CSV`,
  cells_apart: ({ cells }) =>
    `hat so weit auseinander Werte, dass ein Blatt mehr als ${number(cells)} Zellen hat: Löschen Sie, was neben den Zeilen steht, oder speichern Sie das Blatt als CSV`,

  not_object: () => 'ist kein JSON-Objekt',
  not_json: () => 'ist kein gültiges JSON',
  not_flat: () => 'ist nicht flach: Werte sind Text, Zahlen, true, false oder null',
  too_deep: () => 'ist tiefer verschachtelt als eine Zeile mit Typen',
  not_list: () => 'ist kein JSON-Objekt mit einer Liste von Datensätzen',
  part_too_large: () => 'enthält etwas, das größer ist, als dieser Dienst liest',
  ends_early: () => 'endet zu früh',

  import_stopped: ({ problem }) => `wurde angehalten: ${GERMAN_TITLES[problem]}`,
  import_counted: ({ sent, counted }) =>
    `wurde von REDCap als ${number(counted)} von ${number(sent)} Datensätzen gezählt`,
  rows_doubtful: ({ first, last }) =>
    `${first} bis ${last} sind vielleicht auch gespeichert: Die Antwort von REDCap ging verloren`,
  rows_miscounted: ({ first, last }) =>
    `${first} bis ${last} sind vielleicht nicht oder nicht alle gespeichert: REDCap hat sie nicht bestätigt`,
  rows_later: ({ first, last }) => `${first} bis ${last} sind gespeichert, obwohl Zeilen davor es nicht sind`,

  logic_unread: ({ part, problems }) =>
    `hat ${PARTS[part]}, die hier nicht lesbar ist (${placesOf(problems)})`,
  logic_unknown: ({ part, problems }) =>
    `hat ${PARTS[part]}, von der hier nicht alles bekannt ist (${placesOf(problems)})`,
  calculation_of_tag: () => 'hat eine Berechnung mit @CALCTEXT oder @CALCDATE, die nicht ausgewertet wird',
  limit_not_evaluated: ({ limits }) =>
    `hat einen Grenzwert, der nicht ausgewertet wird, sodass kein Wert mit ihm verglichen wird: ${limits.join(', ')}`,
  calculation_of_its_day: () =>
    'hat eine Berechnung mit today oder now: Gespeichert sind die Werte der Tage, an denen gespeichert wurde, und sie werden nicht verglichen',
  logic_too_long: ({ most }) => `hat mehr als ${number(most)} Zeichen`,
  logic_no_dictionary: () => 'das Data Dictionary war nicht abzurufen',
  logic_character: () => 'dieses Zeichen gehört nicht zur Sprache, wie sie hier bekannt ist',
  logic_comment: () => 'ein Kommentar muss am Anfang seiner Zeile stehen',
  logic_not_closed: ({ sign }) => `dieses ${sign} wird nicht geschlossen`,
  logic_not_opened: ({ sign, opening }) => `vor diesem ${sign} fehlt ${opening}`,
  logic_bracket: () => 'hinter einem Feld steht keine solche Klammer',
  logic_field_form: () => 'so lässt sich kein Feld nennen',
  logic_event_form: () => 'so lässt sich kein Event nennen',
  logic_operator: () => 'hiervor fehlt ein Operator',
  logic_end: () => 'sie endet, wo ein Wert nötig ist',
  logic_value: () => 'hier ist ein Wert nötig',
  logic_word: () => 'dieses Wort ist weder als Operator noch als Wert bekannt',
  logic_depth: () => 'sie ist zu tief verschachtelt',
  logic_sign: ({ sign }) => `hier ist ${sign} oder ein Operator nötig`,
  logic_name: ({ name }) => `[${name}] ist hier nicht bekannt`,
  logic_date_order: () =>
    'die Reihenfolge von Tag, Monat und Jahr ist hier nicht bekannt: Schreiben Sie das Datum als JJJJ-MM-TT',
  logic_function: ({ name }) => `die Funktion ${name} ist hier nicht bekannt`,
  logic_arguments: ({ name, least, most }) =>
    `${name} hat hier ${most === least ? least : most === null ? `mindestens ${least}` : `${least} bis ${most}`} Argumente`,
  logic_column: ({ name, logic }) => `[${name}] ist eine Spalte eines Exports; in Logik heißt sie [${logic}]`,
  logic_field: ({ name, meant }) => `[${name}] ist kein Feld dieses Projekts${meantOf(meant)}`,
  logic_event_unread: ({ name }) => `das Event [${name}] war nicht nachzuschlagen`,
  logic_no_events: ({ name }) => `[${name}] ist kein Event: Dieses Projekt hat keine`,
  logic_event: ({ name, meant }) => `[${name}] ist kein Event dieses Projekts${meantOf(meant)}`,
  logic_no_checkbox: ({ name }) =>
    `[${name}] ist kein Feld mit Mehrfachauswahl, sodass hinter seinem Namen kein Code stehen kann`,
  logic_choice_needed: ({ name, code }) =>
    `[${name}] ist ein Feld mit Mehrfachauswahl: Nennen Sie einen seiner Codes${code === undefined ? '' : `, wie [${name}(${code})]`}`,
  logic_choice: ({ name, codes, more }) =>
    `[${name}] hat diesen Code nicht; es hat ${codes.join(', ')}${more > 0 ? ` und ${number(more)} weitere` : ''}`,
  logic_code: ({ name, codes, more }) => `das ist kein Code von [${name}], das ${shown(codes, more)} hat`,
  logic_never_code: ({ name, codes, more }) =>
    `dieser Vergleich kann nie zutreffen: Die Codes von [${name}] sind ${shown(codes, more)}`,
  logic_never: ({ name, rule }) =>
    `dieser Vergleich kann nie zutreffen: [${name}] ${saidIn(GERMAN_SENTENCES, rule)}`,
  logic_never_text: ({ name, rule }) =>
    `dieser Vergleich kann nie zutreffen: [${name}] ${saidIn(GERMAN_SENTENCES, rule)}, und das ist keines davon`,
};

import type { ImportChange } from '../../gateways/redcap/crf-client.js';
import type { TextEncoding } from '../../domain/bytes/decode-text.js';
import type { InLanguage } from './in-language.js';

/** The texts of the page that checks a file. */
export const tryFileTexts = ({ t, counted, number }: InLanguage) => ({
  tryFile: {
    title: t('Try a file', 'Datei prüfen'),
    lead: t(
      'A CSV or a workbook (.xlsx) with records is checked against the data dictionary, row by row. Checking stores nothing.',
      'Eine CSV-Datei oder Arbeitsmappe (.xlsx) mit Datensätzen wird Zeile für Zeile gegen das Data Dictionary geprüft. Dabei wird nichts gespeichert.',
    ),
    file: t(
      'A CSV file or a workbook, the names of the fields in its first row',
      'Eine CSV-Datei oder Arbeitsmappe mit den Feldnamen in der ersten Zeile',
    ),
    limit: t('Up to 10 MB, a workbook up to 2 MB.', 'Bis zu 10 MB, eine Arbeitsmappe bis zu 2 MB.'),
    check: t('Check the file', 'Datei prüfen'),
    store: t('Store it in REDCap', 'In REDCap speichern'),
    notKept: t(
      'The file was not kept: choose it again to store it.',
      'Die Datei wurde nicht aufbewahrt: Wählen Sie sie noch einmal aus, um sie zu speichern.',
    ),
    noFile: t('No file at hand?', 'Keine Datei zur Hand?'),
    example: t('This example has mistakes.', 'Dieses Beispiel enthält Fehler.'),
    tooLarge: t(
      'The file has more than 10 MB. Check it on the command line: crf import --dry-run FILE.',
      'Die Datei hat mehr als 10 MB. Prüfen Sie sie auf der Kommandozeile: crf import --dry-run DATEI.',
    ),
    noRows: t(
      'The file has no rows: below the names of the fields there must be at least one record.',
      'Die Datei hat keine Zeilen: Unter den Feldnamen muss mindestens ein Datensatz stehen.',
    ),
    firstOf: (shown: number, total: number) =>
      t(`The first ${number(shown)} of ${number(total)}`, `Die ersten ${number(shown)} von ${number(total)}`),
    inOrder: t('In the order of the file', 'In der Reihenfolge der Datei'),
    columns: {
      line: t('Line', 'Zeile'),
      lines: t('Lines', 'Zeilen'),
      record: t('Record', 'Datensatz'),
      firstRecord: t('First record', 'Erster Datensatz'),
      event: 'Event',
      instance: t('Instance', 'Instanz'),
      field: t('Field', 'Feld'),
      change: t('Change', 'Änderung'),
      stored: t('Stored', 'Gespeichert'),
      newValue: t('New value', 'Neuer Wert'),
      warning: t('Warning', 'Warnung'),
      values: t('Values', 'Werte'),
      wrong: t('What is wrong', 'Was nicht stimmt'),
      meant: t('Probably meant', 'Wohl gemeint'),
    },
  },

  fileChoices: {
    title: t('How the file is read', 'Wie sie zu lesen ist'),
    encoding: t('Encoding of its text', 'Zeichenkodierung'),
    encodings: {
      'utf-8': 'UTF-8',
      'windows-1252': t(
        'Windows-1252, as older spreadsheets write it',
        'Windows-1252, wie ältere Tabellenprogramme schreiben',
      ),
      'utf-16le': t('UTF-16 LE, “Unicode text”', 'UTF-16 LE, „Unicode-Text“'),
      'utf-16be': 'UTF-16 BE',
    } satisfies Record<TextEncoding, string>,
    dates: t('Dates', 'Datumsangaben'),
    dateOrders: {
      YMD: '2026-12-31',
      DMY: t('31/12/2026 or 31.12.2026', '31.12.2026 oder 31/12/2026'),
      MDY: '12/31/2026',
    },
    century: t('Years of two digits', 'Zweistellige Jahre'),
    centuries: {
      none: t('refuse them', 'ablehnen'),
      2000: t('are of 2000 to 2099', 'sind aus 2000 bis 2099'),
      1900: t('are of 1900 to 1999', 'sind aus 1900 bis 1999'),
    },
    values: t('Choices', 'Auswahlen'),
    ofValues: {
      raw: t('are given as codes', 'stehen als Codes da'),
      label: t('are given as labels', 'stehen als Beschriftungen da'),
    },
    header: t('First row', 'Erste Zeile'),
    ofHeader: {
      raw: t('has the names of fields', 'hat die Namen der Felder'),
      label: t('has the labels of fields', 'hat die Beschriftungen der Felder'),
    },
    decimals: t('Numbers', 'Zahlen'),
    writtenWith: { ',': '1.234,5', '.': '1,234.5' },
    asStored: t('as REDCap stores them', 'wie REDCap sie speichert'),
    limits: t('Values outside the limits of their field', 'Werte außerhalb der Grenzen ihres Feldes'),
    ofLimits: {
      warn: t('store them, with a warning', 'speichern, mit einer Warnung'),
      refuse: t('refuse the file', 'Datei ablehnen'),
    },
    numbering: t('New records', 'Neue Datensätze'),
    ofNumbering: {
      file: t('have the ids of the file', 'haben die Kennungen der Datei'),
      redcap: t(
        'all records are new, and REDCap numbers them',
        'alle Datensätze sind neu, und REDCap nummeriert sie',
      ),
    },
    sheet: t(
      'Sheet of a workbook; the first if left blank',
      'Blatt einer Arbeitsmappe; ohne Angabe das erste',
    ),
    misfits: t('Values that do not fit their field', 'Werte, die nicht zu ihrem Feld passen'),
    ofMisfits: {
      refuse: t('refuse the file', 'Datei ablehnen'),
      keep: t('send them as they are, with a warning', 'unverändert senden, mit einer Warnung'),
    },
  },

  fileReport: {
    valid: (count: number, hasWarnings: boolean) =>
      t(
        `${hasWarnings ? 'The file is valid' : 'All is well'}: ${counted(count, 'record', 'records')} could be stored. Nothing has been stored.`,
        `${hasWarnings ? 'Die Datei ist gültig' : 'Alles in Ordnung'}: ${counted(count, 'Datensatz könnte', 'Datensätze könnten')} gespeichert werden. Es wurde nichts gespeichert.`,
      ),
    stored: (count: number) =>
      t(
        `Stored ${counted(count, 'record', 'records')} in REDCap.`,
        `${counted(count, 'Datensatz wurde', 'Datensätze wurden')} in REDCap gespeichert.`,
      ),
    ignored: (count: number) =>
      t(
        `${counted(count, 'column cannot be imported and is', 'columns cannot be imported and are')} left out.`,
        `${counted(count, 'Spalte lässt sich nicht importieren und wird', 'Spalten lassen sich nicht importieren und werden')} ausgelassen.`,
      ),
    /** @param place the row, counted from 1, and its line; 0 is the header, and undefined the whole file */
    unreadable: (place: { readonly row: number; readonly line: number } | undefined, rule: string) =>
      t(
        `${place === undefined ? 'The file' : `${place.row === 0 ? 'The header' : `Record number ${number(place.row)}`} of the file (line ${number(place.line)})`} ${rule}.`,
        `${place === undefined ? 'Die Datei' : `${place.row === 0 ? 'Die Kopfzeile' : `Datensatz Nummer ${number(place.row)}`} der Datei (Zeile ${number(place.line)})`} ${rule}.`,
      ),
    interrupted: (stored: number, from: number) =>
      t(
        `The import stopped after ${counted(stored, 'record', 'records')} had been stored. Go on from record number ${number(from)} of the file.`,
        `Das Speichern brach ab, nachdem ${counted(stored, 'Datensatz gespeichert war', 'Datensätze gespeichert waren')}. Machen Sie mit Datensatz Nummer ${number(from)} der Datei weiter.`,
      ),
    miscounted: (sent: number, confirmed: number, from: number, stored: number) =>
      t(
        `REDCap counted ${number(confirmed)} of ${counted(sent, 'record', 'records')} that were sent. Look at these records in REDCap, or send them again from record number ${number(from)} of the file. ${counted(stored, 'other record is', 'other records are')} stored.`,
        `REDCap hat ${number(confirmed)} von ${counted(sent, 'gesendeten Datensatz', 'gesendeten Datensätzen')} gezählt. Sehen Sie diese Datensätze in REDCap an, oder senden Sie sie ab Nummer ${number(from)} der Datei noch einmal. ${counted(stored, 'anderer ist', 'andere sind')} gespeichert.`,
      ),
    /** What the notes about a stopped import, or a mistake in the form, begin with. */
    parts: {
      records: t('Records', 'Datensätze'),
      import: t('The import', 'Der Import'),
      sheet: t('The sheet', 'Das Blatt'),
      table: t('The table', 'Die Tabelle'),
    } as Readonly<Record<string, string>>,
    numbered: (ids: string) => t(`Numbered by REDCap: ${ids}.`, `Von REDCap nummeriert: ${ids}.`),
    repeated: (count: number, lines: string) =>
      t(
        `${counted(count, 'row is', 'rows are')} for a record that an earlier row of the file is for, too; the later value stands: ${lines}.`,
        `${counted(count, 'Zeile ist', 'Zeilen sind')} für einen Datensatz, für den schon eine frühere Zeile der Datei ist; es gilt der spätere Wert: ${lines}.`,
      ),
    repeatedRow: (line: number, record: string) =>
      t(`line ${number(line)} (${record})`, `Zeile ${number(line)} (${record})`),
    notChecked: {
      places: t(
        'Not checked: whether the events and instruments of the rows are those of the project. The service may not read them, and REDCap may refuse the rows.',
        'Nicht geprüft: ob die Ereignisse und Formulare der Zeilen die des Projekts sind. Der Dienst darf sie nicht lesen, und REDCap lehnt die Zeilen vielleicht ab.',
      ),
      dags: t(
        'Not checked: whether the project has the data access groups of the rows. The service may not read them, and REDCap may refuse the rows.',
        'Nicht geprüft: ob das Projekt die Datenzugriffsgruppen der Zeilen hat. Der Dienst darf sie nicht lesen, und REDCap lehnt die Zeilen vielleicht ab.',
      ),
    },
    undo: t('Download what was replaced', 'Herunterladen, was ersetzt wurde'),
    undoNote: t(
      'With this file, crf undo FILE restores what was stored before. It has values of records: keep it safe.',
      'Mit dieser Datei stellt crf undo DATEI wieder her, was vorher gespeichert war. Sie enthält Werte von Datensätzen: Bewahren Sie sie sicher auf.',
    ),
    warnings: (count: number) => counted(count, t('warning', 'Warnung'), t('warnings', 'Warnungen')),
    storedAnyway: t('REDCap stored the file anyway.', 'REDCap hat die Datei trotzdem gespeichert.'),
    mayRefuse: t(
      'REDCap may refuse the values that do not fit their field.',
      'REDCap lehnt die Werte, die nicht zu ihrem Feld passen, vielleicht ab.',
    ),
    wouldStore: t('REDCap would store the file anyway.', 'REDCap würde die Datei trotzdem speichern.'),
    labelOfWarnings: t('Warnings', 'Warnungen'),
    faults: (count: number) =>
      t(
        `${counted(count, 'value is', 'values are')} not valid. Nothing was stored.`,
        `${counted(count, 'Wert ist', 'Werte sind')} ungültig. Es wurde nichts gespeichert.`,
      ),
    toCorrect: t('What to correct', 'Was zu korrigieren ist'),
    together: t(
      'What to correct; equal mistakes stand together',
      'Was zu korrigieren ist; gleiche Fehler stehen zusammen',
    ),
  },

  fileChanges: {
    ofRecords: (added: number, changed: number, unchanged: number) =>
      t(
        `If the file is stored: records: ${number(added)} new, ${number(changed)} changed, ${number(unchanged)} unchanged`,
        `Wenn die Datei gespeichert wird: Datensätze: ${number(added)} neu, ${number(changed)} geändert, ${number(unchanged)} unverändert`,
      ),
    ofValues: (set: number, changed: number, erased: number) =>
      t(
        `values of existing records: ${number(set)} set, ${number(changed)} changed, ${number(erased)} erased.`,
        `Werte vorhandener Datensätze: ${number(set)} gesetzt, ${number(changed)} geändert, ${number(erased)} gelöscht.`,
      ),
    erasing: (fields: string) =>
      t(`It erases more than it sets in ${fields}.`, `Sie löscht mehr, als sie setzt, in ${fields}.`),
    dags: (count: number) =>
      t(
        `Records that move to another data access group: ${number(count)}.`,
        `Datensätze, die in eine andere Datenzugriffsgruppe wechseln: ${number(count)}.`,
      ),
    lookalikes: (count: number, record: string, line: number, stored: string) =>
      t(
        `New ids that are probably those of stored records: ${number(count)}, such as ${record} (line ${line}) and ${stored}. Has a spreadsheet removed leading zeros?`,
        `Neue Kennungen, die wohl die von gespeicherten Datensätzen sind: ${number(count)}, etwa ${record} (Zeile ${line}) und ${stored}. Hat ein Tabellenprogramm führende Nullen entfernt?`,
      ),
    label: t('Changes', 'Änderungen'),
    firstOf: (shown: number, total: number) =>
      t(
        `The first ${number(shown)} of ${number(total)}; crf import --diff-csv lists all`,
        `Die ersten ${number(shown)} von ${number(total)}; crf import --diff-csv listet alle`,
      ),
    kinds: {
      new: t('new record', 'neuer Datensatz'),
      set: t('set', 'gesetzt'),
      changed: t('changed', 'geändert'),
      erased: t('erased', 'gelöscht'),
    } satisfies Record<ImportChange['kind'], string>,
  },
});

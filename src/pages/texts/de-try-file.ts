import type { tryFileTexts as english } from './en-try-file.js';
import { GERMAN } from './in-language.js';

const { counted, number } = GERMAN;

/** The German texts of the page that checks a file. */
export const tryFileTexts: typeof english = {
  tryFile: {
    title: 'Datei prüfen',
    lead: 'Eine CSV-Datei oder Arbeitsmappe (.xlsx) mit Datensätzen wird Zeile für Zeile gegen das Data Dictionary geprüft. Dabei wird nichts gespeichert.',
    file: 'Eine CSV-Datei oder Arbeitsmappe mit den Feldnamen in der ersten Zeile',
    limit: 'Bis zu 10 MB, eine Arbeitsmappe bis zu 2 MB.',
    check: 'Datei prüfen',
    store: 'In REDCap speichern',
    notKept: 'Die Datei wurde nicht aufbewahrt: Wählen Sie sie noch einmal aus, um sie zu speichern.',
    noFile: 'Keine Datei zur Hand?',
    example: 'Dieses Beispiel enthält Fehler.',
    tooLarge:
      'Die Datei hat mehr als 10 MB. Prüfen Sie sie auf der Kommandozeile: crf import --dry-run DATEI.',
    noRows: 'Die Datei hat keine Zeilen: Unter den Feldnamen muss mindestens ein Datensatz stehen.',
    firstOf: (shown, total) => `Die ersten ${number(shown)} von ${number(total)}`,
    inOrder: 'In der Reihenfolge der Datei',
    columns: {
      line: 'Zeile',
      lines: 'Zeilen',
      record: 'Datensatz',
      firstRecord: 'Erster Datensatz',
      event: 'Event',
      instance: 'Instanz',
      field: 'Feld',
      change: 'Änderung',
      stored: 'Gespeichert',
      newValue: 'Neuer Wert',
      warning: 'Warnung',
      values: 'Werte',
      wrong: 'Was nicht stimmt',
      meant: 'Wohl gemeint',
    },
  },

  fileChoices: {
    title: 'Wie sie zu lesen ist',
    encoding: 'Zeichenkodierung',
    encodings: {
      'utf-8': 'UTF-8',
      'windows-1252': 'Windows-1252, wie ältere Tabellenprogramme schreiben',
      'utf-16le': 'UTF-16 LE, „Unicode-Text“',
      'utf-16be': 'UTF-16 BE',
    },
    dates: 'Datumsangaben',
    dateOrders: { YMD: '2026-12-31', DMY: '31.12.2026 oder 31/12/2026', MDY: '12/31/2026' },
    century: 'Zweistellige Jahre',
    centuries: { none: 'ablehnen', 2000: 'sind aus 2000 bis 2099', 1900: 'sind aus 1900 bis 1999' },
    values: 'Auswahlen',
    ofValues: { raw: 'stehen als Codes da', label: 'stehen als Beschriftungen da' },
    header: 'Erste Zeile',
    ofHeader: { raw: 'hat die Namen der Felder', label: 'hat die Beschriftungen der Felder' },
    decimals: 'Zahlen',
    writtenWith: { ',': '1.234,5', '.': '1,234.5' },
    asStored: 'wie REDCap sie speichert',
    limits: 'Werte außerhalb der Grenzen ihres Feldes',
    ofLimits: { warn: 'speichern, mit einer Warnung', refuse: 'Datei ablehnen' },
    numbering: 'Neue Datensätze',
    ofNumbering: {
      file: 'haben die Kennungen der Datei',
      redcap: 'alle Datensätze sind neu, und REDCap nummeriert sie',
    },
    sheet: 'Blatt einer Arbeitsmappe; ohne Angabe das erste',
    misfits: 'Werte, die nicht zu ihrem Feld passen',
    ofMisfits: { refuse: 'Datei ablehnen', keep: 'unverändert senden, mit einer Warnung' },
  },

  fileReport: {
    valid: (count, hasWarnings) =>
      `${hasWarnings ? 'Die Datei ist gültig' : 'Alles in Ordnung'}: ${counted(count, 'Datensatz könnte', 'Datensätze könnten')} gespeichert werden. Es wurde nichts gespeichert.`,
    stored: (count) => `${counted(count, 'Datensatz wurde', 'Datensätze wurden')} in REDCap gespeichert.`,
    ignored: (count) =>
      `${counted(count, 'Spalte lässt sich nicht importieren und wird', 'Spalten lassen sich nicht importieren und werden')} ausgelassen.`,
    unreadable: (place, rule) =>
      `${place === undefined ? 'Die Datei' : `${place.row === 0 ? 'Die Kopfzeile' : `Datensatz Nummer ${number(place.row)}`} der Datei (Zeile ${number(place.line)})`} ${rule}.`,
    interrupted: (stored, from) =>
      `Das Speichern brach ab, nachdem ${counted(stored, 'Datensatz gespeichert war', 'Datensätze gespeichert waren')}. Machen Sie mit Datensatz Nummer ${number(from)} der Datei weiter.`,
    miscounted: (sent, confirmed, from, stored) =>
      `REDCap hat ${number(confirmed)} von ${counted(sent, 'gesendeten Datensatz', 'gesendeten Datensätzen')} gezählt. Sehen Sie diese Datensätze in REDCap an, oder senden Sie sie ab Nummer ${number(from)} der Datei noch einmal. ${counted(stored, 'anderer ist', 'andere sind')} gespeichert.`,
    parts: { records: 'Datensätze', import: 'Der Import', sheet: 'Das Blatt', table: 'Die Tabelle' },
    numbered: (ids) => `Von REDCap nummeriert: ${ids}.`,
    repeated: (count, lines) =>
      `${counted(count, 'Zeile ist', 'Zeilen sind')} für einen Datensatz, für den schon eine frühere Zeile der Datei ist; es gilt der spätere Wert: ${lines}.`,
    repeatedRow: (line, record) => `Zeile ${number(line)} (${record})`,
    notChecked: {
      places:
        'Nicht geprüft: ob die Ereignisse und Formulare der Zeilen die des Projekts sind. Der Dienst darf sie nicht lesen, und REDCap lehnt die Zeilen vielleicht ab.',
      groups:
        'Nicht geprüft: ob das Projekt die Datenzugriffsgruppen der Zeilen hat. Der Dienst darf sie nicht lesen, und REDCap lehnt die Zeilen vielleicht ab.',
    },
    undo: 'Herunterladen, was ersetzt wurde',
    undoNote:
      'Mit dieser Datei stellt crf undo DATEI wieder her, was vorher gespeichert war. Sie enthält Werte von Datensätzen: Bewahren Sie sie sicher auf.',
    warnings: (count) => counted(count, 'Warnung', 'Warnungen'),
    storedAnyway: 'REDCap hat die Datei trotzdem gespeichert.',
    mayRefuse: 'REDCap lehnt die Werte, die nicht zu ihrem Feld passen, vielleicht ab.',
    wouldStore: 'REDCap würde die Datei trotzdem speichern.',
    labelOfWarnings: 'Warnungen',
    faults: (count) => `${counted(count, 'Wert ist', 'Werte sind')} ungültig. Es wurde nichts gespeichert.`,
    toCorrect: 'Was zu korrigieren ist',
    together: 'Was zu korrigieren ist; gleiche Fehler stehen zusammen',
  },

  fileChanges: {
    ofRecords: (added, changed, unchanged) =>
      `Wenn die Datei gespeichert wird: Datensätze: ${number(added)} neu, ${number(changed)} geändert, ${number(unchanged)} unverändert`,
    ofValues: (set, changed, erased) =>
      `Werte vorhandener Datensätze: ${number(set)} gesetzt, ${number(changed)} geändert, ${number(erased)} gelöscht.`,
    erasing: (fields) => `Sie löscht mehr, als sie setzt, in ${fields}.`,
    groups: (count) => `Datensätze, die in eine andere Data Access Group wechseln: ${number(count)}.`,
    lookalikes: (count, record, line, stored) =>
      `Neue Kennungen, die wohl die von gespeicherten Datensätzen sind: ${number(count)}, etwa ${record} (Zeile ${line}) und ${stored}. Hat ein Tabellenprogramm führende Nullen entfernt?`,
    label: 'Änderungen',
    firstOf: (shown, total) =>
      `Die ersten ${number(shown)} von ${number(total)}; crf import --diff-csv listet alle`,
    kinds: { new: 'neuer Datensatz', set: 'gesetzt', changed: 'geändert', erased: 'gelöscht' },
  },
};

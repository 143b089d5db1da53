import type { listTexts as english } from './en-lists.js';
import { GERMAN } from './in-language.js';

const { counted, number } = GERMAN;

/** The German texts of the filters, of the lists behind the figures, and of the page of a record. */
export const listTexts: typeof english = {
  filter: {
    form: 'Formular',
    when: 'Wann',
    rule: 'Regel',
    status: 'Status',
    record: 'Datensatz enthält',
    show: 'Anzeigen',
    site: 'Zentrum',
    arm: 'Arm',
    event: 'Event',
    changedSince: 'Erfasst oder geändert seit',
    from: 'Aufgenommen ab',
    to: 'Aufgenommen bis',
    all: 'Alle',
    partOfStudy: 'Teil der Studie',
    apply: 'Anwenden',
    wholeStudy: 'Die ganze Studie',
  },

  lists: {
    kinds: {
      forms: {
        title: 'Formulare',
        none: 'Keine passenden Formulare',
        count: (count) => counted(count, 'Formular', 'Formulare'),
      },
      records: {
        title: 'Datensätze',
        none: 'Keine passenden Datensätze',
        count: (count) => counted(count, 'Datensatz', 'Datensätze'),
      },
      due: {
        title: 'Fällige Visiten',
        none: 'Keine passenden Visiten',
        count: (count) => counted(count, 'Visite', 'Visiten'),
      },
      findings: {
        title: 'Auffälligkeiten',
        none: 'Keine passenden Auffälligkeiten',
        count: (count) => counted(count, 'Auffälligkeit', 'Auffälligkeiten'),
      },
    },
    /** With soft hyphens, for the narrowest windows. */
    columns: {
      record: 'Daten\u00adsatz',
      site: 'Zen\u00adtrum',
      event: 'Event',
      form: 'Formular',
      instance: 'Instanz',
      status: 'Status',
      joined: 'Aufge\u00adnommen',
      state: 'Wann',
      day: 'Geplant für',
      opens: 'Von',
      closes: 'Bis',
      missing: 'Nicht begonnen',
      field: 'Feld',
      rule: 'Regel',
      message: 'Auffälligkeit',
    },
    download: 'Herunterladen (CSV)',
    calendar: 'Kalender (.ics)',
    visit: (day, forms) => `Geplant für ${day}. Nicht begonnen: ${forms}.`,
    noSchedule: (
      <>
        Es sind keine Visiten geplant: Wer diesen Dienst betreibt, kann in der Datei der Studie (
        <code>STUDY_FILE</code>) angeben, wie viele Tage nach welchem Datum jedes Event erwartet wird.
      </>
    ),
    asOf: (today) =>
      `Visiten, von denen ein Formular nicht begonnen ist, Stand ${today}. Eine Visite ist nach dem letzten Tag ihres Zeitfensters überfällig.`,
    notPlanned:
      'Der Plan der Studie nennt ein Datum oder ein Event, das es hier nicht gibt, sodass in dieser Liste Visiten fehlen. Wer diesen Dienst betreibt, kann Auskunft geben.',
    visitsBySite: 'Visiten nach Zentrum',
    label: 'Die Liste',
    rows: (first, last, total) => `Zeilen ${number(first)} bis ${number(last)} von ${number(total)}`,
    allRows: (total) => (total === 1 ? 'Die einzige Zeile' : `Alle ${number(total)} Zeilen`),
    inRedcap: (record) => `${record} in REDCap`,
    pages: 'Seiten der Liste',
    previous: 'Vorige Seite',
    page: (page, pages) => `Seite ${number(page)} von ${number(pages)}`,
    next: 'Nächste Seite',
  },

  record: {
    title: (record) => `Datensatz ${record}`,
    joined: (date) => `aufgenommen am ${date}`,
    all: 'Alle Datensätze',
    inRedcap: 'Dieser Datensatz in REDCap',
    forms: { title: 'Formulare', label: 'Formulare nach Event', form: 'Formular', status: 'Status' },
    findings: { none: 'Keine Auffälligkeiten', label: 'Auffälligkeiten der Qualitätsprüfung' },
    values: {
      title: 'Werte',
      of: (form) => `Werte von ${form}`,
      none: 'Kein Feld dieses Formulars hat einen Wert.',
      field: 'Feld',
      value: 'Wert',
      yes: 'Ja',
      no: 'Nein',
      missing: (code) => `fehlt (${code})`,
    },
    log: {
      title: 'Was geschehen ist',
      none: 'Das Log hat keinen Eintrag zu diesem Datensatz.',
      label: 'Das Log des Datensatzes, ohne Werte',
      time: 'Zeit',
      timesOfServer: 'Die Zeiten sind die des REDCap-Servers, dessen Zeitzone hier nicht bekannt ist.',
      user: 'Benutzer',
      what: 'Was',
      event: 'Event',
      kinds: {
        record_created: 'Datensatz angelegt',
        record_updated: 'Datensatz geändert',
        record_deleted: 'Datensatz gelöscht',
        record_locked: 'Datensatz gesperrt oder entsperrt',
        record_signed: 'Datensatz elektronisch unterschrieben',
        record_randomized: 'Datensatz randomisiert',
        file_uploaded: 'Datei hochgeladen',
        file_downloaded: 'Datei heruntergeladen',
        file_deleted: 'Datei gelöscht',
        data_exported: 'Daten exportiert',
        user_changed: 'Benutzerrechte geändert',
        page_viewed: 'Seite angesehen',
        design_or_management: 'Projekt gestaltet oder verwaltet',
        other: 'Sonstiges',
      },
    },
  },
};

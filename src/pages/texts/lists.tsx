import type { ReadLogEntry } from '../../services/log/log-reader.js';
import type { ListColumn, ListKind } from '../../services/summary/list-rows.js';
import type { InLanguage } from './in-language.js';

/** The texts of the filters, of the lists behind the figures, and of the page of a record. */
export const listTexts = ({ t, counted, number }: InLanguage) => ({
  filter: {
    instrument: t('Form', 'Formular'),
    when: t('When', 'Wann'),
    rule: t('Rule', 'Regel'),
    status: 'Status',
    record: t('Record contains', 'Datensatz enthält'),
    show: t('Show', 'Anzeigen'),
    dag: t('Data access group', 'Datenzugriffsgruppe'),
    arm: 'Arm',
    event: 'Event',
    changedFrom: t('Entered or changed since', 'Erfasst oder geändert seit'),
    from: t('Joined from', 'Aufgenommen ab'),
    until: t('Joined until', 'Aufgenommen bis'),
    all: t('All', 'Alle'),
    partOfStudy: t('Part of the study', 'Teil der Studie'),
    apply: t('Apply', 'Anwenden'),
    wholeStudy: t('The whole study', 'Die ganze Studie'),
  },

  lists: {
    kinds: {
      forms: {
        title: t('Forms', 'Formulare'),
        none: t('No forms match', 'Keine passenden Formulare'),
        count: (count: number) => counted(count, t('form', 'Formular'), t('forms', 'Formulare')),
      },
      records: {
        title: t('Records', 'Datensätze'),
        none: t('No records match', 'Keine passenden Datensätze'),
        count: (count: number) => counted(count, t('record', 'Datensatz'), t('records', 'Datensätze')),
      },
      due: {
        title: t('Who is due', 'Fällige Visiten'),
        none: t('No visits match', 'Keine passenden Visiten'),
        count: (count: number) => counted(count, t('visit', 'Visite'), t('visits', 'Visiten')),
      },
      findings: {
        title: t('Findings', 'Auffälligkeiten'),
        none: t('No findings match', 'Keine passenden Auffälligkeiten'),
        count: (count: number) =>
          counted(count, t('finding', 'Auffälligkeit'), t('findings', 'Auffälligkeiten')),
      },
    } satisfies Record<ListKind, object>,
    /** With soft hyphens, for the narrowest windows. */
    columns: {
      record: t('Record', 'Daten\u00adsatz'),
      dag: 'DAG',
      event: 'Event',
      instrument: t('Form', 'Formular'),
      instance: t('Instance', 'Instanz'),
      status: 'Status',
      joined: t('Joined', 'Aufge\u00adnommen'),
      state: t('When', 'Wann'),
      day: t('Planned for', 'Geplant für'),
      opens: t('From', 'Von'),
      closes: t('Until', 'Bis'),
      instruments: t('Not begun', 'Nicht begonnen'),
      field: t('Field', 'Feld'),
      rule: t('Rule', 'Regel'),
      message: t('Finding', 'Auffälligkeit'),
    } satisfies Record<ListColumn, string>,
    download: t('Download (CSV)', 'Herunterladen (CSV)'),
    calendar: t('Calendar (.ics)', 'Kalender (.ics)'),
    visit: (day: string, forms: string) =>
      t(`Planned for ${day}. Not begun: ${forms}.`, `Geplant für ${day}. Nicht begonnen: ${forms}.`),
    noSchedule: t(
      <>
        No visit is planned: whoever runs this service can say in the file of the study (
        <code>STUDY_FILE</code>) on which day after which date each event is expected.
      </>,
      <>
        Es sind keine Visiten geplant: Wer diesen Dienst betreibt, kann in der Datei der Studie (
        <code>STUDY_FILE</code>) angeben, wie viele Tage nach welchem Datum jedes Event erwartet wird.
      </>,
    ),
    asOf: (today: string) =>
      t(
        `Visits of which a form has not begun, as of ${today}. A visit is overdue after the last day of its window.`,
        `Visiten, von denen ein Formular nicht begonnen ist, Stand ${today}. Eine Visite ist nach dem letzten Tag ihres Zeitfensters überfällig.`,
      ),
    notPlanned: t(
      'The plan of the study names a date or an event that is not here, so that visits are missing from this list. Whoever runs this service can tell.',
      'Der Plan der Studie nennt ein Datum oder ein Event, das es hier nicht gibt, sodass in dieser Liste Visiten fehlen. Wer diesen Dienst betreibt, kann Auskunft geben.',
    ),
    visitsByDag: t('Visits by data access group', 'Visiten nach Datenzugriffsgruppe'),
    label: t('The list', 'Die Liste'),
    rows: (first: number, last: number, total: number) =>
      t(
        `Rows ${number(first)} to ${number(last)} of ${number(total)}`,
        `Zeilen ${number(first)} bis ${number(last)} von ${number(total)}`,
      ),
    allRows: (total: number) =>
      t(
        `All ${counted(total, 'row', 'rows')}`,
        total === 1 ? 'Die einzige Zeile' : `Alle ${number(total)} Zeilen`,
      ),
    inRedcap: (record: string) => `${record} in REDCap`,
    pages: t('Pages of the list', 'Seiten der Liste'),
    previous: t('Previous page', 'Vorige Seite'),
    page: (page: number, pages: number) =>
      t(`Page ${number(page)} of ${number(pages)}`, `Seite ${number(page)} von ${number(pages)}`),
    next: t('Next page', 'Nächste Seite'),
  },

  record: {
    title: (record: string) => t(`Record ${record}`, `Datensatz ${record}`),
    joined: (date: string) => t(`joined ${date}`, `aufgenommen am ${date}`),
    all: t('All records', 'Alle Datensätze'),
    inRedcap: t('This record in REDCap', 'Dieser Datensatz in REDCap'),
    forms: {
      title: t('Forms', 'Formulare'),
      label: t('Forms by event', 'Formulare nach Event'),
      form: t('Form', 'Formular'),
      status: 'Status',
    },
    findings: {
      none: t('No findings', 'Keine Auffälligkeiten'),
      label: t('Findings of the quality rules', 'Auffälligkeiten der Qualitätsprüfung'),
    },
    values: {
      title: t('Values', 'Werte'),
      of: (form: string) => t(`Values of ${form}`, `Werte von ${form}`),
      none: t('No field of this form has a value.', 'Kein Feld dieses Formulars hat einen Wert.'),
      field: t('Field', 'Feld'),
      value: t('Value', 'Wert'),
      yes: t('Yes', 'Ja'),
      no: t('No', 'Nein'),
      missing: (code: string) => t(`missing (${code})`, `fehlt (${code})`),
    },
    log: {
      title: t('What happened', 'Was geschehen ist'),
      none: t('The log has no entry of this record.', 'Das Log hat keinen Eintrag zu diesem Datensatz.'),
      label: t('The log of the record, without values', 'Das Log des Datensatzes, ohne Werte'),
      time: t('Time', 'Zeit'),
      timesOfServer: t(
        'Times are those of REDCap’s server, whose time zone is not known here.',
        'Die Zeiten sind die des REDCap-Servers, dessen Zeitzone hier nicht bekannt ist.',
      ),
      user: t('User', 'Benutzer'),
      what: t('What', 'Was'),
      event: 'Event',
      actions: {
        record_created: t('record created', 'Datensatz angelegt'),
        record_updated: t('record updated', 'Datensatz geändert'),
        record_deleted: t('record deleted', 'Datensatz gelöscht'),
        record_locked: t('record locked', 'Datensatz gesperrt oder entsperrt'),
        record_signed: t('record signed', 'Datensatz elektronisch unterschrieben'),
        record_randomized: t('record randomized', 'Datensatz randomisiert'),
        file_uploaded: t('file uploaded', 'Datei hochgeladen'),
        file_downloaded: t('file downloaded', 'Datei heruntergeladen'),
        file_deleted: t('file deleted', 'Datei gelöscht'),
        data_exported: t('data exported', 'Daten exportiert'),
        user_changed: t('user changed', 'Benutzerrechte geändert'),
        page_viewed: t('page viewed', 'Seite angesehen'),
        design_or_management: t('design or management', 'Projekt gestaltet oder verwaltet'),
        other: t('other', 'Sonstiges'),
      } satisfies Record<ReadLogEntry['action'], string>,
    },
  },
});

/**
 * Words of which a field's name says that its values may identify somebody, in the languages that REDCap projects are
 * most often written in. They follow the kinds of 45 CFR 164.514(b)(2)(i). A word too many hides a field until somebody
 * looks at it; a word too few shows one.
 */
const WORDS: ReadonlySet<string> = new Set(
  [
    'name names nom prenom nome nombre apellido initials pid id ids uid userid user username kin',
    'address addr adresse street city town county district village parish zip plz cep gps geo',
    'phone tel fax mobile pager handy mail email',
    'ssn nhs nino mrn emr ehr chart medicare medicaid insurance account iban passport license licence',
    'dob dod doa date',
    'ip url web website link serial imei udi vehicle facebook instagram twitter whatsapp skype telegram',
    'photo picture image face voice audio video fingerprint signature biometric iris',
  ].flatMap((line) => line.split(' ')),
);

/** Parts of words that are long enough to be meant wherever they stand, as in `firstname` or `telefono2`. */
const PARTS =
  /name|address|phone|telef|email|e_mail|postcod|postal|zipcode|birth|geburt|naiss|nacim|passport|insur|latitud|longitud|(?:hospital|record|patient|social)_(?:no|num|sec)/;

/** The same for ages, which identify a person only if they are very high. */
const AGES: ReadonlySet<string> = new Set(['age', 'ages', 'alter', 'edad', 'idade', 'eta']);

/** Whether the name of a field says that its values may identify somebody. */
export function soundsIdentifying(fieldName: string): boolean {
  return PARTS.test(fieldName) || wordsOf(fieldName).some((word) => WORDS.has(word));
}

/** Whether the name of a field says that its values are ages. */
export function soundsLikeAge(fieldName: string): boolean {
  return wordsOf(fieldName).some((word) => AGES.has(word));
}

function wordsOf(fieldName: string): string[] {
  return fieldName.split(/[_\d]+/);
}

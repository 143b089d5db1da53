import { parseChoices } from '../../../domain/dictionary/choices.js';
import { BLANK_FIELD, type Field } from '../../../domain/dictionary/field.js';
import type { StudyInstrument } from '../study.js';
import { apiWord } from './odm-words.js';

type Attributes = ReadonlyMap<string, string>;

/** A field's start tag; the label and limits come from its child elements. */
interface ItemDraft {
  readonly attributes: Attributes;
  text: string;
  formatted: string;
  min: string;
  max: string;
}

/**
 * Reads the instruments of a project XML and their fields: `FormDef`, `ItemGroupDef`, `ItemDef`, `CodeList`, and what
 * they contain.
 *
 * @see docs/protocol/redcap.md 9.8 (client)
 */
export class FieldsReader {
  readonly #forms: { name: string; label: string; groups: string[] }[] = [];
  readonly #groupItems = new Map<string, string[]>();
  readonly #items = new Map<string, ItemDraft>();
  readonly #choices = new Map<string, [code: string, label: string][]>();
  readonly #checkboxChoices = new Map<string, string>();
  #item: ItemDraft | undefined;
  #comparator = '';
  #list = '';
  #groupDef = '';

  /** Takes a start tag; other elements are ignored. */
  open(name: string, attributes: Attributes): void {
    const value = (key: string): string => attributes.get(key) ?? '';
    switch (name) {
      case 'FormDef':
        this.#forms.push({
          name: instrumentOf(value('redcap:FormName'), value('OID')),
          label: value('Name'),
          groups: [],
        });
        break;
      case 'ItemGroupRef':
        this.#forms.at(-1)?.groups.push(value('ItemGroupOID'));
        break;
      case 'ItemGroupDef':
        this.#groupDef = value('OID');
        this.#groupItems.set(this.#groupDef, []);
        break;
      case 'ItemRef':
        this.#groupItems.get(this.#groupDef)?.push(value('ItemOID'));
        break;
      case 'ItemDef':
        this.#item = { attributes, text: '', formatted: '', min: '', max: '' };
        this.#items.set(value('OID'), this.#item);
        break;
      case 'RangeCheck':
        this.#comparator = value('Comparator');
        break;
      case 'CodeList':
        this.#list = value('OID');
        this.#choices.set(this.#list, []);
        if (attributes.has('redcap:CheckboxChoices')) {
          this.#checkboxChoices.set(value('redcap:Variable'), value('redcap:CheckboxChoices'));
        }
        break;
      case 'CodeListItem':
        this.#choices.get(this.#list)?.push([value('CodedValue'), '']);
        break;
    }
  }

  /** Takes an end tag with its text and the element around it; other elements are ignored. */
  close(name: string, parent: string | undefined, text: string): void {
    if (name === 'redcap:FormattedTranslatedText' && this.#item) this.#item.formatted = text;
    else if (name === 'CheckValue') this.#closeRange(text);
    else if (name === 'TranslatedText') this.#closeText(parent, text);
  }

  /** The instruments, in the order of the document. */
  get instruments(): StudyInstrument[] {
    return this.#forms.map(({ name, label }) => ({ name, label }));
  }

  /**
   * Returns the fields in order of instruments, item groups and items. A checkbox field has several items but is listed
   * once.
   */
  toFields(): Field[] {
    const fields = new Map<string, Field>();
    for (const { name: instrument, groups } of this.#forms) {
      for (const oid of groups.flatMap((group) => this.#groupItems.get(group) ?? [])) {
        const item = this.#items.get(oid);
        const variable = item?.attributes.get('redcap:Variable') ?? oid;
        const type = item?.attributes.get('redcap:FieldType');
        if (item === undefined || type === undefined || fields.has(variable)) continue;
        if (variable === `${instrument}_complete`) continue;
        fields.set(variable, this.#toField(variable, instrument, oid, item));
      }
    }
    return [...fields.values()];
  }

  #closeRange(text: string): void {
    if (this.#item === undefined) return;
    if (this.#comparator === 'GE') this.#item.min = text;
    else this.#item.max = text;
  }

  #closeText(parent: string | undefined, text: string): void {
    if (parent === 'Question' && this.#item !== undefined) this.#item.text = text;
    const choice = parent === 'Decode' ? this.#choices.get(this.#list)?.at(-1) : undefined;
    if (choice !== undefined) choice[1] = text;
  }

  #toField(name: string, instrument: string, oid: string, { attributes, ...draft }: ItemDraft): Field {
    const value = (key: string): string => attributes.get(`redcap:${key}`) ?? '';
    const type = apiWord(value('FieldType'));
    const validation = value('TextValidationType');
    return {
      ...BLANK_FIELD,
      name,
      instrument,
      sectionHeader: value('SectionHeader'),
      type,
      label: draft.formatted || draft.text,
      choicesOrCalculations: this.#choicesOf(name, oid, type, value),
      note: value('FieldNote'),
      validationType: type === 'text' ? apiWord(validation) : validation,
      validationMin: draft.min,
      validationMax: draft.max,
      isIdentifier: value('Identifier') === 'y',
      branchingLogic: value('BranchingLogic'),
      isRequired: value('RequiredField') === 'y',
      alignment: value('CustomAlignment'),
      questionNumber: value('QuestionNumber'),
      matrixGroup: value('MatrixGroupName'),
      isMatrixRanking: value('MatrixRanking') === 'y',
      annotation: value('FieldAnnotation'),
    };
  }

  #choicesOf(name: string, oid: string, type: string, value: (key: string) => string): string {
    switch (type) {
      case 'checkbox':
        return writeChoices(
          parseChoices(this.#checkboxChoices.get(name) ?? '').map(({ code, label }) => [code, label]),
        );
      case 'radio':
      case 'dropdown':
        return writeChoices(this.#choices.get(`${oid}.choices`) ?? []);
      case 'slider':
        return value('SliderLabels');
      default:
        return value('Calculation');
    }
  }
}

function writeChoices(choices: readonly (readonly [string, string])[]): string {
  return choices.map((choice) => choice.join(', ')).join(' | ');
}

/** Returns the unique name of an instrument; without one, the OID without its prefix: `Form.demographics`. */
export function instrumentOf(name: string, oid: string): string {
  return name || oid.replace(/^Form\./, '');
}

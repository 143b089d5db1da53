import { inspect } from 'node:util';

/** A secret value that logs, templates and JSON do not show. Only `reveal()` returns it. */
export class Secret {
  #value: string;
  readonly #shown: string;

  /** @param shown what logs, templates and JSON show instead */
  constructor(value: string, shown = '[secret]') {
    this.#value = value;
    this.#shown = shown;
  }

  reveal(): string {
    return this.#value;
  }

  /** Exchanges the value, for everybody who holds this secret. */
  replace(value: string): void {
    this.#value = value;
  }

  toString(): string {
    return this.#shown;
  }

  toJSON(): string {
    return this.#shown;
  }

  [inspect.custom](): string {
    return this.#shown;
  }
}

import { CrfError } from '../domain/errors/crf-error.js';
import type { CallOptions, CrfClient, InfoSource } from '../gateways/redcap/crf-client.js';
import { isRefusal } from '../gateways/redcap/call-errors.js';
import type { ApiToken } from '../domain/identifiers/api-token.js';

/** Why a new value is not used. */
export interface Refusal {
  readonly rule: string;
  /** Whether the same value may be used later, for example because REDCap did not answer. */
  readonly isPassing?: boolean;
}

/** How long REDCap may take to say which project a token is for. */
const PATIENCE_MS = 10_000;

/**
 * The number of the project that is served, by which a token of another project is recognised: nothing else tells one
 * project of a REDCap from another, and its policy would apply to the wrong one.
 */
export class ProjectNumber {
  #known: number | undefined;

  /**
   * @param client of the project, with the token in use
   * @param clientOf returns a client with another token, to be closed
   */
  constructor(
    private readonly client: InfoSource,
    private readonly clientOf: (token: ApiToken) => InfoSource & Pick<CrfClient, 'close'>,
  ) {}

  /** Asks REDCap, once. @throws {CrfError} it does not say */
  async learn(call: CallOptions): Promise<number> {
    return (this.#known ??= (await this.client.project.getInfo(call)).id);
  }

  /** Takes over what another knows of the same project. */
  isThatOf(other: ProjectNumber): void {
    this.#known = other.#known;
  }

  /** Returns why a new token must not be used; undefined if REDCap accepts it for the same project. Never rejects. */
  async refusalOf(token: ApiToken): Promise<Refusal | undefined> {
    const call = { signal: AbortSignal.timeout(PATIENCE_MS), caller: 'start' };
    // The token in use may have been withdrawn. If its number was never known, nothing was served with it.
    const known = await this.learn(call).catch(() => undefined);
    const candidate = this.clientOf(token);
    try {
      const { id } = await candidate.project.getInfo(call);
      if (known !== undefined && id !== known)
        return { rule: `is a token of another project: number ${id} in REDCap, and not ${known}` };
      this.#known = id;
      return undefined;
    } catch (error) {
      if (isRefusal(error)) return { rule: 'is a token that REDCap does not accept' };
      const code = error instanceof CrfError ? error.code : 'internal_error';
      return { rule: `cannot be checked, because REDCap does not answer (${code})`, isPassing: true };
    } finally {
      candidate.close();
    }
  }
}

/** Collects the violations of one request, and the first reason to refuse it. */
import { type ForeignRoute, invalidRequest, type Refusal } from './refusals.ts';

export class Judge {
  readonly route: ForeignRoute;
  readonly #tell: (line: string) => void;
  #refusal: Refusal | undefined;

  /** @param tell called with each violation, as a readable line */
  constructor(route: ForeignRoute, tell: (line: string) => void) {
    this.route = route;
    this.#tell = tell;
  }

  get refusal(): Refusal | undefined {
    return this.#refusal;
  }

  /** Adds a violation of the documentation that the service answers with 200. */
  wrong(line: string): void {
    this.#tell(line);
  }

  /** Adds a violation that is refused. The first refusal is sent. */
  refuse(line: string, refusal: Refusal = invalidRequest(this.route, line)): void {
    this.#tell(line);
    this.#refusal ??= refusal;
  }
}

/** Collects what is wrong with one request, and the first reason to refuse it. */
import { type ForeignRoute, invalidRequest, type Refusal } from './refusals.ts';

export class Judge {
  readonly route: ForeignRoute;
  readonly #tell: (line: string) => void;
  #refusal: Refusal | undefined;

  /** @param tell takes each readable line as it is found */
  constructor(route: ForeignRoute, tell: (line: string) => void) {
    this.route = route;
    this.#tell = tell;
  }

  get refusal(): Refusal | undefined {
    return this.#refusal;
  }

  /** Wrong by the texts, though the service answers 200. */
  wrong(line: string): void {
    this.#tell(line);
  }

  /** Wrong, and refused; the first refusal is the one that is sent. */
  refuse(line: string, refusal: Refusal = invalidRequest(this.route, line)): void {
    this.#tell(line);
    this.#refusal ??= refusal;
  }
}

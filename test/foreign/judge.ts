/** Collects the violations of one request, and the first reason to refuse it. */
import { type ForeignRoute, invalidRequest, type Refusal } from './refusals.ts';

export class Judge {
  readonly route: ForeignRoute;
  /** Q5 can be read as a rule for the messages with images, or for every message of a request with an image. */
  readonly everyContent: boolean;
  readonly #report: (line: string) => void;
  #refusal: Refusal | undefined;

  /** @param report called with each violation, as a readable line */
  constructor(route: ForeignRoute, everyContent: boolean, report: (line: string) => void) {
    this.route = route;
    this.everyContent = everyContent;
    this.#report = report;
  }

  get refusal(): Refusal | undefined {
    return this.#refusal;
  }

  /** Adds a violation of the documentation that the service answers with 200. */
  wrong(line: string): void {
    this.#report(line);
  }

  /** Adds a violation that is refused. The first refusal is sent. */
  refuse(line: string, refusal: Refusal = invalidRequest(this.route, line)): void {
    this.#report(line);
    this.#refusal ??= refusal;
  }
}

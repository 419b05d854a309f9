/** The strict service of test/foreign, as those tests see it that work with it. */
import { strict } from '../review/stage.ts';

export const STRICT = {
  route: 'straight',
  /** The bodies of its requests, oldest first. */
  bodies: (): readonly string[] => strict.direct.requests.map(({ text }) => text),
  /** What was wrong with the requests. */
  violations: (): readonly string[] => strict.direct.violations,
} as const;

/** The newest message of the last request. */
export const lastSent = (): string => JSON.parse(STRICT.bodies().at(-1) ?? '{}').messages.at(-1).content;

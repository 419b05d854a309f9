/** Every scenario, by theme. `GET /s` lists them in this order. */
import type { Scenario } from './scenario.ts';
import { ENDING_SCENARIOS } from './scenariosEndings.ts';
import { ERROR_SCENARIOS } from './scenariosErrors.ts';
import { FRAMING_SCENARIOS } from './scenariosFraming.ts';
import { INTERMEDIARY_SCENARIOS } from './scenariosIntermediaries.ts';
import { OUTCOME_SCENARIOS } from './scenariosOutcomes.ts';
import { REASONING_SCENARIOS } from './scenariosReasoning.ts';
import { RETRY_SCENARIOS } from './scenariosRetries.ts';
import { TOOL_SCENARIOS } from './scenariosTools.ts';
import { USAGE_SCENARIOS } from './scenariosUsage.ts';

export const SCENARIOS: readonly Scenario[] = [
  ...OUTCOME_SCENARIOS,
  ...REASONING_SCENARIOS,
  ...USAGE_SCENARIOS,
  ...ENDING_SCENARIOS,
  ...ERROR_SCENARIOS,
  ...INTERMEDIARY_SCENARIOS,
  ...RETRY_SCENARIOS,
  ...FRAMING_SCENARIOS,
  ...TOOL_SCENARIOS,
];

export function findScenario(name: string): Scenario | undefined {
  return SCENARIOS.find((scenario) => scenario.name === name);
}

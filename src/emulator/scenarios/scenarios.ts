/** All scenarios, by topic. `GET /s` lists them in this order. */

import { DROPPED_FIELD_SCENARIOS } from './droppedFields.ts';
import { ENDING_SCENARIOS } from './endings.ts';
import { FRAMING_SCENARIOS } from './framing.ts';
import { INTERMEDIARY_SCENARIOS } from './intermediaries.ts';
import { OUTCOME_SCENARIOS } from './outcomes.ts';
import { PERMANENT_REFUSALS } from './permanentRefusals.ts';
import { REASONING_SCENARIOS } from './reasoning.ts';
import { REFUSING_SCENARIOS } from './refusing.ts';
import type { Scenario } from './scenario.ts';
import { STREAM_ERROR_SCENARIOS } from './streamErrors.ts';
import { TEMPORARY_REFUSALS } from './temporaryRefusals.ts';
import { TOOL_SCENARIOS } from './tools.ts';
import { USAGE_SCENARIOS } from './usage.ts';

export const SCENARIOS: readonly Scenario[] = [
  ...OUTCOME_SCENARIOS,
  ...REASONING_SCENARIOS,
  ...USAGE_SCENARIOS,
  ...ENDING_SCENARIOS,
  ...PERMANENT_REFUSALS,
  ...INTERMEDIARY_SCENARIOS,
  ...DROPPED_FIELD_SCENARIOS,
  ...REFUSING_SCENARIOS,
  ...TEMPORARY_REFUSALS,
  ...STREAM_ERROR_SCENARIOS,
  ...FRAMING_SCENARIOS,
  ...TOOL_SCENARIOS,
];

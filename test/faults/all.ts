/** All faults. */
import type { Fault } from './fault.ts';
import { COMPRESSIONS, FRAMINGS } from './faults/bytes.ts';
import { CALLS, CHUNKS, ERRORS } from './faults/chunks.ts';
import { CLOCKS } from './faults/clocks.ts';
import { DONES, ENDS, HTTP2, INFORMATIONAL } from './faults/ends.ts';
import { SILENCES } from './faults/silences.ts';
import { BROKEN_HEADS, REFUSALS } from './faults/statuses.ts';
import { NAMES, PROXIES, TLS } from './faults/ways.ts';

export const FAULTS: readonly Fault[] = [
  ...NAMES,
  ...TLS,
  ...PROXIES,
  ...ENDS,
  ...HTTP2,
  ...INFORMATIONAL,
  ...SILENCES,
  ...REFUSALS,
  ...BROKEN_HEADS,
  ...DONES,
  ...FRAMINGS,
  ...COMPRESSIONS,
  ...ERRORS,
  ...CHUNKS,
  ...CALLS,
  ...CLOCKS,
];

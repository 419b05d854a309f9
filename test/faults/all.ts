/** All faults. */
import type { Fault } from './fault.ts';
import { ENDS, HELD, SILENCES } from './faults/ends.ts';

export const FAULTS: readonly Fault[] = [...ENDS, ...SILENCES, ...HELD];

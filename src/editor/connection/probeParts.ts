/** The code that is loaded with the first probe. */
export { createAsk } from '../../probe/askProbe.ts';
export { toProbePlan } from '../../probe/probePlan.ts';
export { estimateProbe, runProbe } from '../../probe/runProbe.ts';
export { checkLabel, toProbeReport } from './probeReport.ts';

/** The emulator: the local service with all its scenarios, for tests and development. */
import { createRequestRecorder, type RecordedRequest } from './recorder.ts';
import { SCENARIOS } from './scenarios/scenarios.ts';
import { type EmulatorOptions, type Service, startService } from './service.ts';

export type { EmulatorOptions } from './service.ts';

export interface Emulator extends Service {
  /** The latest requests, oldest first; at most 100 are kept. */
  readonly requests: readonly RecordedRequest[];
}

/**
 * Starts an emulator on 127.0.0.1.
 *
 * @throws the error of `listen` when the port is in use or not allowed
 */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const recorder = createRequestRecorder();
  const service = await startService(options, SCENARIOS, recorder);
  return {
    ...service,
    get requests() {
      return recorder.requests();
    },
  };
}

/** The emulator: the local service with all its scenarios, for tests and development. */
import { SCENARIOS } from './scenarios/scenarios.ts';
import { type Emulator, type EmulatorOptions, startService } from './service.ts';

export type { Emulator, EmulatorOptions } from './service.ts';

/**
 * Starts an emulator on 127.0.0.1.
 *
 * @throws the error of `listen` when the port is in use or not allowed
 */
export const startEmulator = (options: EmulatorOptions): Promise<Emulator> =>
  startService(options, SCENARIOS);

/** The emulator in place of the scripted service: it answers by itself, and refuses requests that break its rules. */
import * as vscode from 'vscode';
import { type Emulator, startEmulator } from '../../src/emulator/server.ts';
import { type Scripted, until } from './scripted.ts';

export interface Emulated {
  readonly emulator: Emulator;
  /** The bodies of its requests, oldest first. It remembers a hundred. */
  bodies(): readonly string[];
  /** The newest message of the last request. */
  lastSent(): string;
  /** What was wrong with the requests. */
  violations(): readonly string[];
  close(): Promise<void>;
}

/**
 * Connects the only route to an emulator. The next `startScripted` connects it to the scripted service again.
 *
 * @param scenario the name of one; by default, it answers as usual
 */
export async function startEmulated({ routes }: Scripted, scenario?: string): Promise<Emulated> {
  const options = { port: 0, route: 'direct', key: 'key-of-a-test', tokensPerSecond: Infinity } as const;
  const emulator = await startEmulator(options);
  const baseUrl = scenario === undefined ? emulator.url : `${emulator.url}/s/${scenario}`;
  const settings = vscode.workspace.getConfiguration('k3');
  const wanted = { scripted: { kind: 'direct', baseUrl } };
  await settings.update('routes', wanted, vscode.ConfigurationTarget.Global);
  await until(() => routes.active()?.route.origin === new URL(emulator.url).origin);
  const asked = () => emulator.requests.filter(({ method, body }) => method === 'POST' && body !== '');
  const bodies = () => asked().map(({ body }) => body);
  return {
    emulator,
    bodies,
    lastSent: () => JSON.parse(bodies().at(-1) ?? '{}').messages.at(-1).content,
    violations: () =>
      asked()
        .filter(({ status = 200 }) => status >= 400)
        .map(({ status, body }) => `${status}: ${body}`),
    close: () => emulator.close(),
  };
}

/** The emulator, or the strict service, in place of the scripted one: it answers by itself, and says which rules requests break. */
import * as vscode from 'vscode';
import { type Emulator, startEmulator } from '../../src/emulator/server.ts';
import { startForeignService } from '../foreign/service.ts';
import { type Scripted, until } from './scripted.ts';

/** A service that answers by itself, and checks all requests. */
export interface CheckingService {
  /** The bodies of its requests, oldest first. */
  bodies(): readonly string[];
  /** The newest message of the last request. */
  lastSent(): string;
  /** What was wrong with the requests. */
  violations(): readonly string[];
  close(): Promise<void>;
}

/** It remembers a hundred requests. */
export interface Emulated extends CheckingService {
  readonly emulator: Emulator;
}

const KEY = 'key-of-a-test';

const lastOf = (bodies: readonly string[]): string =>
  JSON.parse(bodies.at(-1) ?? '{}').messages.at(-1).content;

async function connect({ routes }: Scripted, baseUrl: string): Promise<void> {
  const wanted = { scripted: { kind: 'direct', baseUrl } };
  await vscode.workspace.getConfiguration('k3').update('routes', wanted, vscode.ConfigurationTarget.Global);
  await until(() => routes.active()?.route.origin === new URL(baseUrl).origin);
}

/**
 * Connects the only route to the strict service of test/foreign, which was written apart from the emulator.
 *
 * @param promptFactor how many tokens each token of a prompt counts
 */
export async function startStrict(scripted: Scripted, promptFactor = 1): Promise<CheckingService> {
  const strict = await startForeignService({ route: 'direct', key: KEY, pace: 0, promptFactor });
  await connect(scripted, strict.url);
  const bodies = () => strict.requests.map(({ text }) => text);
  return {
    bodies,
    lastSent: () => lastOf(bodies()),
    violations: () => strict.violations,
    close: strict.close,
  };
}

/**
 * Connects the only route to an emulator. The next `startScripted` connects it to the scripted service again.
 *
 * @param scenario the name of one; by default, it answers as usual
 */
export async function startEmulated(scripted: Scripted, scenario?: string): Promise<Emulated> {
  const emulator = await startEmulator({ port: 0, route: 'direct', key: KEY, tokensPerSecond: Infinity });
  await connect(scripted, scenario === undefined ? emulator.url : `${emulator.url}/s/${scenario}`);
  const asked = () => emulator.requests.filter(({ method, body }) => method === 'POST' && body !== '');
  const bodies = () => asked().map(({ body }) => body);
  return {
    emulator,
    bodies,
    lastSent: () => lastOf(bodies()),
    violations: () =>
      asked()
        .filter(({ status = 200 }) => status >= 400)
        .map(({ status, body }) => `${status}: ${body}`),
    close: () => emulator.close(),
  };
}

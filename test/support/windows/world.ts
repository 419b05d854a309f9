/** Several windows on one database, one service, one clock, and plain data about the expected state. */
import type { Conversation } from '../../../src/conversation/conversation.ts';
import { openHistory } from '../../../src/history/history.ts';
import { type Clock, installClock } from './clock.ts';
import { type PlayedService, playService } from './service.ts';
import { openWindow, type Window } from './window.ts';

/** Where a sent text must be. */
export type MessageState =
  /** In exactly one place: asked, or in the queue. */
  | 'taken'
  /** Only in the message box. */
  | 'refused'
  /** The user took it from the queue. */
  | 'withdrawn'
  /** Its window was killed on the way. It must not be in two places. */
  | 'unsure'
  | 'pending';

/** The allowed values. There are several if a window was killed while it wrote one. */
export interface Expected {
  readonly titles: Map<string, readonly string[]>;
  readonly pins: Map<string, readonly boolean[]>;
  readonly deleted: Map<string, readonly boolean[]>;
  /** Undefined if a window was killed before it saved its draft. */
  readonly drafts: Map<string, string | undefined>;
  readonly messages: Map<string, MessageState>;
  /** The conversation of each attached image, by its name. */
  readonly images: Map<string, string>;
  /** Ids of exchanges, and the answers of turns by their ids, that a fork or an import copied. */
  readonly copiedExchanges: Set<string>;
  readonly copiedTurns: Map<string, string>;
}

export interface World {
  readonly folder: string;
  readonly clock: Clock;
  readonly service: PlayedService;
  readonly windows: Window[];
  readonly frozen: Set<string>;
  /** The names of windows that can't open the database yet. */
  readonly locked: Set<string>;
  readonly ids: string[];
  /** Conversations as they were exported. */
  readonly files: string[];
  readonly expected: Expected;
  /** Turns beside which another window may run a turn, because their window was frozen or couldn't write its lease. */
  readonly excused: Set<string>;
  /** Images that their window has not saved yet. */
  fresh: string[];
  deaths: number;
  full: boolean;
  count: number;
}

/** @param count the number of windows */
export async function openWorld(folder: string, count: number): Promise<World> {
  const world: World = {
    folder,
    clock: installClock(),
    service: playService(),
    windows: [],
    frozen: new Set(),
    locked: new Set(),
    ids: [],
    files: [],
    expected: {
      titles: new Map(),
      pins: new Map(),
      deleted: new Map(),
      drafts: new Map(),
      messages: new Map(),
      images: new Map(),
      copiedExchanges: new Set(),
      copiedTurns: new Map(),
    },
    excused: new Set(),
    fresh: [],
    deaths: 0,
    full: false,
    count: 0,
  };
  for (let side = 0; side < count; side++) openSide(world, side);
  return world;
}

/** The last open conversation of each window, as its workspace state has it. */
const lastOpen = new WeakMap<World, Map<number, string>>();

export function openSide(world: World, side: number, isLocked = false): Window {
  const memory = lastOpen.get(world) ?? new Map<number, string>();
  lastOpen.set(world, memory);
  const name = `window ${side}, ${++world.count}`;
  if (isLocked) world.locked.add(name);
  const window = openWindow({
    name,
    folder: world.folder,
    clock: world.clock,
    transport: world.service.transportOf(name),
    isFull: () => world.full,
    isLocked: () => world.locked.has(name),
    lastOpen: { get: () => memory.get(side), set: (id) => void memory.set(side, id) },
    onDeath: () => buryRequests(world, name),
  });
  world.windows[side] = window;
  return window;
}

/** Ends the requests of a closed window, which nobody reads any more. */
export function buryRequests({ service }: World, name: string): void {
  for (const request of service.requests) {
    if (request.owner !== name || request.endSaved) continue;
    request.end = request.end === undefined || request.end === 'lost' ? 'lost' : 'unsure';
  }
}

/** Notes the ends of turns that running windows have written. */
export function noteEnds(world: World): void {
  for (const request of world.service.requests)
    request.endSaved ||= request.end !== undefined && isAwake(world)(request.owner);
}

export const isAwake = (world: World) => (name: string) =>
  !world.frozen.has(name) && world.windows.some((window) => window.name === name && !window.isDead());

/** Text that arrived this long ago is on the disk: windows write twice a second. */
const SAVED_MS = 1100;

export async function pass(world: World, ms: number): Promise<void> {
  const before = world.service.requests.map((request) => ({ request, text: request.text }));
  const awake = isAwake(world);
  await world.clock.pass(ms, awake);
  if (ms < SAVED_MS || world.full) return;
  for (const { request, text } of before)
    if (request.end === undefined && awake(request.owner)) request.saved = text;
}

/** Reads the database with a connection of its own, independently of the windows. */
export function observe<Result>(world: World, look: (history: Observed) => Result): Result {
  const opened = openHistory({
    folder: world.folder,
    place: 'the test',
    now: world.clock.now,
    onSetAside: () => undefined,
    onWrong: () => undefined,
  });
  if (!opened.ok) throw new Error(opened.message);
  try {
    return look(opened.history);
  } finally {
    opened.history.close();
  }
}

type Observed = Extract<ReturnType<typeof openHistory>, { ok: true }>['history'];

export const exchangesOf = ({ exchanges, branches }: Conversation) => [
  ...exchanges,
  ...branches.flatMap((branch) => branch.exchanges),
];

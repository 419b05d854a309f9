/** What has to hold whenever nothing runs. */
import type { Frame } from 'playwright-core';
import { eventually } from '../eventually.ts';
import { clickOne, openByText } from './actions/action.ts';
import { checkFiles } from './hunkChecks.ts';
import { unexpectedWarnings } from './logs.ts';
import { activityOf, differenceOf, type ShownChat, shownIn } from './shownChat.ts';
import { readStored } from './stored.ts';
import type { WalkWindow } from './walkWindow.ts';
import type { World } from './world.ts';

/** An answer of the emulator that is longer is stopped. In milliseconds. */
const ENDS_WITHIN_MS = 25_000;
const SAME_WITHIN_MS = 15_000;
/** A turn whose window is gone is ended by another one, once its lease has run out. */
const TAKEN_OVER_WITHIN_MS = 40_000;
/** Reviews are kept with their folder, and each window has one of its own. What is folded out is of a page. */
const OF_WINDOW = '.proposal, .reasoning-body, .map';
/** Says that something happened that nobody had planned for. */
const UNPLANNED =
  /unexpected|went wrong|internal error|undefined|\[object|TypeError|failed unexpectedly|K3: Show Log/i;

/** Waits until nothing runs, and compares what must be equal. Adds what isn't to the faults. */
export async function checkWorld(world: World, say: (line: string) => void): Promise<void> {
  await world.unlocked();
  await endTurns(world, say);
  for (const at of world.windows) checkFiles(world, at);
  for (const at of world.windows) await checkActivity(world, at);
  // Otherwise, what is compared is what the last steps have left, which may be an empty conversation.
  if (world.sent.size > 0 && world.random.chance(0.7))
    await compareWindows(world, world.random.pick([...world.sent]), say);
  for (const at of world.windows) await checkReload(world, at, say);
  await checkStored(world);
  for (const at of world.windows) {
    for (const text of await at.notifications())
      if (UNPLANNED.test(text)) world.faults.push(`${at.name}: notification: ${text}`);
  }
  for (const line of unexpectedWarnings(world.extension)) world.faults.push(`log: ${line}`);
}

/** Lets answers end; refuses what waits for an approval, and stops what is long. */
async function endTurns(world: World, say: (line: string) => void): Promise<void> {
  const over = async (isLast: boolean) => {
    for (const at of world.windows) {
      for (const chat of await at.chats()) {
        const { running, approvals } = await activityOf(chat);
        if (approvals > 0) await clickOne(world, chat, 'Refuse');
        else if (running > 0 && isLast) await clickOne(world, chat, 'Stop');
        if (running > 0) throw new Error('an answer is running');
      }
    }
    const { running } = readStored(world.workbench.globalStorage);
    if (running.length > 0) throw new Error(`answers are running in ${running.length} conversations`);
  };
  try {
    await eventually(() => over(false), ENDS_WITHIN_MS);
    return;
  } catch (error) {
    say(`  stops what runs: ${error}`);
  }
  await eventually(() => over(true), SAME_WITHIN_MS).catch(async (error) => {
    // What runs in a conversation that no panel shows ends with its window.
    say(`  reloads to end what runs: ${error}`);
    for (const at of world.windows) await at.reload();
    for (const at of world.windows) await at.run('K3: Focus Chat');
    await eventually(() => over(true), TAKEN_OVER_WITHIN_MS).catch((late) => {
      world.faults.push(`after a reload: ${late}`);
    });
  });
}

/** A page where nothing runs offers no Stop, and has no spinner. */
async function checkActivity(world: World, at: WalkWindow): Promise<void> {
  const check = async () => {
    for (const chat of await at.chats()) {
      const { running, hasStop, spinners } = await activityOf(chat);
      if (running === 0 && (hasStop || spinners > 0))
        throw new Error(`nothing runs, but there ${hasStop ? 'is Stop' : `are ${spinners} spinners`}`);
    }
  };
  await eventually(check, SAME_WITHIN_MS).catch((error) => world.faults.push(`${at.name}: ${error}`));
}

/** The chat of the side bar, once its page is there. */
async function sideBarChat(at: WalkWindow): Promise<Frame> {
  await at.run('View: Close All Editors');
  await at.page
    .locator('.monaco-dialog-box:visible .monaco-button', { hasText: "Don't Save" })
    .click({ timeout: 500 })
    .catch(() => undefined);
  await at.run('K3: Focus Chat');
  return at.chat();
}

/** What is shown, once it doesn't change anymore and what is written is in the database. */
async function settled(world: World, at: WalkWindow): Promise<ShownChat> {
  let last: ShownChat | undefined;
  return eventually(async () => {
    const chat = await at.chat();
    // A queued message may have been sent since the last answer ended.
    if ((await activityOf(chat)).running > 0) throw new Error('an answer is running');
    const now = await shownIn(chat);
    const before = last;
    last = now;
    if (before === undefined || differenceOf(before, now) !== undefined) throw new Error('it still changes');
    const { texts } = readStored(world.workbench.globalStorage);
    for (const text of [now.draft, now.edit ?? '']) {
      if (text !== '' && !texts.includes(JSON.stringify(text).slice(1, -1)) && !texts.includes(text))
        throw new Error(`not saved: ${text}`);
    }
    return now;
  }, ENDS_WITHIN_MS);
}

async function checkReload(world: World, at: WalkWindow, say: (line: string) => void): Promise<void> {
  await sideBarChat(at);
  const before = await settled(world, at).catch((error) => {
    world.faults.push(`${at.name}: before a reload: ${error}`);
    return undefined;
  });
  if (before === undefined) return;
  await at.reload();
  await at.run('K3: Focus Chat');
  let difference: string | undefined;
  await eventually(async () => {
    const after = await shownIn(await at.chat());
    difference = differenceOf(before, world.windows.length > 1 ? withoutOthers(before, after) : after);
    if (difference !== undefined) throw new Error(difference);
  }, SAME_WITHIN_MS).then(
    () => say(`  ${at.name} after a reload: ${summaryOf(before)}`),
    (error) => world.faults.push(`${at.name}: a reload changed ${difference ?? error}`),
  );
}

/** What another window has attached, sent, or edits, is known when the conversation is opened again. */
function withoutOthers(before: ShownChat, after: ShownChat): ShownChat {
  const { attachments } = before;
  if (before.edit !== null || after.edit === null) return { ...after, attachments };
  // The question has a box in place of its text.
  const messages = after.messages.map((text, at) =>
    text === 'question: You' ? (before.messages[at] ?? text) : text,
  );
  return { ...after, messages, edit: null, attachments };
}

const summaryOf = ({ messages, draft, edit, queue, attachments }: ShownChat): string =>
  [
    `${messages.length} messages, ${messages.at(-1)?.split(':', 1)[0] ?? 'none'}`,
    `${queue.length} queued`,
    `${attachments.length} attached`,
    ...(draft === '' ? [] : ['a draft']),
    ...(edit === null ? [] : ['an edit']),
  ].join(', ');

/** Opens the conversation with a text in all windows. If there are two, it must look the same in both. */
async function compareWindows(world: World, words: string, say: (line: string) => void): Promise<void> {
  for (const at of world.windows)
    if (!(await openByText(at, words))) return say(`  ${at.name} finds no ${words}`);
  const [first, second] = world.windows;
  if (first === undefined || second === undefined) return;
  let difference: string | undefined;
  const isSame = async () => {
    const [one, other] = await Promise.all(
      [first, second].map(async (at) => ({
        ...(await shownIn(await at.chat(), OF_WINDOW)),
        edit: null,
        attachments: [],
      })),
    );
    difference = undefined;
    if (one === undefined || other === undefined || one.exchanges[0] !== other.exchanges[0])
      throw new Error('another conversation');
    difference = differenceOf(one, other);
    if (difference !== undefined) throw new Error(difference);
  };
  // The edit box is of a window, and attachments are read when a conversation is opened.
  await eventually(isSame, SAME_WITHIN_MS).then(
    () => say(`  both windows show the same: ${words}`),
    () => {
      if (difference === undefined) say('  found a fork or a copy in one of the windows');
      else world.faults.push(`${second.name} differs from ${first.name}: ${difference}`);
    },
  );
}

async function checkStored(world: World): Promise<void> {
  let wrong: readonly string[] = [];
  await eventually(() => {
    const stored = readStored(world.workbench.globalStorage);
    const lost = [...world.sent].filter((text) => !stored.texts.includes(text));
    wrong = [...lost.map((text) => `lost: ${text}`), ...stored.wrong];
    if (wrong.length > 0) throw new Error('not yet');
  }, SAME_WITHIN_MS).catch(() => world.faults.push(...wrong));
  // Each is a fault once.
  for (const text of wrong) world.sent.delete(text.replace(/^lost: /, ''));
}

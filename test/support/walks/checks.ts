/** The checks at a time when nothing runs. */
import type { Frame } from 'playwright-core';
import { eventually } from '../eventually.ts';
import { clickOne, openByText } from './actions/action.ts';
import { checkFiles } from './hunkChecks.ts';
import { unexpectedWarnings } from './logs.ts';
import { activityOf, differenceOf, type ShownChat, shownIn } from './shownChat.ts';
import { readStored } from './stored.ts';
import type { WalkWindow } from './walkWindow.ts';
import type { World } from './world.ts';

/** A longer answer of the emulator is stopped. In milliseconds. */
const ENDS_WITHIN_MS = 25_000;
const SAME_WITHIN_MS = 15_000;
/** The time after which another window ends the turn of a closed window, because its lease has expired. */
const TAKEN_OVER_WITHIN_MS = 40_000;
/** Differences between windows that don't count: reviews belong to the folder of a window, and expanded parts to a page. */
const OF_WINDOW = '.proposal, .reasoning-body, .map';
/** Notifications about unexpected errors. */
const UNPLANNED =
  /unexpected|went wrong|internal error|undefined|\[object|TypeError|failed unexpectedly|K3: Show Log/i;

/** Waits until nothing runs, and compares states that must be equal. Adds differences to the faults. */
export async function checkWorld(world: World, say: (line: string) => void): Promise<void> {
  await world.unlocked();
  await endTurns(world, say);
  for (const at of world.windows) checkFiles(world, at);
  for (const at of world.windows) await checkActivity(world, at);
  // Otherwise, the compared conversation would be that of the last step, which may be empty.
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

/** Waits for answers, refuses calls that wait for an approval, and stops long answers. */
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
    // A turn in a conversation that no panel shows ends with its window.
    say(`  reloads to end what runs: ${error}`);
    for (const at of world.windows) await at.reload();
    for (const at of world.windows) await at.run('K3: Focus Chat');
    await eventually(() => over(true), TAKEN_OVER_WITHIN_MS).catch((late) => {
      world.faults.push(`after a reload: ${late}`);
    });
  });
}

/** A page without a running turn has no Stop and no spinner. */
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

/** The chat of the side bar, when its page is loaded. */
async function sideBarChat(at: WalkWindow): Promise<Frame> {
  await at.run('View: Close All Editors');
  await at.page
    .locator('.monaco-dialog-box:visible .monaco-button', { hasText: "Don't Save" })
    .click({ timeout: 500 })
    .catch(() => undefined);
  await at.run('K3: Focus Chat');
  return at.chat();
}

/** The shown state, when it no longer changes and all texts are in the database. */
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

/** Opens the conversation again, because attachments, sent messages, and edits of another window are read when it is opened. */
function withoutOthers(before: ShownChat, after: ShownChat): ShownChat {
  const { attachments } = before;
  if (before.edit !== null || after.edit === null) return { ...after, attachments };
  // An edited question has a box instead of its text.
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
  // The edit box belongs to one window, and attachments are read only when a conversation is opened.
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
  // Each fault is reported once.
  for (const text of wrong) world.sent.delete(text.replace(/^lost: /, ''));
}

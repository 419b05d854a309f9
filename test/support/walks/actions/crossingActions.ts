/** Two things at once: in both windows, twice, or in the middle of an answer. */
import { setTimeout as pause } from 'node:timers/promises';
import { makePng } from '../../pictures.ts';
import { transferTo } from '../../transfer.ts';
import { keepsHunks } from '../hunkChecks.ts';
import type { World } from '../world.ts';
import {
  type Act,
  type Action,
  action,
  clickOne,
  forget,
  messageBox,
  NONE,
  openByText,
  send,
} from './action.ts';

const png = makePng(40, 30);
/** The longest time that an answer runs before something happens to it, in milliseconds. */
const INTO_ANSWER_MS = 2500;
/** The longest time that another program locks the database, in milliseconds. */
const LOCKED_MS = 6000;
/** More than the message box accepts as text. */
const LONG_TEXT = Array.from({ length: 400 }, (_, at) => `line ${at} of a log that was pasted`).join('\n');

/** Actions in a window that isn't in front. */
const AT_ONCE: readonly Act[] = [
  async (world, at) => send(world, await at.chat(), world.newText('Question')),
  async (world, at) => send(world, await at.chat(), world.newText('Queued')),
  async (world, at) => {
    const chat = await at.chat();
    if ((await clickOne(world, chat, 'Edit')) === undefined) return NONE;
    const text = world.newText('Edited');
    await forget(world, chat.locator('textarea.edit'));
    await chat.locator('textarea.edit').fill(text);
    world.sent.add(text);
    await chat.locator('textarea.edit').press('Enter');
    return text;
  },
  ...[
    'Regenerate',
    'Stop',
    'Send now',
    'Allow once',
    'Refuse',
    'Retry',
    'Continue',
    /^(Previous|Next) (version|attempt)$/,
  ].map(
    (name): Act =>
      async (world, at) =>
        (await clickOne(world, await at.chat(), name)) ?? NONE,
  ),
];

const actInBackground: Act = async (world, at) => {
  for (let tries = 1; ; tries++) {
    const result = await world.random.pick(AT_ONCE)(world, at);
    if (result !== NONE || tries === AT_ONCE.length) return result;
  }
};

/** Sends a question, and waits until its answer has run for a while. */
const askAndWait: Act = async (world, at) => {
  if (!world.service.isThere) await world.service.comeBack();
  const chat = await at.chat();
  const text = await send(world, chat, world.newText('Question'));
  await chat.locator('article[data-outcome="running"]').first().waitFor();
  await pause(world.random.below(INTO_ANSWER_MS));
  return text;
};

/** Opens the conversation of one of the last texts in all windows. Returns the text. */
async function meet(world: World): Promise<string | undefined> {
  // Texts that are only in a queue or in a box can't be found by the search.
  for (const text of [...world.sent].slice(-3).reverse()) {
    const found = [];
    for (const one of world.windows) if (await openByText(one, text)) found.push(one.name);
    if (found.length === world.windows.length) return text;
  }
  return undefined;
}

export const crossingActions: readonly Action[] = [
  action('meet in a conversation', 8, async (world) => (await meet(world)) ?? NONE),
  action('act in both windows at once', 14, async (world) => {
    const results = world.windows.map((one) =>
      actInBackground(world, one).catch((error: Error) => `! ${error.message.split('\n', 1)[0]}`),
    );
    return (await Promise.all(results)).join(' | ');
  }),
  action('click twice', 8, async (world, at) => {
    const names = ['Regenerate', 'Stop', 'Send now', 'Allow once', 'Refuse', 'Retry', 'Continue', 'Fork'];
    const clicked = await (await at.chat()).evaluate(`(() => {
      const names = ${JSON.stringify(names)};
      const labelOf = (button) => button.ariaLabel ?? button.textContent.trim();
      const buttons = [...document.querySelectorAll('button:not(:disabled)')]
        .filter((button) => names.includes(labelOf(button)));
      const one = buttons[Math.floor(${world.random.fraction()} * buttons.length)];
      one?.click();
      one?.click();
      return one && labelOf(one);
    })()`);
    return typeof clicked === 'string' ? clicked : NONE;
  }),
  action('cut in the middle', 6, async (world, at) => {
    const text = await askAndWait(world, at);
    await world.service.leave();
    await pause(world.random.below(INTO_ANSWER_MS));
    await world.service.comeBack();
    return text;
  }),
  action('kill the window', 6, async (world, at) => {
    await world.unlocked();
    const text = world.random.chance(0.6) ? await askAndWait(world, at) : '';
    const again = () => world.extension.kill(at.folder).then(() => at.reload());
    await keepsHunks(world, at, again);
    await at.run('K3: Focus Chat');
    return text;
  }),
  action('lock the database', 6, async (world) => {
    const ms = world.random.below(LOCKED_MS);
    world.lock(ms);
    return `for ${ms} ms`;
  }),
  action('delete what the other window has open', 4, async (world, at) => {
    const text = world.windows.length === 1 ? undefined : await meet(world);
    if (text === undefined) return NONE;
    const other = world.windows.find((one) => one !== at);
    if (other !== undefined) await askAndWait(world, other);
    await at.run('K3: Delete Conversation');
    return text;
  }),
  action('paste a long text', 2, async (_, at) => {
    await transferTo(await at.chat(), 'paste', { texts: { 'text/plain': LONG_TEXT } });
    return '';
  }),
  action('paste an image and send', 2, async (world, at) => {
    const chat = await at.chat();
    const text = world.newText('Question');
    await forget(world, messageBox(chat));
    await messageBox(chat).fill(text);
    world.sent.add(text);
    await transferTo(chat, 'paste', { files: [{ name: 'image.png', bytes: png }], thenEnter: true });
    return text;
  }),
];

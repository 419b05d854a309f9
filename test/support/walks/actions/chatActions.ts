/** Questions, answers, attempts, and versions in the chat. */
import { type Action, action, clickOne, forget, messageBox, NONE, send, write } from './action.ts';

/** Buttons of cards that aren't clicked, because they leave the chat, or open a box that no action fills in. */
const LEADS_AWAY = /API Key|Balance|Dashboard|Open|Settings|Probe|Check Connection|Log/;
/** Buttons that change files. They aren't clicked here, because the expected text of a file is known only if each decision is counted. */
const DECIDES = /^(Accept|Reject|Restore)|Revert/;
/** How long a user watches an answer. In milliseconds. */
const READS_MS = 8000;
/** In pixels. */
const SCROLLED_BY = 400;

export const chatActions: readonly Action[] = [
  action('ask', 12, async (world, at) => send(world, await at.chat(), world.newText('Question'))),
  action('draft', 3, async (world, at) => {
    const text = world.newText('Draft');
    await write(world, await at.chat(), text);
    return text;
  }),
  action('wait for the answer', 9, async (_, at) => {
    const running = (await at.chat()).locator('article[data-outcome="running"]');
    const ended = running.first().waitFor({ state: 'detached', timeout: READS_MS });
    return ended.then(
      () => 'ended',
      () => 'still running',
    );
  }),
  action('stop', 3, async (world, at) => (await clickOne(world, await at.chat(), 'Stop')) ?? NONE),
  action('stop by key', 1, async (_, at) => {
    await messageBox(await at.chat()).press('Escape');
    return 'Escape';
  }),
  action(
    'regenerate',
    4,
    async (world, at) => (await clickOne(world, await at.chat(), 'Regenerate')) ?? NONE,
  ),
  action('edit a question', 5, async (world, at) => {
    const chat = await at.chat();
    if ((await clickOne(world, chat, 'Edit')) === undefined) return NONE;
    const box = chat.locator('textarea.edit');
    const text = world.newText('Edited');
    await forget(world, box);
    await box.fill(text);
    const how = world.random.fraction();
    if (how > 0.7) return `left ${text}`;
    if (how > 0.5) {
      await box.press('Escape');
      return 'canceled';
    }
    world.sent.add(text);
    await box.press('Enter');
    return `sent ${text}`;
  }),
  action(
    'show another version',
    3,
    async (world, at) =>
      (await clickOne(world, await at.chat(), /^(Previous|Next) (version|attempt)$/)) ?? NONE,
  ),
  action('fork', 2, async (world, at) => (await clickOne(world, await at.chat(), 'Fork')) ?? NONE),
  action('use a card', 5, async (world, at) => {
    const cards = (await at.chat()).locator('article .card-actions button:not(:disabled)');
    const labels = (await cards.allInnerTexts()).map((label, index) => ({ label, index }));
    const usable = labels.filter(({ label }) => !LEADS_AWAY.test(label) && !DECIDES.test(label));
    if (usable.length === 0) return NONE;
    const { label, index } = world.random.pick(usable);
    await cards.nth(index).dispatchEvent('click');
    return label;
  }),
  action('find', 1, async (world, at) => {
    const chat = await at.chat();
    await messageBox(chat).press('Control+f');
    const box = chat.getByRole('search').getByRole('textbox', { name: 'Find' });
    await box.fill(world.random.pick(['demo', 'Question', 'nothing of the kind']));
    if (world.random.chance(0.7)) await box.press('Escape');
    return 'found';
  }),
  action('scroll', 1, async (_, at) => {
    await (await at.chat()).locator('.log').evaluate((log, by) => log.scrollBy(0, -by), SCROLLED_BY);
    return 'up';
  }),
];

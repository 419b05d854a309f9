/** Reading reasoning, and comparing answers. */
import { type Action, action, clickOne, NONE, pickRow } from './action.ts';

export const reasoningActions: readonly Action[] = [
  action(
    'show the reasoning',
    2,
    async (world, at) => (await clickOne(world, await at.chat(), /^Reasoning$/)) ?? NONE,
  ),
  action('open the map', 2, async (world, at) => (await clickOne(world, await at.chat(), 'Map')) ?? NONE),
  action('Why?', 2, async (world, at) => {
    const chat = await at.chat();
    const parts = chat.locator('article.k3.is-finished [data-part="answer"] p');
    const count = await parts.count();
    if (count === 0) return NONE;
    await parts.nth(world.random.below(count)).selectText();
    await at.run('K3: Why?');
    return 'asked';
  }),
  action('search the reasoning', 1, async (world, at) => {
    await at.run('K3: Search Reasoning…');
    return pickRow(world, at, 'the');
  }),
  action(
    'open the reasoning',
    1,
    async (world, at) => (await clickOne(world, await at.chat(), 'Open reasoning')) ?? NONE,
  ),
  action(
    'compare attempts',
    2,
    async (world, at) => (await clickOne(world, await at.chat(), 'Compare Attempts')) ?? NONE,
  ),
  action('ask again with…', 2, async (world, at) => {
    await at.run('K3: Ask Again With…');
    const kind = await pickRow(world, at);
    const list = at.page.locator('.quick-input-widget:visible .monaco-list-row').first();
    return (await list.isVisible()) ? `${kind} · ${await pickRow(world, at)}` : kind;
  }),
];

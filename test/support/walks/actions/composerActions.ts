/** The queue, attachments, effort, preset, and tools of messages. */
import { makePng } from '../../pictures.ts';
import { transferTo } from '../../transfer.ts';
import {
  type Action,
  action,
  clickOne,
  forget,
  messageBox,
  NONE,
  openFile,
  pickRow,
  send,
} from './action.ts';

const png = makePng(40, 30);

export const composerActions: readonly Action[] = [
  action('attach with @', 3, async (world, at) => {
    const chat = await at.chat();
    const box = messageBox(chat);
    await forget(world, box);
    await box.fill('');
    await box.pressSequentially(
      `@${world.random.pick(['timetable', 'clock', 'src', 'problems', 'changes'])}`,
    );
    const list = chat.getByRole('listbox').and(chat.locator('[aria-busy="false"]'));
    await list.waitFor();
    await box.press(world.random.chance(0.8) ? 'Enter' : 'Escape');
    return box.inputValue();
  }),
  action('attach a selection', 1, async (_, at) => {
    await openFile(at, 'timetable.ts');
    await at.page.keyboard.press('Control+a');
    await at.run('K3: Add Selection to Chat');
    return 'timetable.ts';
  }),
  action('attach the problems', 1, async (_, at) => {
    await openFile(at, 'timetable.ts');
    await at.run('K3: Add Problems to Chat');
    return 'of timetable.ts';
  }),
  action('paste or drop an image', 2, async (world, at) => {
    const how = world.random.pick(['paste', 'drop'] as const);
    await transferTo(await at.chat(), how, { files: [{ name: 'image.png', bytes: png }] });
    return how;
  }),
  action('remove an attachment', 1, async (world, at) => {
    const list = (await at.chat()).getByRole('list', { name: 'Attachments' });
    return (await clickOne(world, list, /^Remove /)) ?? NONE;
  }),
  action('queue', 5, async (world, at) => {
    const chat = await at.chat();
    if ((await chat.locator('article[data-outcome="running"]').count()) === 0)
      await send(world, chat, world.newText('Question'));
    return send(world, chat, world.newText('Queued'));
  }),
  action('remove from the queue', 2, async (world, at) => {
    const list = (await at.chat()).getByRole('list', { name: 'Queued messages' });
    const removed = await clickOne(world, list, /^Remove /);
    if (removed === undefined) return NONE;
    world.sent.delete(removed.replace(/^Remove /, ''));
    return removed;
  }),
  action('send or clear the queue', 3, async (world, at) => {
    const chat = await at.chat();
    const queued = await chat
      .locator('.queue > li')
      .evaluateAll((all) => all.map((one) => one.getAttribute('title')));
    const clicked = await clickOne(world, chat, world.random.chance(0.8) ? 'Send now' : 'Clear');
    if (clicked === 'Clear') for (const text of queued) world.sent.delete(text ?? '');
    return clicked ?? NONE;
  }),
  ...(['Effort', 'Preset', 'Answer format'] as const).map((name) =>
    action(`choose: ${name}`, 1, async (world, at) => {
      if ((await clickOne(world, await at.chat(), name)) === undefined) return NONE;
      return pickRow(world, at);
    }),
  ),
];

/** A review, hunk by hunk, of a file whose text is known after each step. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../eventually.ts';
import {
  decide,
  decideAll,
  HUNK_TEXT,
  type HunkFile,
  newHunkFile,
  openHunks,
  restore,
  textOf,
  typeLine,
} from '../hunkFile.ts';
import type { WalkWindow } from '../walkWindow.ts';
import type { World } from '../world.ts';
import { type Action, action, clickOne, NONE, openFile } from './action.ts';

const HUNKS_WITHIN_MS = 20_000;

export const hunkActions: readonly Action[] = [
  action('Refactor', 3, async (world, at) => {
    const name = `${world.newText('hunks').replace(' ', '-')}.js`;
    writeFileSync(join(at.folder, name), HUNK_TEXT);
    world.hunkFiles.set(at.name, newHunkFile(name));
    // With another route, or without the service, an answer seldom has hunks.
    if (!world.service.isThere) await world.service.comeBack();
    await world.applySettings('work');
    await openFile(at, name);
    await at.page.keyboard.press('Control+a');
    await at.run('K3: Refactor…');
    await at.page.locator('.quick-input-title', { hasText: 'Refactor' }).waitFor();
    await at.page.keyboard.press('Enter');
    const first = at.page
      .locator('.codelens-decoration a:visible')
      .getByText('Reject', { exact: true })
      .first();
    return first.waitFor({ timeout: HUNKS_WITHIN_MS }).then(
      () => name,
      () => `${name}, without hunks`,
    );
  }),
  ...(['Accept', 'Reject'] as const).map((lens) =>
    action(`${lens} a hunk`, 4, (world, at) =>
      inFile(world, at, async (file) => {
        const links = at.page.locator('.codelens-decoration a:visible').getByText(lens, { exact: true });
        const count = await links.count();
        // While lenses are drawn anew, there are fewer of them for a moment.
        if (count === 0 || count !== openHunks(file)) return undefined;
        const index = world.random.below(count);
        await links.nth(index).click();
        await lensesAre(at, count - 1);
        return decide(file, index, lens === 'Accept' ? 'accepted' : 'rejected');
      }),
    ),
  ),
  ...(['Accept all', 'Reject all'] as const).map((lens) =>
    action(lens, 1, (world, at) =>
      inFile(world, at, async (file) => {
        const link = at.page
          .locator('.codelens-decoration a:visible')
          .getByText(lens, { exact: true })
          .first();
        if (!(await link.isVisible())) return undefined;
        await link.click();
        await lensesAre(at, 0);
        return decideAll(file, lens === 'Accept all' ? 'accepted' : 'rejected');
      }),
    ),
  ),
  action('restore rejected hunks', 1, (world, at) =>
    inFile(world, at, async (file) => {
      const rejected = file.decisions.filter((one) => one === 'rejected').length;
      if (rejected === 0) return undefined;
      await at.run('K3: Restore Rejected Hunks');
      await lensesAre(at, openHunks(file) + rejected);
      return restore(file);
    }),
  ),
  ...(['Accept all', 'Reject all', 'Restore rejected'] as const).map((name) =>
    action(`${name} in the chat`, 2, (world, at) =>
      inFile(world, at, async (file) => {
        const chat = await at.chat();
        const ofFile = chat.locator(`.proposal-file[title*="${file.name}"]`);
        const cards = chat.locator('.proposal', { has: ofFile });
        // A hunk that several proposals for the file have was decided in an earlier proposal.
        if ((await cards.count()) !== 1) return undefined;
        if ((await clickOne(world, cards, name)) === undefined) return undefined;
        const next =
          name === 'Restore rejected'
            ? restore(file)
            : decideAll(file, name === 'Accept all' ? 'accepted' : 'rejected');
        await lensesAre(at, openHunks(next));
        return next;
      }),
    ),
  ),
  action('accept and undo', 3, (world, at) =>
    inFile(world, at, async (file) => {
      const links = at.page.locator('.codelens-decoration a:visible').getByText('Accept', { exact: true });
      const count = await links.count();
      if (count === 0 || count !== openHunks(file)) return undefined;
      await links.nth(world.random.below(count)).click();
      await lensesAre(at, count - 1);
      await at.page.locator('.editor-group-container.active .monaco-editor .view-line').first().click();
      await at.page.keyboard.press('Control+z');
      await lensesAre(at, count);
      return file;
    }),
  ),
  action('type into the file', 3, (world, at) =>
    inFile(world, at, async (file) => {
      const line = `// ${world.newText('Typed')}`;
      await at.page.keyboard.press('Control+End');
      await at.page.keyboard.insertText(`${line}\n`);
      return typeLine(file, line);
    }),
  ),
  action('another program writes the file', 2, (world, at) =>
    inFile(world, at, async (file) => {
      const line = `// ${world.newText('Written')}`;
      const next = typeLine(file, line);
      const path = join(at.folder, file.name);
      // Not while the document has unsaved changes, because the editor would ask which text to keep.
      if (readFileSync(path, 'utf8') !== textOf(file)) return undefined;
      writeFileSync(path, textOf(next));
      // The editor asks the user before it overwrites this file with text that was typed before.
      await at.page.keyboard.press('Control+End');
      const word = line.split(' ').at(-1) ?? line;
      await at.page.locator('.view-line', { hasText: word }).first().waitFor({ timeout: HUNKS_WITHIN_MS });
      return next;
    }),
  ),
  action('rename the file', 2, async (world, at) => {
    const file = world.hunkFiles.get(at.name);
    if (file === undefined) return NONE;
    const [from, name] = [join(at.folder, file.name), `${world.newText('renamed').replace(' ', '-')}.js`];
    renameSync(from, join(at.folder, name));
    world.hunkFiles.set(at.name, { ...file, name });
    await openFile(at, name);
    // On a slow machine, the editor reports the two parts of the rename too far apart, and the hunks don't follow.
    const isFollowed = await lensesAre(at, openHunks(file)).then(
      () => true,
      () => false,
    );
    await checkHunkFile(world, at);
    if (existsSync(from)) world.faults.push(`${file.name} is there again after it was renamed to ${name}`);
    return `${name}${isFollowed ? '' : ', without its hunks'}`;
  }),
  action('type and undo', 2, (world, at) =>
    inFile(world, at, async (file) => {
      await at.page.keyboard.press('Control+End');
      // One word, because typed words are undone one by one.
      await at.page.keyboard.insertText('taken');
      await at.page.keyboard.press('Control+z');
      return file;
    }),
  ),
];

const lensesAre = ({ page }: WalkWindow, count: number) =>
  eventually(async () => {
    const now = await page
      .locator('.codelens-decoration a:visible')
      .getByText('Reject', { exact: true })
      .count();
    if (now !== count) throw new Error(`there are ${now} open hunks, not ${count}`);
  }, HUNKS_WITHIN_MS);

/** Opens the file under review, acts on it, saves it, and compares its text. */
async function inFile(
  world: World,
  at: WalkWindow,
  act: (file: HunkFile) => Promise<HunkFile | undefined>,
): Promise<string> {
  const file = world.hunkFiles.get(at.name);
  if (file === undefined) return NONE;
  await openFile(at, file.name);
  const next = await act(file);
  if (next === undefined) return NONE;
  world.hunkFiles.set(at.name, next);
  await checkHunkFile(world, at);
  return `${file.name}: ${next.decisions.join(', ')}; ${next.typed.length} typed`;
}

/** Saves the open file under review, and adds a fault if its text isn't the base with the accepted hunks. */
async function checkHunkFile(world: World, at: WalkWindow): Promise<void> {
  const file = world.hunkFiles.get(at.name);
  const path = join(at.folder, file?.name ?? '');
  if (file === undefined || !existsSync(path)) return;
  const expected = textOf(file);
  await eventually(async () => {
    await at.page.keyboard.press('Control+s');
    await at.page.locator('.tab.active:not(.dirty)').first().waitFor();
    if (readFileSync(path, 'utf8') !== expected) throw new Error('not yet');
  }, 8000).catch(() => {
    const text = readFileSync(path, 'utf8');
    world.faults.push(`${file.name} has ${JSON.stringify(text)}, not ${JSON.stringify(expected)}`);
    // One fault for each file is enough, so the next action starts with a new file.
    world.hunkFiles.delete(at.name);
  });
}

/** A probe of the strict service, by keyboard: the dialog says the cost, the report what the route does. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { focusChat, switchRouteTo } from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { STRICT } from './services.ts';
import { workbench } from './stage.ts';

/** The tab of a preview is there before its text. */
async function reportShown(title: string): Promise<void> {
  await workbench.page.locator('.tab.active', { hasText: title }).waitFor({ timeout: 120_000 });
  await eventually(async () => {
    const headings = workbench.page.frames().map((frame) =>
      frame
        .getByRole('heading', { name: title })
        .isVisible()
        .catch(() => false),
    );
    assert.ok((await Promise.all(headings)).includes(true), title);
  }, 60_000);
}

describe('A probe', () => {
  it('of a strict service says what it costs and what the route does, and breaks no rule', async () => {
    const { route } = STRICT;
    await switchRouteTo(workbench, await focusChat(workbench), route);
    const before = STRICT.bodies().length;
    await workbench.runCommand('K3: Probe Route');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByRole('button', { name: 'Probe Route', exact: true }).waitFor();
    assert.match(
      await dialog.innerText(),
      new RegExp(`Probe route “${route}”\\?[\\s\\S]*They cost about \\$`),
    );
    await dialog.getByRole('button', { name: 'Probe Route', exact: true }).press('Enter');
    await reportShown(`Probe Results for Route ${route}`);
    await workbench.screenshot(`${route}-probe`);
    assert.ok(STRICT.bodies().length - before >= 10, `${STRICT.bodies().length - before} requests`);
    assert.deepEqual(STRICT.violations(), []);
    await workbench.runCommand('View: Close Editor');
  });
});

import assert from 'node:assert/strict';
import { focusChat } from '../support/chatDriver.ts';
import { startWorkbench, type Workbench } from '../support/workbench.ts';

describe('The extension in a real workbench', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await startWorkbench();
  });
  after(() => workbench?.dispose());

  it('shows the chat when the view gets the focus', async () => {
    const chat = await focusChat(workbench);
    await chat.waitForSelector('textarea, [contenteditable="true"], [role="textbox"]');
    await workbench.screenshot('smoke');
    assert.ok((await workbench.statusBar()).length > 0);
  });

  it('shows the chat again after a reload', async () => {
    await workbench.reload();
    await workbench.runCommand('K3: Focus Chat');
    await workbench.chat();
  });
});

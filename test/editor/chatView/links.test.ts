import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { openLink } from '../../../src/editor/chatView/answerActions.ts';

describe('A link of an answer', () => {
  const { openExternal } = vscode.env;
  const { executeCommand } = vscode.commands;
  const opened: string[] = [];

  before(() => {
    // As the editor makes an address of a Uri (`openerService.ts`).
    const external = async (uri: vscode.Uri) => opened.push(encodeURI(uri.toString(true))) > 0;
    const open = async (command: string, address: unknown) => {
      assert.equal(command, 'vscode.open');
      assert.ok(typeof address === 'string');
      opened.push(address);
    };
    Object.assign(vscode.env, { openExternal: external });
    Object.assign(vscode.commands, { executeCommand: open });
  });
  after(() => {
    Object.assign(vscode.env, { openExternal });
    Object.assign(vscode.commands, { executeCommand });
  });

  for (const address of [
    'https://example.com/docs?lang=C%2B%2B&other=a%26b%3Dc',
    'https://example.com/projects/group%2Fproject/issues%231',
    'https://example.com/%E2%82%AC?q=100%25#%C3%A4',
    'http://localhost:3000/a?b=c',
  ])
    it(`leads where it is written: ${address}`, async () => {
      await openLink(address);
      assert.deepEqual(opened.splice(0), [address]);
    });

  it('leads nowhere but to the web', async () => {
    for (const address of ['command:k3.stop', 'file:///etc/passwd', 'javascript:alert(1)'])
      await openLink(address);
    assert.deepEqual(opened, []);
  });
});

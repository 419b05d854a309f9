import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { labelOf } from '../../../src/editor/workspace/textSources.ts';

describe('The name of a document in a message', () => {
  it('has no slash before it if the document is the reasoning of an answer', () => {
    const uri = vscode.Uri.from({ scheme: 'k3-reasoning', path: '/Reasoning – Why?.md', query: 'turn=1' });
    assert.equal(labelOf(uri), 'Reasoning – Why?.md');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readCodeBlocks } from '../../../../src/review/answers/codeBlocks.ts';
import { hidesCutText, toProposalMarkdown } from '../../../../src/review/proposals/proposalMarkdown.ts';

const ANSWER = JSON.stringify({
  explanation: 'As asked.',
  files: [{ path: 'a.js', edits: [{ find: 'var a;', replace: 'let a;' }] }],
});

describe('A proposal in the conversation', () => {
  it('is nothing before it has begun, and after it was stopped then', () => {
    for (const answer of ['', ' \n']) {
      assert.equal(toProposalMarkdown(answer, false), '');
      assert.equal(toProposalMarkdown(answer, true), '', 'no empty code block');
    }
  });

  it('is its explanation while it arrives, and then also its edits', () => {
    assert.equal(toProposalMarkdown(ANSWER.slice(0, 30), false), 'As asked.');
    assert.equal(toProposalMarkdown(ANSWER, true), 'As asked.\n\n```diff a.js\n-var a;\n+let a;\n```');
  });

  it('is its explanation, and what stands below it, if it has no edits but code', () => {
    const answer = '{"explanation":"So.","files":[]}\n\nThis:\n\n```ts a.ts\nlet b;\n```\n';
    assert.equal(toProposalMarkdown(answer, false), 'So.');
    assert.equal(toProposalMarkdown(answer, true), 'So.\n\nThis:\n\n```ts a.ts\nlet b;\n```');
    for (let length = 0; length < answer.indexOf('a.ts'); length++) {
      const cut = toProposalMarkdown(answer.slice(0, length), true);
      assert.ok(cut === '' || /^So?\.?|^```json/.test(cut), cut);
    }
  });

  it('has what stands below its edits, also if there are none, and only once what it repeats', () => {
    const shown = toProposalMarkdown(ANSWER, true);
    const note = 'Then run:\n\n```sh\nnpm i\n```';
    assert.equal(toProposalMarkdown(`${ANSWER}\n\n${note}\n`, true), `${shown}\n\n${note}`);
    assert.equal(toProposalMarkdown(`{"explanation":"So.","files":[]}\n${note}`, true), `So.\n\n${note}`);
    assert.equal(toProposalMarkdown(`${ANSWER}\n${ANSWER}`, true), shown);
  });

  it('has what stands around several objects with edits', () => {
    const other = ANSWER.replaceAll('a.js', 'b.js');
    const diffs = (text: string) => text.match(/```diff [ab]\.js\n-var a;\n\+let a;\n```/g)?.length;
    for (const second of [other, `\`\`\`json\n${other}\n\`\`\``]) {
      const shown = toProposalMarkdown(`${ANSWER}\n\nAnd:\n\n${second}\n\nThen run it.\n`, true);
      assert.match(shown, /^As asked\.\n\n```diff[\s\S]*```\n\nAnd:\n+Then run it\.$/);
      assert.equal(diffs(shown), 2);
      assert.doesNotMatch(shown, /json|"files"/);
    }
  });

  it('is its explanation so far also if what was cut off stands behind a draft', () => {
    const draft = '{"explanation":"Let me see.","files":[]}';
    for (const length of [30, ANSWER.length - 20]) {
      const cut = `${draft}\n\n${ANSWER.slice(0, length)}`;
      assert.equal(toProposalMarkdown(cut, true), 'Let me see.\n\nAs asked.');
      assert.equal(hidesCutText(cut), true);
    }
    assert.equal(hidesCutText(`${draft}\n${ANSWER}`), false);
  });

  it('has the name of a file with spaces in quotation marks, so that it can be read again', () => {
    for (const path of ['src/my notes/a file.ts', 'größe.ts']) {
      const answer = ANSWER.replace('a.js', path);
      assert.equal(readCodeBlocks(toProposalMarkdown(answer, true))[0]?.path, path);
    }
  });

  it('is its explanation so far if it was cut off or stopped, without what can’t be read', () => {
    for (const length of ['{"explanation":"As asked'.length, ANSWER.length - 20, ANSWER.length - 1]) {
      const cut = ANSWER.slice(0, length);
      assert.equal(toProposalMarkdown(cut, true), toProposalMarkdown(cut, false));
      assert.match(toProposalMarkdown(cut, true), /^As asked\.?$/);
      assert.equal(hidesCutText(cut), true);
    }
  });

  it('is shown unchanged if it was cut off before its explanation, or is no JSON or other JSON', () => {
    for (const json of [
      '{"expl',
      '{"explanation": "',
      '{"name": "cut',
      '{"explanation": "So."} {',
      '{"explanation": So',
    ]) {
      assert.equal(toProposalMarkdown(json, true), `\`\`\`json\n${json}\n\`\`\``);
      assert.equal(hidesCutText(json), false);
    }
    for (const shown of [ANSWER, 'No changes.', '']) assert.equal(hidesCutText(shown), false);
    assert.equal(toProposalMarkdown('No changes.', true), 'No changes.');
  });
});

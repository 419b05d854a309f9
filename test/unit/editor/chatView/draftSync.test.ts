/** Two pages of one conversation, each with its own box, and the draft of the conversation between them. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { createDraftSync, type DraftSync } from '../../../../src/editor/chatView/draftSync.ts';

interface Page {
  box: string;
  sent: number;
  /** Of the last message that the page got. */
  seen: number;
  readonly sync: DraftSync;
}

describe('The draft of a conversation', () => {
  let drafts: Map<string, string>;
  let pages: readonly Page[];
  /** Messages to the pages, if they take a while. */
  let onTheirWay: (() => void)[] | undefined;
  const draftOf = (id: string) => drafts.get(id) ?? '';

  function makePage(id: string): Page {
    const page: Page = {
      box: '',
      sent: 0,
      seen: 0,
      sync: createDraftSync({
        draftOf,
        send(draft) {
          page.sent++;
          const number = page.sent;
          const arrive = () => {
            page.box = draft;
            page.seen = number;
          };
          if (onTheirWay === undefined) arrive();
          else onTheirWay.push(arrive);
          return number;
        },
      }),
    };
    open(page, id);
    return page;
  }

  function open(page: Page, id: string): void {
    page.sync.shown(id, page.sent);
    page.box = draftOf(id);
  }

  function put(id: string, text: string): void {
    drafts.set(id, text);
    for (const { sync } of pages) sync.post();
  }

  function type(page: Page, text: string, id = 'c1'): void {
    page.box = text;
    page.sync.written(id, text, page.seen);
    put(id, text);
  }

  beforeEach(() => {
    drafts = new Map([['c1', 'Half']]);
    pages = [];
    onTheirWay = undefined;
    pages = [makePage('c1'), makePage('c1')];
  });

  const boxes = () => pages.map(({ box }) => box);

  it('is in each panel that shows the conversation', () => {
    assert.deepEqual(boxes(), ['Half', 'Half']);
  });

  it('changes in the other panels when it is typed in one, which is sent nothing back', () => {
    const [first] = pages;
    assert.ok(first);
    type(first, 'Half a');
    assert.deepEqual(boxes(), ['Half a', 'Half a']);
    assert.deepEqual(
      pages.map(({ sent }) => sent),
      [0, 1],
    );
  });

  it('is cleared in the others when it is sent in one', () => {
    const [, second] = pages;
    assert.ok(second);
    type(second, 'Half a thought');
    put('c1', '');
    assert.deepEqual(boxes(), ['', '']);
  });

  it('is not mixed up with the draft of another conversation', () => {
    const [first, second] = pages;
    assert.ok(first && second);
    open(second, 'c2');
    // The page writes the last draft of the conversation that it leaves.
    second.sync.written('c1', 'Half', second.seen);
    type(first, 'Half a');
    assert.deepEqual(boxes(), ['Half a', '']);
    type(second, 'Else', 'c2');
    assert.deepEqual(boxes(), ['Half a', 'Else']);
    open(second, 'c1');
    assert.deepEqual(boxes(), ['Half a', 'Half a']);
  });

  it('stays on a page that gets a snapshot of the same conversation, and follows afterwards', () => {
    const [first, second] = pages;
    assert.ok(first && second);
    type(first, 'Half a');
    second.sync.shown('c1', second.sent);
    put('c1', 'Half a thought');
    assert.deepEqual(boxes(), ['Half a thought', 'Half a thought']);
  });

  it('is in the box in which it was typed while an older one was on its way to that box', () => {
    const [first] = pages;
    assert.ok(first);
    onTheirWay = [];
    put('c1', '');
    type(first, 'And');
    for (const arrive of onTheirWay) arrive();
    assert.deepEqual(boxes(), ['And', 'And']);
    onTheirWay = undefined;
    type(first, 'And then?');
    assert.deepEqual([boxes(), first.sent], [['And then?', 'And then?'], 2]);
  });

  it('is not sent to a page that appended the same text itself', () => {
    const [first] = pages;
    assert.ok(first);
    drafts.set('c1', 'Half\nof it');
    first.box = 'Half\nof it';
    first.sync.composed('c1', 'of it', 1);
    first.sync.post();
    assert.equal(first.sent, 0);
  });

  it('is in the box again that was written in while a snapshot of another conversation was on its way, and one of this', () => {
    const [first] = pages;
    assert.ok(first);
    first.sync.shown('c2', 1);
    first.sync.shown('c1', 2);
    first.sent = 2;
    first.sync.written('c1', 'Half a', 0);
    assert.deepEqual([first.box, first.sent], ['Half a', 3]);
  });

  it('goes to a page that appends to an older one', () => {
    const [first] = pages;
    assert.ok(first);
    drafts.set('c1', 'Half a thought\nof it');
    first.box = 'Half\nof it';
    first.sync.composed('c1', 'of it', 1);
    first.sync.post();
    assert.equal(first.box, 'Half a thought\nof it');
  });

  it('has what was appended while the box was written in, which the page appends as soon as it arrives', () => {
    const [first] = pages;
    assert.ok(first);
    drafts.set('c1', 'Half\nof it');
    first.sync.composed('c2', 'elsewhere', 3);
    first.sync.composed('c1', 'of it', 3);
    assert.equal(first.sync.written('c1', 'Half of', 2), 'Half of\nof it');
    assert.equal(first.sync.written('c2', 'There', 2), 'There\nelsewhere');
    assert.equal(first.sync.written('c1', 'Half of\nof it', 3), 'Half of\nof it');
    assert.equal(first.sync.written('c2', 'There', 2), 'There');
  });

  it('has what was appended before it was known that the page is loaded again, in which was typed by then', () => {
    const [first] = pages;
    assert.ok(first);
    drafts.set('c1', 'Half\nof it');
    first.sync.composed('c1', 'of it', 3);
    first.sync.opened();
    first.sent = 4;
    open(first, 'c1');
    assert.equal(first.sync.written('c1', 'Half a', 2), 'Half a\nof it');
    assert.equal(first.sync.written('c1', 'Half a\nof it', 4), 'Half a\nof it');
  });

  it('is in a page that is new', () => {
    const [first] = pages;
    assert.ok(first);
    drafts.set('c1', 'Typed while it was hidden');
    first.sync.opened();
    first.sync.post();
    assert.equal(first.sent, 0);
    open(first, 'c1');
    first.sync.post();
    assert.equal(first.box, 'Typed while it was hidden');
    assert.equal(first.sent, 0);
  });
});

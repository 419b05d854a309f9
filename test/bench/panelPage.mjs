/**
 * Runs in the page of panel.bench.ts: adds a part of a text in every frame to one of the measured displays, and records
 * the frames. It is bundled, so that the full rendering is the panel's own.
 */
import { marked } from 'marked';
import { createElement, memo } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import ReactMarkdown from 'react-markdown';
import gfm from 'remark-gfm';
import { highlight } from '../../src/webview/text/highlight.ts';
import { createMarkdown } from '../../src/webview/text/markdown.ts';
import { toFragment } from '../../src/webview/text/sanitize.ts';
import { MARKDOWN_WORDS } from '../support/markdownWords.ts';

/** How often the host sends the rest of a turn. In frames. */
const STATUS_FRAMES = 15;
/** The number of frames without long work after which the page has drawn everything. */
const CALM_FRAMES = 20;
const LONG_FRAME_MS = 25;

const markdown = createMarkdown(MARKDOWN_WORDS);
let text = '';
/** The host's messages around the text: lists `begin`, `status`, and `end`, without numbers. */
let host;
let seq = 0;
let failure;

window.addEventListener('error', ({ message }) => {
  failure = message;
});

const send = (message) => window.postMessage({ ...message, seq: ++seq }, '*');

// Messages of the panel are ignored. It gets a snapshot without asking, because nothing listens to its `ready`.
globalThis.acquireVsCodeApi = () => ({ postMessage() {}, getState() {}, setState() {} });

/** The panel itself, driven by the host's messages, with the text as an answer or as reasoning. */
function panelWay(part = 'answer') {
  return {
    begin: () => host.begin.forEach(send),
    add(added, frame) {
      send({ type: 'text', turnId: 't1', reasoning: '', answer: '', [part]: added });
      if (frame % STATUS_FRAMES === 0) host.status.forEach(send);
    },
    end: () => host.end.forEach(send),
    settled: () =>
      document.querySelector('article[data-outcome="complete"]') !== null &&
      document.querySelector('code[data-language]:not([data-highlighted])') === null,
  };
}

/** An answer in a page of the same size and style, scrolled to its end, drawn by `show`. */
function plainWay(show) {
  let log;
  let answer;
  return {
    begin() {
      document.getElementById('app').innerHTML =
        '<div class="log"><article class="message k3"><div class="answer"></div></article></div>';
      log = document.querySelector('.log');
      answer = document.querySelector('.answer');
    },
    add(part) {
      show(answer, part);
      log.scrollTop = log.scrollHeight;
    },
    end() {},
    settled: () => true,
  };
}

/** A peer that is rendered by React. As in most chats, it gets the whole text each time. */
function reactWay(show) {
  let root;
  let all = '';
  return {
    begin() {
      document.getElementById('app').innerHTML =
        '<div class="log"><article class="message k3"><div class="answer"></div></article></div>';
      root = createRoot(document.querySelector('.answer'));
    },
    add(part) {
      all += part;
      flushSync(() => root.render(show(all)));
      const log = document.querySelector('.log');
      log.scrollTop = log.scrollHeight;
    },
    end() {},
    settled: () => true,
  };
}

const Block = memo(({ text: block }) => createElement(ReactMarkdown, { remarkPlugins: [gfm] }, block));

const ways = {
  'react-full': () => reactWay((all) => createElement(ReactMarkdown, { remarkPlugins: [gfm] }, all)),
  /** The way in the documentation of the `ai` package: marked splits the text, and each block is memoised. */
  'react-blocks': () =>
    reactWay((all) => marked.lexer(all).map(({ raw }, key) => createElement(Block, { key, text: raw }))),
  panel: () => panelWay(),
  reasoning: () => panelWay('reasoning'),
  /** One block per frame. In a single text node, the browser would break all lines again in every frame. */
  floor: () =>
    plainWay((answer, part) => {
      const block = document.createElement('div');
      block.style.whiteSpace = 'pre-wrap';
      block.textContent = part;
      answer.append(block);
    }),
  full: () => {
    let all = '';
    return plainWay((answer, part) => {
      all += part;
      answer.innerHTML = markdown.render(all);
    });
  },
};

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
const nextTask = (channel) =>
  new Promise((resolve) => {
    channel.port1.onmessage = () => resolve(performance.now());
    channel.port2.postMessage(0);
  });

/** Ends when the page has had no long work to do for some frames. */
async function idle() {
  for (let calm = 0, last = await nextFrame(); calm < CALM_FRAMES; ) {
    const due = await nextFrame();
    calm = due - last < LONG_FRAME_MS ? calm + 1 : 0;
    last = due;
  }
}

/**
 * Streams the loaded text and returns a row per frame: when it was due, its work, and the length of the text. The first
 * characters are added at once, before the recorded frames.
 */
async function stream(name, charactersPerFrame, first) {
  const way = ways[name]();
  way.begin();
  await nextFrame();
  await nextFrame();
  if (first > 0) {
    way.add(text.slice(0, first), 1);
    await idle();
  }
  const frames = [];
  const channel = new MessageChannel();
  let fed = first;
  let ended = false;
  for (let frame = 1; ; frame++) {
    const due = await nextFrame();
    if (failure !== undefined) throw new Error(failure);
    const begun = performance.now();
    if (fed < text.length) {
      way.add(text.slice(fed, fed + charactersPerFrame), frame);
      fed += charactersPerFrame;
    } else if (!ended) {
      ended = true;
      way.end();
    } else if (way.settled()) break;
    // A task that is queued in a frame runs after the frame was painted, so the time between is the work of the frame.
    frames.push({ due, work: (await nextTask(channel)) - begun, fed, streaming: !ended });
  }
  return frames;
}

/**
 * Where the finished answer differs from a full rendering with the colors of all code; undefined if it is the same. The
 * names of symbols, which the page adds to it later, are left out.
 */
function difference() {
  const shown = document.querySelector('[data-part="answer"]').cloneNode(true);
  const tail = shown.querySelector('.answer-tail');
  if (tail.hasChildNodes()) return 'blocks are left in the tail';
  tail.remove();
  // Finished blocks are in groups.
  for (const group of shown.querySelectorAll(':scope > .answer-group'))
    group.replaceWith(...group.childNodes);
  for (const code of shown.querySelectorAll('code[data-symbol]')) {
    delete code.dataset.symbol;
    code.removeAttribute('class');
  }
  const whole = document.createElement('div');
  whole.append(toFragment(markdown.render(text)));
  for (const code of whole.querySelectorAll('code[data-language]')) highlight(code);
  const [is, wanted] = [shown.innerHTML, whole.innerHTML];
  if (is === wanted) return undefined;
  let at = 0;
  while (is[at] === wanted[at]) at++;
  return `at ${at}: ${is.slice(at - 80, at + 80)} instead of ${wanted.slice(at - 80, at + 80)}`;
}

globalThis.bench = {
  load(loadedText, loadedHost) {
    text = loadedText;
    host = loadedHost;
  },
  stream,
  difference,
};

/**
 * What runs in the page of panel.bench.ts: feeds a text by the frame to one of the ways of showing it, and watches the
 * frames. It is bundled, so that the full rendering is that of the panel.
 */
import { createMarkdown } from '../../src/webview/markdown.ts';
import { toFragment } from '../../src/webview/sanitise.ts';

/** The host sends what else there is to know of a turn this often. In frames. */
const STATUS_FRAMES = 15;

const markdown = createMarkdown({
  code: 'Code',
  copy: 'Copy',
  insert: 'Insert at cursor',
  apply: 'Apply',
  newFile: 'New file',
});
let text = '';
/** What the host says around the text: `begin`, `status` and `end`, lists of messages without their numbers. */
let host;
let seq = 0;
let failure;

window.addEventListener('error', ({ message }) => {
  failure = message;
});

const send = (message) => window.postMessage({ ...message, seq: ++seq }, '*');

// What the panel posts to the host is not looked at: its `ready` was sent before anybody listened, so it gets a snapshot.
globalThis.acquireVsCodeApi = () => ({ postMessage() {}, getState() {}, setState() {} });

/** The panel itself, by the messages of the host. */
function panelWay() {
  return {
    begin: () => host.begin.forEach(send),
    add(part, frame) {
      send({ type: 'text', turnId: 't1', reasoning: '', answer: part });
      if (frame % STATUS_FRAMES === 0) host.status.forEach(send);
    },
    end: () => host.end.forEach(send),
    settled: () =>
      document.querySelector('article[data-outcome="complete"]') !== null &&
      document.querySelector('code[data-language]:not([data-highlighted])') === null,
  };
}

/** An answer in a page of the same size and style, followed to its end, that is shown by `show`. */
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

const ways = {
  panel: panelWay,
  /** A block a frame: in one text node the lines of the whole would be broken anew in every frame. */
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

/** Streams the loaded text and returns a row for each frame: when it was due, its work, and how much text stood then. */
async function stream(name, charactersPerFrame) {
  const way = ways[name]();
  way.begin();
  await nextFrame();
  await nextFrame();
  const frames = [];
  const channel = new MessageChannel();
  let fed = 0;
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
    // A task that is queued in a frame begins when the frame is painted: between lies the work of the frame.
    frames.push({ due, work: (await nextTask(channel)) - begun, fed, streaming: !ended });
  }
  return frames;
}

/** Whether the finished answer is what a full rendering is, apart from the colours of code, which come later. */
function identical() {
  const shown = document.querySelector('[data-part="answer"]').cloneNode(true);
  for (const code of shown.querySelectorAll('code[data-highlighted]')) {
    delete code.dataset.highlighted;
    code.textContent = String(code.textContent);
  }
  const tail = shown.querySelector('.answer-tail');
  if (tail.hasChildNodes()) return false;
  tail.remove();
  // Finished blocks stand in groups.
  for (const group of shown.querySelectorAll(':scope > .answer-group'))
    group.replaceWith(...group.childNodes);
  const whole = document.createElement('div');
  whole.append(toFragment(markdown.render(text)));
  return shown.innerHTML === whole.innerHTML;
}

globalThis.bench = {
  load(loadedText, loadedHost) {
    text = loadedText;
    host = loadedHost;
  },
  stream,
  identical,
};

/**
 * Runs in the page of the chat before its own script: draws frames when a test asks for them, and finds active elements
 * on the page. It is bundled, so that it uses the sanitizer of the panel.
 */
import { sanitize, toFragment, toMathFragment } from '../../src/webview/text/sanitize.ts';

/** Elements and attributes that the Markdown renderer and the colors of code create. */
const ELEMENTS = new Set(
  'p h1 h2 h3 h4 h5 h6 em strong s code pre blockquote ul ol li hr br a table thead tbody tr th td div span button sup math mrow mi mo mn mtext msub msup mfrac mspace mstyle'.split(
    ' ',
  ),
);
const ATTRIBUTES =
  /^(?:class|title|href|role|tabindex|start|type|dir|aria-label|aria-level|aria-expanded|data-[a-z]+)$/;
/** The menu of a step of the reasoning, which the page sets on its own elements. */
const MENU = /^\{"webviewSection":"step","turnId":"t\d+","step":\d+\}$/;
/** Attributes for the appearance of a formula. */
const MATH_ATTRIBUTES =
  /^(?:display|displaystyle|scriptlevel|stretchy|fence|form|symmetric|separator|[lr]space|width|height|depth|m(?:in|ax)size|mathvariant|linethickness|accent|accentunder)$/;
/** Elements that text of the model must never become, wherever it is shown. */
const ACTIVE =
  'script,iframe,frame,frameset,object,embed,applet,base,link,meta,style,form,input,svg,math,video,audio,source,track,img,picture,image,area,portal';

const ran = [];
for (const name of ['alert', 'confirm', 'prompt', 'open', 'print', 'fetch'])
  globalThis[name] = () => ran.push(name);
addEventListener('error', ({ message }) => ran.push(message));
// The policy must not have to refuse anything: the page has to remove such elements before.
addEventListener('securitypolicyviolation', ({ violatedDirective }) => ran.push(violatedDirective));

const frames = [];
globalThis.requestAnimationFrame = (frame) => frames.push(frame);
// Drawings seem to take no time, so the panel never waits after a drawing.
performance.now = () => 0;

let seq = 0;
function receive(message) {
  seq += 1;
  dispatchEvent(new MessageEvent('message', { data: { ...message, seq } }));
}

function drawAll() {
  for (let frame = frames.shift(); frame !== undefined; frame = frames.shift()) frame(0);
}

/** The active parts of an element that shows Markdown. */
function activeIn(shown) {
  return [...shown.querySelectorAll('*')].flatMap((element) => {
    const name = element.localName;
    const wrong = ELEMENTS.has(name) ? [] : [`<${name}>`];
    const isMath = element instanceof MathMLElement;
    for (const attribute of element.attributes) {
      const isLink = attribute.name === 'href';
      if (attribute.name === 'data-vscode-context' && element.matches('.step') && MENU.test(attribute.value))
        continue;
      if (
        !(ATTRIBUTES.test(attribute.name) || (isMath && MATH_ATTRIBUTES.test(attribute.name))) ||
        (isLink && (name !== 'a' || !/^https?:\/\//i.test(attribute.value)))
      )
        wrong.push(`<${name} ${attribute.name}="${attribute.value}">`);
    }
    return wrong;
  });
}

/** The active parts of HTML after the sanitizer, which allows more elements than the renderer creates. */
function activeAfterSanitizer(html, toNodes = toFragment) {
  const host = document.createElement('div');
  host.append(toNodes(html));
  document.body.append(host);
  const wrong = [...host.querySelectorAll(ACTIVE)]
    .map(({ localName }) => `<${localName}>`)
    .filter((name) => name !== '<math>' || toNodes === toFragment);
  for (const element of host.querySelectorAll('*'))
    for (const { name, value } of element.attributes) {
      if (/^on|^(?:src|srcset|srcdoc|style|background|poster|action|formaction|ping|id|name)$/i.test(name))
        wrong.push(`<${element.localName} ${name}>`);
      if (/^(?:xlink:)?href$/.test(name) && !/^https?:\/\//i.test(value)) wrong.push(`${name}="${value}"`);
    }
  host.remove();
  return wrong;
}

globalThis.inert = {
  receive,
  receiveAll: (messages) => messages.forEach(receive),
  drawAll,
  ran: () => ran.splice(0),

  /**
   * Streams a text into the answer and the reasoning of each turn, all at the same time. Returns the active parts at any
   * drawing, and the number of drawings.
   */
  stream(texts, step) {
    const active = [];
    let drawings = 0;
    const longest = Math.max(...texts.map(({ text }) => text.length));
    for (let at = 0; at < longest; at += step) {
      const grown = texts.filter(({ text }) => text.length > at);
      for (const { turnId, text } of grown) {
        const piece = text.slice(at, at + step);
        receive({ type: 'text', turnId, answer: piece, reasoning: piece });
      }
      drawAll();
      drawings += grown.length;
      active.push(...this.activeTurns(grown, at + step));
    }
    return { active, drawings };
  },

  /** The active parts of the shown answers and reasoning of these turns, after a part of the text has arrived. */
  activeTurns(texts, end) {
    const articles = new Map(
      [...document.querySelectorAll('article.k3')].map((article) => [article.dataset.exchange, article]),
    );
    return texts.flatMap(({ exchangeId, name }) => {
      const article = articles.get(exchangeId);
      const answer = article?.querySelector('[data-part="answer"]');
      const reasoning = article?.querySelector('[data-part="reasoning"]');
      if (!answer || !reasoning) return [`${name}: the page doesn't show it`];
      const wrong = [...activeIn(answer), ...activeIn(reasoning).map((what) => `in the reasoning ${what}`)];
      return wrong.map((what) => `${name}, ${end}: ${what}`);
    });
  },

  /** Elements that don't belong on the page: links, and elements that load or run something. */
  activeElements: () =>
    [...document.querySelectorAll(`.log :is(${ACTIVE},a[href])`)].map(({ outerHTML }) =>
      outerHTML.slice(0, 200),
    ),

  /** The texts, and beginnings of texts, whose HTML is parsed to other nodes than the sanitizer returns. */
  otherThanSanitized(texts, step) {
    let runs = 0;
    // Many texts have the same beginning.
    const known = new Set();
    const hostOf = (nodes) => {
      const host = document.createElement('div');
      host.append(nodes);
      return host;
    };
    const different = texts.flatMap(({ name, text }) => {
      const wrong = [];
      for (let end = text.length; end > 0; end -= step) {
        const html = text.slice(0, end);
        if (known.has(html)) continue;
        known.add(html);
        runs++;
        const hosts = [toFragment, sanitize].map((toNodes) => hostOf(toNodes(html)));
        // As HTML only if they aren't the same: writing it takes longer than comparing nodes.
        if (hosts[0].isEqualNode(hosts[1])) continue;
        const [is, wanted] = hosts.map((host) => host.innerHTML);
        if (is !== wanted) wrong.push(`${name}, ${end}: ${is} instead of ${wanted}`);
      }
      return wrong;
    });
    return { different, runs };
  },

  /** The active parts of these texts, and of their beginnings, after the sanitizer alone. */
  sanitize(texts, step) {
    let runs = 0;
    const active = texts.flatMap(({ name, text }) => {
      const wrong = [];
      for (let end = text.length; end > 0; end -= step) {
        runs++;
        for (const toNodes of [toFragment, toMathFragment])
          wrong.push(
            ...activeAfterSanitizer(text.slice(0, end), toNodes).map((what) => `${name}, ${end}: ${what}`),
          );
      }
      return wrong;
    });
    return { active, runs };
  },
};

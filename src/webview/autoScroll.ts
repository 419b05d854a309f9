/** Follows the end of the transcript while the reader is there, and never pulls away who has scrolled up. */
export interface AutoScroll {
  attach(log: HTMLElement | null): void;
  /** The content has grown. */
  contentGrew(): void;
  /** Draws anew; what a reader who has scrolled up looks at stays where it is, whatever changes above it. */
  drawInPlace(draw: () => void): void;
  toEnd(): void;
  /** The reader unfolded something: the next growth is theirs, and must not move the place they look at. */
  hold(): void;
  atEnd(): boolean;
  /** Where the reader is, or undefined at the end. In pixels. */
  position(): number | undefined;
  /** Something else brought a place before the eyes; it stays there. */
  stopFollowing(): void;
  restore(position: number | undefined): void;
}

/** So near the end counts as the end. In pixels. */
const NEAR = 24;
/** A scroll so soon after the reader's wheel, key or finger is theirs, its momentum included. In milliseconds. */
const BY_HAND_MS = 1000;

/** Where in the height of the page something to keep is looked for: gaps between messages hold nothing. */
const LOOKED_AT = [0.1, 0.2, 0.3, 0.5, 0.7];

/** A small element that is before the eyes, a paragraph rather than its message; text that is read before what is around it. */
function elementInSight(log: HTMLElement): Element | undefined {
  const { left, top, width, height } = log.getBoundingClientRect();
  const seen = LOOKED_AT.map((part) =>
    document.elementFromPoint(left + width / 2, top + height * part),
  ).filter((one): one is Element => one?.closest('.message') != null && !one.matches('.message'));
  return seen.find((one) => one.closest('[data-part]') !== null) ?? seen[0];
}

export function createAutoScroll(onScrolled: () => void): AutoScroll {
  let log: HTMLElement | undefined;
  let following = true;
  let toRestore: number | undefined;
  let lastTop = 0;
  let held = false;
  let lastTouched = Number.NEGATIVE_INFINITY;
  let remembering: ReturnType<typeof setTimeout> | undefined;

  function onTouched(event: Event): void {
    // A pointer that only passes over the page moves nothing.
    if (event.type !== 'pointermove' || (event instanceof PointerEvent && event.buttons !== 0))
      lastTouched = performance.now();
  }

  function onScroll(): void {
    // A panel that is being hidden has no height, and its scroll position means nothing.
    if (log === undefined || log.clientHeight === 0 || document.hidden) return;
    // Only moving up by hand is leaving: content that grows runs ahead of a reader who did nothing, and content that
    // shrinks and grows again, as at the end of an answer, moves the page under them.
    const nearEnd = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR;
    const byHand = performance.now() - lastTouched < BY_HAND_MS;
    if (nearEnd) following = true;
    else if (log.scrollTop < lastTop - 1 && byHand) following = false;
    lastTop = log.scrollTop;
    document.body.classList.toggle('is-scrolled-up', !following);
    clearTimeout(remembering);
    remembering = setTimeout(onScrolled, 200);
  }

  const self: AutoScroll = {
    attach(element) {
      if (element === null || element === log) return;
      log = element;
      lastTop = 0;
      // Heights change without a message too: fonts, colours of code, a narrower side bar.
      new ResizeObserver(() => self.contentGrew()).observe(log);
      log.addEventListener('scroll', onScroll, { passive: true });
      for (const type of ['wheel', 'touchmove', 'keydown', 'pointerdown', 'pointermove'] as const) {
        log.addEventListener(type, onTouched, { passive: true });
      }
    },
    contentGrew() {
      if (log === undefined) return;
      if (toRestore !== undefined) {
        log.scrollTop = toRestore;
        toRestore = undefined;
        return;
      }
      if (following && !held) log.scrollTop = log.scrollHeight;
      held = false;
    },
    drawInPlace(draw) {
      const stays = following || toRestore !== undefined ? undefined : log && elementInSight(log);
      const before = stays?.getBoundingClientRect().top ?? 0;
      draw();
      if (log === undefined || stays?.isConnected !== true) return;
      const moved = stays.getBoundingClientRect().top - before;
      if (Math.abs(moved) >= 1) log.scrollTop += moved;
    },
    toEnd() {
      following = true;
      toRestore = undefined;
      held = false;
      document.body.classList.remove('is-scrolled-up');
      self.contentGrew();
    },
    hold() {
      held = true;
    },
    stopFollowing() {
      following = false;
      toRestore = undefined;
      document.body.classList.add('is-scrolled-up');
    },
    atEnd: () => following,
    position: () => (following ? undefined : log?.scrollTop),
    restore(position) {
      toRestore = position;
      following = position === undefined;
    },
  };
  return self;
}

/** Code that is imported when it is first used, so that starting the extension doesn't compile it. */
import { messageOf } from '../../service/errorMessage.ts';
import type { Log } from './log.ts';

export interface FirstUse<Loaded> {
  /**
   * Does something with the code, which is loaded once. Calls while it loads go on in their order. Rejects when it can't be loaded;
   * the next call then tries again.
   *
   * @returns undefined, without doing anything, if this was disposed of meanwhile
   */
  run<Result>(use: (loaded: Loaded) => Result | PromiseLike<Result>): Promise<Result | undefined>;
  dispose(): void;
}

/** @param load usually an `import()` */
export function atFirstUse<Loaded>(load: () => Promise<Loaded>, log: Pick<Log, 'warn'>): FirstUse<Loaded> {
  let loading: Promise<Loaded> | undefined;
  let disposed = false;

  async function loadOnce(): Promise<Loaded> {
    try {
      return await load();
    } catch (error) {
      loading = undefined;
      log.warn(`loading a part of the extension failed: ${messageOf(error)}`);
      throw error;
    }
  }

  return {
    async run(use) {
      if (disposed) return undefined;
      loading ??= loadOnce();
      const loaded = await loading;
      return disposed ? undefined : use(loaded);
    },
    dispose() {
      disposed = true;
    },
  };
}

/** Comment controllers of the editor's stub, which are never lost, for tests of threads. */
import { comments } from './editorStub.ts';

type Ranges = (document: object) => unknown[];

/** Functions of the controllers that were created, by which a test can create them again. */
export const renewals: (() => void)[] = [];

export const plainControllers = {
  create(id: string, label: string, { options, renew }: { options: object; renew(): void }) {
    const made = Object.assign(Reflect.apply(comments.createCommentController, comments, [id, label]), {
      options,
    });
    renewals.push(renew);
    return {
      createCommentThread: made.createCommentThread,
      setRanges: (provideCommentingRanges: Ranges) =>
        void Object.assign(made, { commentingRangeProvider: { provideCommentingRanges } }),
      ready: async () => undefined,
      dispose: made.dispose,
    };
  },
};

/** Inputs of the editor's stub that are answered at once. */
import { EventEmitter, window } from './editorStub.ts';

/** An input as it was when it was shown. */
export interface AnsweredInput {
  readonly title: string;
  readonly value: string;
}

/**
 * Answers inputs and lists in their order: with a text, with the label of an item, or with their initial value or item (undefined).
 * An input whose text has an error, or without an answer, is canceled.
 *
 * @returns the shown inputs and lists
 */
export function answerInputs(...answers: readonly (string | undefined)[]): readonly AnsweredInput[] {
  const shown: AnsweredInput[] = [];
  const make = () => {
    const [accepted, hidden] = [new EventEmitter<void>(), new EventEmitter<void>()];
    const input = {
      title: '',
      value: '',
      items: [] as readonly { readonly label: string }[],
      activeItems: [] as readonly object[],
      selectedItems: [] as readonly object[],
      onDidAccept: accepted.event,
      onDidHide: hidden.event,
      onDidTriggerButton: new EventEmitter<unknown>().event,
      onDidChangeValue: new EventEmitter<string>().event,
      dispose: () => undefined,
      show() {
        const number = shown.push({ title: input.title, value: input.value });
        const answer = answers[number - 1];
        queueMicrotask(() => {
          input.value = answer ?? input.value;
          const [first] = input.activeItems.length > 0 ? input.activeItems : input.items;
          input.selectedItems = input.items.filter((item) =>
            answer === undefined ? item === first : item.label === answer,
          );
          if (number <= answers.length) accepted.fire();
          hidden.fire();
        });
      },
    };
    return input;
  };
  Object.assign(window, { createInputBox: make, createQuickPick: make });
  return shown;
}

/** Dialogs of several steps, with a Back button. */
import * as vscode from 'vscode';

/** The user pressed Back. */
export const BACK = Symbol('back');

/** The result of a step: a new draft, optionally with the number of the next step (`goTo`), or Back, or Cancel. */
export type StepEnd<Draft> =
  | { readonly draft: Draft; readonly goTo?: number }
  | typeof BACK
  /** Cancelled. */
  | undefined;

export type DialogStep<Draft> = (draft: Draft, number: number) => Promise<StepEnd<Draft>>;

/** Runs the steps in order. Resolves with the last draft, or undefined when the user cancels. */
export async function askInSteps<Draft>(
  steps: readonly DialogStep<Draft>[],
  initial: Draft,
): Promise<Draft | undefined> {
  let draft = initial;
  let number = 0;
  for (;;) {
    const step = steps[number];
    if (step === undefined) return draft;
    const end = await step(draft, number);
    if (end === undefined) return undefined;
    if (end === BACK) number = Math.max(0, number - 1);
    else {
      draft = end.draft;
      number = end.goTo ?? number + 1;
    }
  }
}

export interface TextQuestion {
  readonly title: string;
  readonly prompt: string;
  readonly value?: string;
  readonly placeholder?: string;
  readonly password?: boolean;
  readonly canGoBack: boolean;
  /** Returns what is wrong with a text, or undefined. A text with an error can't be accepted; one with a warning can. */
  check(text: string): string | vscode.InputBoxValidationMessage | undefined;
}

/** Asks for a text. Resolves with undefined when the user cancels. Losing the focus doesn't cancel. */
export function askText(question: TextQuestion): Promise<string | typeof BACK | undefined> {
  const box = vscode.window.createInputBox();
  const { check } = question;
  Object.assign(box, {
    title: question.title,
    prompt: question.prompt,
    value: question.value ?? '',
    placeholder: question.placeholder,
    password: question.password ?? false,
    ignoreFocusOut: true,
    buttons: question.canGoBack ? [vscode.QuickInputButtons.Back] : [],
  });
  const show = (text: string) => {
    box.validationMessage = check(text);
  };
  return ended(box, (resolve) => [
    box.onDidChangeValue(show),
    box.onDidAccept(() => {
      show(box.value);
      if (!isError(check(box.value))) resolve(box.value);
    }),
  ]);
}

export interface ChoiceQuestion<Item extends vscode.QuickPickItem> {
  readonly title: string;
  readonly placeholder?: string;
  readonly items: readonly Item[];
  /** The item that is selected at first; by default, the first one. */
  readonly current?: Item | undefined;
  readonly canGoBack: boolean;
}

/** Lets the user choose one item. Resolves with undefined when the user cancels. Losing the focus doesn't cancel. */
export function askChoice<Item extends vscode.QuickPickItem>(
  question: ChoiceQuestion<Item>,
): Promise<Item | typeof BACK | undefined> {
  const list = vscode.window.createQuickPick<Item>();
  Object.assign(list, {
    title: question.title,
    placeholder: question.placeholder,
    items: question.items,
    ...(question.current && { activeItems: [question.current] }),
    ignoreFocusOut: true,
    buttons: question.canGoBack ? [vscode.QuickInputButtons.Back] : [],
  });
  return choiceIn(list);
}

/** `showQuickPick` of one item, with the current one selected at first, as in lists of the editor. */
export async function pickFrom<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  current: Item | undefined,
  { title, placeHolder }: { readonly title: string; readonly placeHolder?: string | undefined },
): Promise<Item | undefined> {
  if (current === undefined || current === items[0])
    return vscode.window.showQuickPick(items, { title, ...(placeHolder && { placeHolder }) });
  const list = vscode.window.createQuickPick<Item>();
  Object.assign(list, { title, placeholder: placeHolder, items, activeItems: [current] });
  const chosen = await choiceIn(list);
  return chosen === BACK ? undefined : chosen;
}

const choiceIn = <Item extends vscode.QuickPickItem>(
  list: vscode.QuickPick<Item>,
): Promise<Item | typeof BACK | undefined> =>
  ended(list, (resolve) => [
    list.onDidAccept(() => {
      const item = list.selectedItems[0];
      if (item !== undefined) resolve(item);
    }),
  ]);

const isError = (wrong: string | vscode.InputBoxValidationMessage | undefined) =>
  wrong !== undefined &&
  (typeof wrong === 'string' || wrong.severity === vscode.InputBoxValidationSeverity.Error);

/** Shows an input until it is answered, Back is pressed, or it is hidden, and disposes of it. */
async function ended<Answer>(
  input: vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>,
  listen: (resolve: (answer: Answer) => void) => readonly vscode.Disposable[],
): Promise<Answer | typeof BACK | undefined> {
  let listening: readonly vscode.Disposable[] = [];
  try {
    return await new Promise<Answer | typeof BACK | undefined>((resolve) => {
      listening = [
        ...listen(resolve),
        input.onDidTriggerButton((button) => {
          if (button === vscode.QuickInputButtons.Back) resolve(BACK);
        }),
        input.onDidHide(() => resolve(undefined)),
      ];
      input.show();
    });
  } finally {
    for (const one of listening) one.dispose();
    input.dispose();
  }
}

/**
 * The part of the editor's model API that came after 1.103, the oldest editor this runs in (`engines.vscode`): its
 * shapes, and what of it the running editor has.
 */
import * as vscode from 'vscode';

export interface ModelInformation {
  readonly id: string;
  readonly name: string;
  readonly family: string;
  readonly version: string;
  readonly tooltip?: string;
  readonly detail?: string;
  /** In tokens. */
  readonly maxInputTokens: number;
  readonly maxOutputTokens: number;
  readonly capabilities: { readonly imageInput: boolean; readonly toolCalling: boolean | number };
}

export interface ModelMessage {
  readonly role: number;
  readonly content: readonly unknown[];
}

export interface ModelOptions {
  readonly tools?: readonly vscode.LanguageModelChatTool[];
  readonly toolMode?: vscode.LanguageModelChatToolMode;
  readonly modelOptions?: Readonly<Record<string, unknown>>;
}

export interface ModelProvider {
  readonly onDidChangeLanguageModelChatInformation: vscode.Event<void>;
  provideLanguageModelChatInformation(
    options: { readonly silent: boolean },
    token: vscode.CancellationToken,
  ): Promise<readonly ModelInformation[]>;
  provideLanguageModelChatResponse(
    model: ModelInformation,
    messages: readonly ModelMessage[],
    options: ModelOptions,
    progress: vscode.Progress<unknown>,
    token: vscode.CancellationToken,
  ): Promise<void>;
  provideTokenCount(
    model: ModelInformation,
    text: string | ModelMessage,
    token: vscode.CancellationToken,
  ): Promise<number>;
}

type RegisterProvider = (vendor: string, provider: ModelProvider) => vscode.Disposable;
type DataPart = new (data: Uint8Array, mime: string) => object;
type ThinkingPart = new (text: string) => object;

/** Offers a provider to the editor; nothing happens where the editor takes none. */
export function offerModels(vendor: string, provider: ModelProvider): vscode.Disposable {
  const register = memberOf<RegisterProvider>(vscode.lm, 'registerLanguageModelChatProvider');
  return register?.(vendor, provider) ?? new vscode.Disposable(() => undefined);
}

/** Bytes with a type, where the running editor knows such parts. */
export function toDataPart(data: Uint8Array, mime: string): object | undefined {
  const DataPart = memberOf<DataPart>(vscode, 'LanguageModelDataPart');
  return DataPart && new DataPart(data, mime);
}

/** Reasoning, where the running editor knows such parts and lets us make them. */
export function toThinkingPart(text: string): object | undefined {
  const ThinkingPart = memberOf<ThinkingPart>(vscode, 'LanguageModelThinkingPart');
  return ThinkingPart && new ThinkingPart(text);
}

export function isThinkingPart(part: unknown): boolean {
  const ThinkingPart = memberOf<ThinkingPart>(vscode, 'LanguageModelThinkingPart');
  return ThinkingPart !== undefined && part instanceof ThinkingPart;
}

/** A function or class that newer editors have. Editors throw at the touch of what an extension may not use yet. */
function memberOf<Member>(owner: object, name: string): Member | undefined {
  try {
    const member: unknown = Reflect.get(owner, name);
    return typeof member === 'function' ? (member as Member) : undefined;
  } catch {
    // The editor has the member but doesn't allow it for this extension: the same as not having it. Nothing to log.
    return undefined;
  }
}

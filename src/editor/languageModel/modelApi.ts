/**
 * The part of the language model API that is newer than 1.103, the oldest supported version (`engines.vscode`): its
 * types, and access to it where the running editor has it.
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

/** Registers a provider. Does nothing if the editor doesn't support providers. */
export function offerModels(vendor: string, provider: ModelProvider): vscode.Disposable {
  const register = memberOf<RegisterProvider>(vscode.lm, 'registerLanguageModelChatProvider');
  return register?.(vendor, provider) ?? new vscode.Disposable(() => undefined);
}

/** A data part, if the running editor supports it. */
export function toDataPart(data: Uint8Array, mime: string): object | undefined {
  const DataPart = memberOf<DataPart>(vscode, 'LanguageModelDataPart');
  return DataPart && new DataPart(data, mime);
}

/** A thinking part with reasoning, if the running editor supports it and allows it. */
export function toThinkingPart(text: string): object | undefined {
  const ThinkingPart = memberOf<ThinkingPart>(vscode, 'LanguageModelThinkingPart');
  return ThinkingPart && new ThinkingPart(text);
}

export function isThinkingPart(part: unknown): boolean {
  const ThinkingPart = memberOf<ThinkingPart>(vscode, 'LanguageModelThinkingPart');
  return ThinkingPart !== undefined && part instanceof ThinkingPart;
}

/** A function or class that only newer editors have. Editors throw on access to proposed API. */
function memberOf<Member>(owner: object, name: string): Member | undefined {
  try {
    const member: unknown = Reflect.get(owner, name);
    return typeof member === 'function' ? (member as Member) : undefined;
  } catch {
    // The editor has the member but doesn't allow it for this extension: the same as not having it. Nothing to log.
    return undefined;
  }
}

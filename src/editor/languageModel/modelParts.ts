/** Messages and tools of other chats: from the editor's classes to plain data. */
import * as vscode from 'vscode';
import type { OtherTool } from '../../chat/otherMessages.ts';
import type { OtherMessage, OtherPart } from '../../chat/otherParts.ts';
import { isThinkingPart, type ModelMessage } from './modelApi.ts';

/** The third role is not in the stable API yet; chats of newer editors use it. */
const SYSTEM_ROLE = 3;

export function fromModelMessage({ role, content }: ModelMessage): OtherMessage {
  const parts = content.flatMap(fromModelPart);
  if (role === SYSTEM_ROLE) return { role: 'system', parts };
  return { role: role === vscode.LanguageModelChatMessageRole.Assistant ? 'assistant' : 'user', parts };
}

export function fromModelTool({ name, description, inputSchema }: vscode.LanguageModelChatTool): OtherTool {
  return { name, description, schema: asRecord(inputSchema) };
}

/** Parts of kinds that are not known are left out: newer editors have notes of their own among them. */
function fromModelPart(part: unknown): readonly OtherPart[] {
  if (isThinkingPart(part)) {
    const value = asRecord(part)?.['value'];
    const text = Array.isArray(value) ? value.join('') : String(value ?? '');
    return [{ type: 'thinking', text }];
  }
  if (part instanceof vscode.LanguageModelTextPart) return [{ type: 'text', text: part.value }];
  if (part instanceof vscode.LanguageModelToolCallPart)
    return [{ type: 'call', id: part.callId, name: part.name, input: part.input }];
  if (part instanceof vscode.LanguageModelToolResultPart)
    return [{ type: 'result', callId: part.callId, parts: part.content.flatMap(fromModelPart) }];
  if (part instanceof vscode.LanguageModelPromptTsxPart)
    return [{ type: 'text', text: textsOf(part.value).join('') }];
  const { mimeType, data } = asRecord(part) ?? {};
  return typeof mimeType === 'string' && data instanceof Uint8Array
    ? [{ type: 'data', mime: mimeType, bytes: data }]
    : [];
}

/** The words of a rendered prompt: its tree has them under `text`. */
function textsOf(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(textsOf);
  return Object.entries(asRecord(node) ?? {}).flatMap(([key, value]) =>
    key === 'text' && typeof value === 'string' ? [value] : textsOf(value),
  );
}

/** The fields of an object; those of a class may be behind getters of its prototype. */
function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

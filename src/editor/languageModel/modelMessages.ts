/** Converts messages and tools of other chats from the classes of the editor to plain data. */
import * as vscode from 'vscode';
import type { OtherTool } from '../../conversation/otherChats/otherMessages.ts';
import type { OtherMessage, OtherPart } from '../../conversation/otherChats/otherParts.ts';
import { textOfPromptElement } from '../../conversation/toolCalls/toolText.ts';
import { isThinkingPart, type ModelMessage } from './modelApi.ts';

/** The system role is not in the stable API yet, but chats of newer editors use it. */
const SYSTEM_ROLE = 3;

export function fromModelMessage({ role, content }: ModelMessage): OtherMessage {
  const parts = content.flatMap(fromModelPart);
  if (role === SYSTEM_ROLE) return { role: 'system', parts };
  return { role: role === vscode.LanguageModelChatMessageRole.Assistant ? 'assistant' : 'user', parts };
}

export function fromModelTool({ name, description, inputSchema }: vscode.LanguageModelChatTool): OtherTool {
  return { name, description, schema: fieldsOf(inputSchema) };
}

/** Unknown parts are ignored, because newer editors add internal ones. */
function fromModelPart(part: unknown): readonly OtherPart[] {
  if (isThinkingPart(part)) {
    const value = fieldsOf(part)?.['value'];
    const text = Array.isArray(value) ? value.join('') : String(value ?? '');
    return [{ type: 'thinking', text }];
  }
  // A chat that isn't written in TypeScript can pass a value of any type.
  if (part instanceof vscode.LanguageModelTextPart) return [{ type: 'text', text: String(part.value ?? '') }];
  if (part instanceof vscode.LanguageModelToolCallPart)
    return [{ type: 'call', id: part.callId, name: part.name, input: part.input }];
  if (part instanceof vscode.LanguageModelToolResultPart)
    return [{ type: 'result', callId: part.callId, parts: part.content.flatMap(fromModelPart) }];
  if (part instanceof vscode.LanguageModelPromptTsxPart)
    return [{ type: 'text', text: textOfPromptElement(part.value) }];
  const { mimeType, data } = fieldsOf(part) ?? {};
  return typeof mimeType === 'string' && data instanceof Uint8Array
    ? [{ type: 'data', mime: mimeType, bytes: data }]
    : [];
}

/** An object as a record. Getters of its class can be read, too. */
function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

/** The rules for `messages`: roles, content, images, tool loops. Positions are written as in JavaScript. */

import { type Fields, isFields, type Json } from './json.ts';
import type { Judge } from './judge.ts';

/** The names of reasoning in a message (field notes, "Reasoning has several names"). */
export const reasoningNames = ['reasoning_content', 'reasoning', 'reasoning_details'];

const roles = ['system', 'user', 'assistant', 'tool'];
const fieldsOf: Record<string, string[]> = {
  system: ['role', 'content', 'name'],
  user: ['role', 'content', 'name'],
  assistant: ['role', 'content', 'name', 'tool_calls', ...reasoningNames],
  tool: ['role', 'content', 'name', 'tool_call_id'],
};

/** Accepted image types (field notes, "Images"), by their first bytes in hexadecimal. */
const signatures: [kind: string, start: RegExp][] = [
  ['png', /^89504e470d0a1a0a/],
  ['jpeg', /^ffd8ff/],
  ['gif', /^474946383[79]61/],
  ['webp', /^52494646.{8}57454250/],
];

/** Q6: base64 data whose first bytes are an accepted image. The declared type must be the real one. */
function checkData(url: string, at: string, judge: Judge): void {
  const [, declared, data = ''] = /^data:image\/([a-z+.-]+);base64,([\s\S]*)$/.exec(url) ?? [];
  if (declared === undefined || data === '') {
    judge.refuse(`${at}.url is neither base64 image data nor ms://<file_id> (Q6)`);
    return;
  }
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(data)) {
    judge.refuse(`${at}.url holds characters that are not base64 (Q6)`);
    return;
  }
  const start = Buffer.from(data.slice(0, 24), 'base64').toString('hex');
  const kind = signatures.find(([, signature]) => signature.test(start))?.[0];
  if (kind === undefined) {
    judge.refuse(`${at}.url is not a PNG, JPEG, GIF or WebP by its first bytes (field notes, Images)`);
  } else if (kind !== declared) {
    judge.wrong(`${at}.url is declared as ${declared} but is ${kind} (field notes, Images)`);
  }
}

function checkImage(image: Json | undefined, at: string, judge: Judge): void {
  const url = isFields(image) ? image['url'] : undefined;
  if (typeof url !== 'string') {
    judge.refuse(`${at} is not an object with a url (field notes, Images)`);
  } else if (/^https?:/i.test(url)) {
    judge.refuse(`${at}.url is a public address; public image URLs are not supported (Q6)`);
  } else if (!/^ms:\/\/[^\s/]+$/.test(url)) {
    checkData(url, at, judge);
  }
}

function checkPart(part: Json, at: string, judge: Judge): void {
  if (!isFields(part)) {
    judge.refuse(`${at} is not an object (Q5)`);
  } else if (part['type'] === 'image_url') {
    checkImage(part['image_url'], `${at}.image_url`, judge);
  } else if (part['type'] !== 'text') {
    judge.refuse(`${at}.type is neither text nor image_url`);
  } else if (typeof part['text'] !== 'string' || part['text'] === '') {
    judge.refuse(`${at}.text is empty`);
  }
}

function checkContent(message: Fields, at: string, judge: Judge): void {
  const content = message['content'];
  const callsTools = Array.isArray(message['tool_calls']);
  if (Array.isArray(content)) {
    if (content.length === 0) {
      judge.refuse(`${at}.content is empty`);
    }
    content.forEach((part, index) => {
      checkPart(part, `${at}.content[${index}]`, judge);
    });
  } else if (content === '' || (typeof content === 'string' && content.trim() === '' && !callsTools)) {
    judge.refuse(`${at}.content is empty`);
  } else if (typeof content === 'string') {
    if (/data:image\/[a-z+]+;base64,/.test(content)) {
      judge.wrong(`${at}.content is a string with an image in it, not an array of objects (Q5)`);
    }
  } else if (!callsTools || (content !== undefined && content !== null)) {
    judge.refuse(`${at}.content is missing, or neither a string nor an array`);
  }
}

function checkCall(call: Json, at: string, judge: Judge): void {
  const made = isFields(call) ? call['function'] : undefined;
  if (!isFields(call) || !isFields(made) || typeof made['name'] !== 'string' || made['name'] === '') {
    judge.refuse(`${at} is not a call with a function that has a name`);
  } else if (typeof call['id'] !== 'string' || call['id'] === '') {
    judge.refuse(`${at}.id is missing (field notes, tool loops)`);
  } else if (call['type'] !== 'function') {
    judge.wrong(`${at}.type is not function`);
  } else if (typeof made['arguments'] !== 'string') {
    judge.refuse(`${at}.function.arguments is not a string`);
  }
}

/** Field notes, "Reasoning must survive tool loops": the service of this family answers 400 without it. */
function checkToolLoop(message: Fields, at: string, judge: Judge): void {
  const calls = message['tool_calls'];
  if (calls === undefined) {
    return;
  }
  if (!Array.isArray(calls) || calls.length === 0) {
    judge.refuse(`${at}.tool_calls is not an array with calls in it`);
    return;
  }
  calls.forEach((call, index) => {
    checkCall(call, `${at}.tool_calls[${index}]`, judge);
  });
  const named = reasoningNames.some((name) => (message[name]?.toString() ?? '') !== '');
  if (!named && !textOf(message).includes('</think>')) {
    judge.refuse(
      `thinking is enabled but reasoning_content is missing in assistant tool call message at ${at} (field notes)`,
    );
  }
}

function checkMessage(message: Json, at: string, judge: Judge): void {
  const role = isFields(message) ? message['role'] : undefined;
  if (!isFields(message) || typeof role !== 'string' || !roles.includes(role)) {
    judge.refuse(`${at}.role is none of ${roles.join(', ')}`);
    return;
  }
  for (const field of Object.keys(message).filter((name) => !fieldsOf[role]?.includes(name))) {
    judge.wrong(`${at}.${field} is not a field of a message with the role ${role}`);
  }
  checkContent(message, at, judge);
  if (role === 'assistant') {
    checkToolLoop(message, at, judge);
  }
}

function callIds(message: Json): string[] {
  const calls = isFields(message) ? message['tool_calls'] : undefined;
  const ids = Array.isArray(calls) ? calls.map((call) => (isFields(call) ? call['id'] : undefined)) : [];
  return ids.filter((id) => typeof id === 'string');
}

/** A tool message must answer an open call. All calls must be answered before any other message. */
function checkOrder(messages: Json[], judge: Judge): void {
  let open: string[] = [];
  messages.forEach((message, index) => {
    const fields = isFields(message) ? message : {};
    if (fields['role'] === 'tool') {
      const id = fields['tool_call_id'];
      if (typeof id !== 'string' || !open.includes(id)) {
        judge.refuse(`messages[${index}].tool_call_id names no open call (field notes)`);
      } else if (id !== open[0]) {
        judge.refuse(`messages[${index}] answers ${id} before ${open[0]}: not the order of the calls`);
      }
      open = open.filter((one) => one !== id);
      return;
    }
    if (open.length > 0) {
      judge.refuse(`messages[${index}] comes before the tool calls ${open.join(', ')} were answered`);
    }
    open = callIds(message);
  });
  if (open.length > 0) {
    judge.refuse(`the tool calls ${open.join(', ')} were never answered`);
  }
}

/** Q5, as a rule for every message: "for image input each message's content must be an array of objects". */
function checkEveryContent(messages: Json[], judge: Judge): void {
  const contents = messages.map((message) => (isFields(message) ? message['content'] : undefined));
  const images = contents.flat().filter((part) => isFields(part) && part['type'] === 'image_url');
  const text = contents.findIndex((content) => typeof content === 'string');
  if (images.length > 0 && text !== -1) {
    judge.refuse(
      `messages[${text}].content is a plain string, not an array of objects, beside an image (Q5)`,
    );
  }
}

/** E4, and all rules for single messages. */
export function checkMessages(messages: Json | undefined, judge: Judge): void {
  if (!Array.isArray(messages) || messages.length === 0) {
    judge.refuse('messages must not be empty (E4)');
    return;
  }
  messages.forEach((message, index) => {
    checkMessage(message, `messages[${index}]`, judge);
  });
  checkOrder(messages, judge);
  if (judge.everyContent) {
    checkEveryContent(messages, judge);
  }
  if (!messages.some((message) => isFields(message) && message['role'] === 'user')) {
    judge.wrong('messages holds nothing from the user (Q4)');
  }
}

/** The text of a message's content: the string, or its text parts joined by line feeds. */
export function textOf(message: Json | undefined): string {
  const content = isFields(message) ? message['content'] : undefined;
  if (!Array.isArray(content)) {
    return typeof content === 'string' ? content : '';
  }
  const texts = content.map((part) => (isFields(part) && part['type'] === 'text' ? part['text'] : undefined));
  return texts.filter((text) => typeof text === 'string').join('\n');
}

/** The text of the last user message, or '' if there is none. */
export function lastUserText(messages: Json | undefined): string {
  const list = Array.isArray(messages) ? messages : [];
  return textOf(list.findLast((message) => isFields(message) && message['role'] === 'user'));
}

/** Reads values of settings. Problems with a value are added to `problems`. */
import { type SettingProblem, toWrongValue } from '../../requests/refusal.ts';

/** The entries of a value; none if it isn't an object. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A text; empty if it isn't set or wrong. */
export function readTextField(setting: string, value: unknown, problems: SettingProblem[]): string {
  if (value !== undefined && value !== null && typeof value !== 'string')
    problems.push({ setting, problem: 'not-text', value: String(value) });
  return asText(value);
}

/** Yes or no; no if it isn't set or wrong. */
export function yesOrNoOf(setting: string, value: unknown, problems: SettingProblem[]): boolean {
  if (value !== undefined && value !== null && typeof value !== 'boolean')
    problems.push({ setting, problem: 'not-yes-or-no', ...toWrongValue(value) });
  return value === true;
}

/** The entries of an object; none if it isn't set or wrong. */
export function readFields(
  setting: string,
  value: unknown,
  problems: SettingProblem[],
): Readonly<Record<string, unknown>> {
  if (value !== undefined && value !== null && (typeof value !== 'object' || Array.isArray(value)))
    problems.push({ setting, problem: 'not-an-object', value: String(value) });
  return asRecord(value);
}

type Texts = Readonly<Record<string, string>>;
export const TRANSLATED_FROM: string;
export function origins(english: Texts, translated: Texts, before: Texts): Texts;
export function outdated(english: Texts, translated: Texts, known: Texts): string[];
export function allOrigins(): Readonly<Record<string, Texts>>;
export function readOrigins(): Readonly<Record<string, Texts>>;

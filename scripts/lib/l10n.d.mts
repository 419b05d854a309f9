export type Texts = Readonly<Record<string, string>>;
export declare const ENGLISH: { readonly manifest: string; readonly code: string };
export declare function textsOfSources(): Texts;
export declare function textsOf(file: string, source: string): readonly string[];
export declare function isTranslation(
  source: string,
  callee: { readonly start: number; readonly end: number },
): boolean;
export declare function sources(folder: string): readonly string[];
export declare function readTexts(file: string): Texts;
export declare function translationOf(english: string, language: string): string;
export declare function languages(): readonly string[];
export declare function problemsOf(english: Texts, translated: Texts, language: string): readonly string[];
export declare function pseudo(text: string): string;
export declare function pseudoTexts(english: Texts): Texts;

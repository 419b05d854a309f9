/**
 * Names of symbols in texts of the model, as it writes them in inline code: `formatPrice`, `formatPrice()`, `Invoice.total`,
 * `Invoice::total`. The host finds out whether the editor knows a name.
 */

/** The maximum length of inline code that can be a name, in characters. */
export const MAX_SYMBOL_LENGTH = 100;

const SHORTEST = 3;
const SEPARATOR = /\.|::|[#/]/;
/** Created when first needed, because creating regular expressions with Unicode properties takes milliseconds. */
let symbol: RegExp | undefined;
let words: RegExp | undefined;

/** Words of common programming languages, which are not names. */
const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'and,any,assert,async,await,bool,boolean,break,byte,case,catch,char,class,const,' +
    'continue,debugger,def,default,defer,del,delete,double,elif,else,enum,export,extends,' +
    'extern,False,false,final,finally,float,for,foreach,from,func,function,get,global,' +
    'goto,impl,implements,import,inline,instanceof,int,interface,keyof,lambda,let,long,mod,' +
    'mut,namespace,native,never,new,nil,None,not,null,number,operator,override,package,' +
    'pass,private,protected,pub,public,raise,readonly,require,return,satisfies,Self,self,' +
    'set,short,signed,sizeof,static,str,String,string,struct,super,switch,this,throw,' +
    'throws,trait,True,true,try,type,typedef,typeof,undefined,union,unknown,unsafe,' +
    'unsigned,use,using,var,virtual,void,volatile,when,where,while,with,yield'
  ).split(','),
);

/** The name that a complete text is, with its parts separated by `.`. Undefined if the text can't be a name. */
export function parseSymbol(text: string): string | undefined {
  symbol ??= /^([\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#)[\p{L}_$][\p{L}\p{N}_$]*)*)(?:\([^()\p{C}]*\))?$/u;
  const parts = text.length > MAX_SYMBOL_LENGTH ? undefined : symbol.exec(text)?.[1]?.split(SEPARATOR);
  if (parts === undefined || parts.some((part) => KEYWORDS.has(part))) return undefined;
  return lastOf(parts).length < SHORTEST ? undefined : parts.join('.');
}

/** The part of a name that the editor is asked for: the last part, without its containers. */
export const ownName = (name: string): string => lastOf(name.split('.'));

const lastOf = (parts: readonly string[]): string => parts.at(-1) ?? '';

/**
 * Whether a symbol of the editor has exactly a name, as `parseSymbol` returns it.
 *
 * @param found the name of the symbol, to which some languages add its container, parameters, and type: `total(int) : int`
 * @param container the container of the symbol, for example `shop.Invoice` or `example.com/shop`
 */
export function isSymbol(name: string, found: string, container: string): boolean {
  const parts = [...container.split(SEPARATOR), ...(/^[^(<\s]*/.exec(found)?.[0] ?? '').split(SEPARATOR)];
  const wanted = name.split('.');
  return wanted.join('.') === parts.slice(-wanted.length).join('.');
}

/** The offset of a name in a text, as a whole word. -1 if the text doesn't contain it. */
export function findWholeWord(text: string, name: string): number {
  words ??= /[\p{L}\p{N}_$]+/gu;
  for (const { 0: word, index } of text.matchAll(words)) if (word === name) return index;
  return -1;
}

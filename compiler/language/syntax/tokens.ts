/**
 * All tokens and the modes of the lexer. A tag opener and the tag name are one token (`{% for`). The lines of `{% liquid %}` have the
 * same tokens, so the grammar does not know that tag. The families of markup differ only in their end: `tag` ends at `%}`, `output` at
 * `}}`, and `line` at a line feed or at the `%}` of its tag, even inside quotes.
 */
import { createToken, type IToken, Lexer, type TokenType } from 'chevrotain'
import type { ComparisonOperator } from '../../core/tree/ast.ts'

export type TokenFamily = 'tag' | 'output' | 'line' | 'interpolation'

/** The category of all markup tokens, so that lax rules can skip everything up to the end. */
export const Any = createToken({ name: 'Any', pattern: Lexer.NA })
/** All tokens except a pipe: surplus text after the arguments of a filter. */
export const NoPipe = createToken({ name: 'NoPipe', pattern: Lexer.NA, categories: [Any] })

const category = (name: string, categories: TokenType[] = [NoPipe]) =>
  createToken({ name, pattern: Lexer.NA, categories })

export const Str = category('Str')
export const JsonStr = category('JsonStr')
export const Name = category('Name')
/** `"text{{`, `}}text{{` and `}}text"`: the parts of a double-quoted string with interpolation. */
export const InterpolationOpen = category('InterpolationOpen')
export const InterpolationMid = category('InterpolationMid', [])
export const InterpolationClose = category('InterpolationClose', [])
export const TagClose = category('TagClose', [])
export const OutputClose = category('OutputClose', [])
export const OpenBracket = category('OpenBracket')
export const CloseBracket = category('CloseBracket')
export const OpenBrace = category('OpenBrace')
export const CloseBrace = category('CloseBrace')
export const Comparator = category('Comparator')

const simple = (name: string, pattern: RegExp | string, categories: TokenType[] = [NoPipe]) =>
  createToken({ name, pattern, categories })

/** Digits and dashes may follow, except a dash of the closing delimiter. It may end with `?`. */
const NAME = /[A-Za-z_](?:[A-Za-z0-9_]|-(?![%}]\}))*\??/

/** A name that is not a keyword. */
export const Identifier = createToken({ name: 'Identifier', pattern: NAME, categories: [Name, NoPipe] })
const keyword = (name: string, word: string) =>
  createToken({ name, pattern: word, longer_alt: Identifier, categories: [Name, NoPipe] })

export const True = keyword('True', 'true')
export const False = keyword('False', 'false')
export const Nil = keyword('Nil', 'nil')
export const Null = keyword('Null', 'null')
export const Blank = keyword('Blank', 'blank')
export const Empty = keyword('Empty', 'empty')
export const And = keyword('And', 'and')
export const Or = keyword('Or', 'or')
export const Contains = keyword('Contains', 'contains')
export const In = keyword('In', 'in')
export const With = keyword('With', 'with')
export const For = keyword('For', 'for')
export const As = keyword('As', 'as')
export const Reversed = keyword('Reversed', 'reversed')

/** A name that begins with digits (`23_hours_ago`), which the platform accepts. */
export const DigitName = createToken({
  name: 'DigitName',
  pattern: /[0-9]+(?:[A-Za-z_]|-(?![%}]\}|[0-9]))(?:[A-Za-z0-9_]|-(?![%}]\}))*/,
  categories: [NoPipe],
})
export const Float = simple('Float', /-?[0-9]+\.[0-9]+/)
/** `5.` is 5.0. The dot must not begin a range. */
export const DotFloat = simple('DotFloat', /-?[0-9]+\.(?![.0-9A-Za-z_])/)
export const Integer = simple('Integer', /-?[0-9]+/)

export const DotDot = simple('DotDot', '..')
export const Dot = simple('Dot', '.')
export const Comma = simple('Comma', ',')
export const Colon = simple('Colon', ':')
export const Pipe = simple('Pipe', '|', [Any])
export const OpenParen = simple('OpenParen', '(')
export const CloseParen = simple('CloseParen', ')')
export const Push = simple('Push', '<<')
export const Assign = simple('Assign', '=')
const comparator = (name: string, pattern: string) => createToken({ name, pattern, categories: [Comparator, NoPipe] })
const Eq = comparator('Eq', '==')
const Ne = comparator('Ne', '!=')
const Diamond = comparator('Diamond', '<>')
const Le = comparator('Le', '<=')
const Ge = comparator('Ge', '>=')
export const Lt = comparator('Lt', '<')
const Gt = comparator('Gt', '>')

/** The comparisons by their texts. */
export const COMPARISON_OPERATORS: Readonly<Record<string, ComparisonOperator>> = {
  '==': '==',
  '!=': '!=',
  '<>': '!=',
  '<': '<',
  '>': '>',
  '<=': '<=',
  '>=': '>=',
  contains: 'contains',
}
/** A quote without a closing quote. It is ignored. */
export const StrayQuote = simple('StrayQuote', /['"]/)
/** The prefix of a name in other languages, such as `@user`. It is ignored. */
export const At = simple('At', /@(?=[A-Za-z_])/)
/** Characters that begin no token: `&`, `!`, `;` and all characters beyond ASCII. */
export const Stray = createToken({
  name: 'Stray',
  pattern: { exec: strayAt },
  line_breaks: true,
  start_chars_hint: everyCharacter(),
  categories: [NoPipe],
})

function strayAt(text: string, offset: number): TokenMatch {
  const code = text.charCodeAt(offset)
  // A surrogate pair is one character.
  const length = code >= 0xd800 && code < 0xdc00 && offset + 1 < text.length ? 2 : 1
  return [text.slice(offset, offset + length)]
}

/** Returns one code of every block of 256 characters, and all of the first block. The lexer needs it to match any character. */
export function everyCharacter(): number[] {
  const codes = Array.from({ length: 256 }, (_, code) => code)
  for (let code = 256; code <= 0xffff; code += 256) codes.push(code)
  return codes
}

/** The result of a function that matches a token: the text of the token. */
export type TokenMatch = [image: string]

const WHITE_SPACE = /[ \t\r\n\f\v\u00a0\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+/
const WhiteSpace = createToken({ name: 'WhiteSpace', pattern: WHITE_SPACE, group: Lexer.SKIPPED, line_breaks: true })
const LineSpace = createToken({
  name: 'LineSpace',
  pattern: /[ \t\r\f\v\u00a0\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+/,
  group: Lexer.SKIPPED,
  line_breaks: false,
})
/** A comment from `#` to the end of the line, after a statement. */
const LineComment = createToken({
  name: 'LineComment',
  pattern: { exec: lineCommentAt },
  start_chars_hint: ['#'],
  group: Lexer.SKIPPED,
  line_breaks: false,
})

function lineCommentAt(text: string, offset: number): TokenMatch | null {
  if (text.charCodeAt(offset) !== 35) return null
  const before = text.charCodeAt(offset - 1)
  if (before !== 32 && before !== 9) return null
  return [text.slice(offset, statementEnd(text, offset))]
}

/** Returns the end of a line in a `liquid` tag: its line feed, or the place before the `%}` or `-%}` of the tag. */
export function statementEnd(text: string, offset: number): number {
  const lineFeed = text.indexOf('\n', offset)
  const end = lineFeed < 0 ? text.length : lineFeed
  // Search only in the line, because the end of the tag may be thousands of lines away.
  const inside = text.slice(offset, end).indexOf('%}')
  if (inside < 0) return end
  const close = offset + inside
  return text.charCodeAt(close - 1) === 45 ? close - 1 : close
}

/** The patterns of string bodies by family. The closing delimiter of the markup ends a string early. */
const STRING_BODY: Record<TokenFamily, { single: string; double: string; json: string }> = {
  tag: { single: "(?:[^'%]|%(?!\\}))*", double: '(?:[^"%]|%(?!\\}))*', json: '(?:[^"\\\\%]|\\\\[^]|%(?!\\}))*' },
  output: {
    single: "(?:[^'}]|\\}(?!\\}))*",
    double: '(?:[^"}]|\\}(?!\\}))*',
    json: '(?:[^"\\\\}]|\\\\[^]|\\}(?!\\}))*',
  },
  line: {
    single: "(?:[^'%\\n]|%(?!\\}))*",
    double: '(?:[^"%\\n]|%(?!\\}))*',
    json: '(?:[^"\\\\%\\n]|\\\\[^\\n]|%(?!\\}))*',
  },
  interpolation: { single: '(?:[^\'}"]|\\}(?!\\}))*', double: '(?!)', json: '(?!)' },
}

/** The tokens of one family. */
export interface FamilyTokens {
  readonly markup: TokenType[]
  readonly json: TokenType[]
  readonly index: TokenType[]
}

/** Returns the names of the modes of a family: plain markup, inside a JSON literal, and inside `[ ]` of a lookup. */
export const modes = (family: TokenFamily) => ({ markup: family, json: `${family} json`, index: `${family} index` })

/**
 * Returns the tokens of a family. Closing delimiters and line feeds push the next mode instead of popping the current one, so that an
 * unclosed bracket does not affect the rest of the file.
 */
export function familyTokens(family: TokenFamily, interpolation: boolean, closers: TokenType[]): FamilyTokens {
  const { single, double, json } = textTokens(family)
  const { openIndex, openList, openHash, closeList, closeHash, strayList, strayHash } = bracketTokens(family)
  const open = interpolation && family !== 'output' && family !== 'interpolation' ? [interpolationOpen(family)] : []
  const words = [True, False, Nil, Null, Blank, Empty, And, Or, Contains, In, With, For, As, Reversed, Identifier]
  const numbers = [Float, DigitName, DotFloat, Integer]
  const signs = [DotDot, Dot, Comma, Colon, Pipe, OpenParen, CloseParen, Push, Eq, Ne, Diamond, Le, Ge, Lt, Gt, Assign]
  const otherTokens = [...words, ...numbers, ...signs, StrayQuote, At, Stray]
  const opening = [openIndex, openList, openHash]
  const space = family === 'line' ? [LineSpace, LineComment] : [WhiteSpace]
  const comment = family === 'line' ? [LineComment] : []
  // In the lines of a `liquid` tag, a literal may also continue after a line feed.
  const closersWithoutLineEnd = closers.filter(({ name }) => name !== 'line end')
  return {
    markup: [...space, ...closers, ...open, single, double, ...opening, strayList, strayHash, ...otherTokens],
    json: [
      WhiteSpace,
      ...comment,
      ...closersWithoutLineEnd,
      ...open,
      json,
      single,
      ...opening,
      closeList,
      closeHash,
      ...otherTokens,
    ],
    index: [
      WhiteSpace,
      ...closersWithoutLineEnd,
      ...open,
      single,
      double,
      ...opening,
      closeList,
      strayHash,
      ...otherTokens,
    ],
  }
}

/** Returns the tokens of strings in single quotes, in double quotes, and in JSON literals, which support backslash escapes. */
function textTokens(family: TokenFamily): Readonly<Record<'single' | 'double' | 'json', TokenType>> {
  const body = STRING_BODY[family]
  const text = (name: string, pattern: RegExp | { exec: MatchToken }, category: TokenType, quote: string) =>
    createToken({
      name: `${family} ${name}`,
      pattern,
      categories: [category, NoPipe],
      line_breaks: family !== 'line',
      start_chars_hint: [quote],
    })
  const quoted = (name: string, source: string, quote: string) =>
    text(name, family === 'tag' || family === 'line' ? outsideArguments(source) : new RegExp(source), Str, quote)
  return {
    single: quoted('single-quoted', `'${body.single}'`, "'"),
    double: quoted('double-quoted', `"${body.double}"`, '"'),
    json: text('json string', new RegExp(`"${body.json}"`), JsonStr, '"'),
  }
}

/** Matches a token at the offset. `before`: the tokens so far. */
export type MatchToken = (text: string, offset: number, tokensBefore: IToken[]) => TokenMatch | null

/** Matches a string, unless the text between its quotes contains arguments. */
function outsideArguments(source: string): { exec: MatchToken } {
  const pattern = new RegExp(source, 'y')
  return {
    exec(text, offset, tokensBefore) {
      pattern.lastIndex = offset
      const match = pattern.exec(text)
      return match === null || coversArgument(match[0], tokensBefore) ? null : [match[0]]
    },
  }
}

/** Returns the tokens of brackets in lookups and literals. A stray closing bracket closes nothing. */
function bracketTokens(family: TokenFamily) {
  const mode = modes(family)
  const bracket = (
    name: string,
    pattern: string,
    category: TokenType,
    change: { push_mode?: string; pop_mode?: true },
  ) => createToken({ name: `${family} ${name}`, pattern, categories: [category, NoPipe], ...change })
  return {
    openIndex: createToken({
      name: `${family} [ of a lookup`,
      pattern: {
        exec: (text: string, offset: number, tokensBefore: IToken[]): TokenMatch | null =>
          text[offset] === '[' && followsValue(tokensBefore) ? ['['] : null,
      },
      start_chars_hint: ['['],
      line_breaks: false,
      push_mode: mode.index,
      categories: [OpenBracket, NoPipe],
    }),
    openList: bracket('[', '[', OpenBracket, { push_mode: mode.json }),
    openHash: bracket('{', '{', OpenBrace, { push_mode: mode.json }),
    closeList: bracket('] of a literal', ']', CloseBracket, { pop_mode: true }),
    closeHash: bracket('} of a literal', '}', CloseBrace, { pop_mode: true }),
    strayList: bracket(']', ']', CloseBracket, {}),
    strayHash: bracket('}', '}', CloseBrace, {}),
  }
}

const ARGUMENT = /(?:^|[^\w-])[A-Za-z_][\w-]*\s*:/

/**
 * Returns whether a string in an invalid position contains `name:` of the tag's arguments. Then its quote is an apostrophe in an
 * earlier string, or the end of that string, and the reference implementation still reads the argument.
 */
function coversArgument(image: string, tokensBefore: IToken[]): boolean {
  const last = tokensBefore.at(-1)
  if (last === undefined || !isA(last, NoPipe) || mayPrecedeText(last)) return false
  if (!ARGUMENT.test(image)) return false
  for (let at = tokensBefore.length - 2; at > 0; at--) {
    const [name, token] = [tokensBefore[at - 1], tokensBefore[at]]
    if (name === undefined || token === undefined || !isA(token, NoPipe)) return false
    if (token.tokenType === Colon && isA(name, Name)) return true
  }
  return false
}

/** Returns whether a string may follow the token. */
function mayPrecedeText({ tokenType }: IToken): boolean {
  return (
    BEFORE_TEXT.has(tokenType) ||
    BEFORE_LIST.has(tokenType) ||
    BEFORE_TEXT_CATEGORIES.some((type) => isOf(tokenType, type))
  )
}

/** Returns whether a `[` here continues a lookup, because a name, a key or a closing bracket comes before it. */
function followsValue(tokensBefore: IToken[]): boolean {
  const last = tokensBefore.at(-1)
  if (last === undefined) return false
  if (isA(last, CloseBracket) || last.tokenType === DigitName) return true
  return isA(last, Name) && !BEFORE_LIST.has(last.tokenType)
}

const BEFORE_TEXT: ReadonlySet<TokenType> = new Set([Comma, Colon, Assign, Push, OpenParen, DotDot])
const BEFORE_TEXT_CATEGORIES: readonly TokenType[] = [Comparator, OpenBracket, OpenBrace]

/** Words after which a bracket opens an array, not an index. */
const BEFORE_LIST = new Set<TokenType>([And, Or, Contains, In, With, For, As])

export function isA(token: IToken, type: TokenType): boolean {
  return isOf(token.tokenType, type)
}

function isOf(tokenType: TokenType, type: TokenType): boolean {
  return tokenType === type || (tokenType.CATEGORIES?.includes(type) ?? false)
}

function interpolationOpen(family: TokenFamily): TokenType {
  const stop = family === 'line' ? /["\n]/ : /"/
  return createToken({
    name: `${family} interpolation open`,
    pattern: {
      exec(text: string, offset: number): TokenMatch | null {
        if (text.charCodeAt(offset) !== 34) return null
        const open = text.indexOf('{{', offset)
        if (open < 0) return null
        const head = text.slice(offset + 1, open)
        if (stop.test(head) || head.includes('%}')) return null
        // Without closing braces before the end of the tag, the string has no interpolation.
        const close = text.indexOf('}}', open)
        const end = text.indexOf('%}', offset)
        if (close < 0 || (end >= 0 && end < close)) return null
        return [text.slice(offset, open + 2)]
      },
    },
    start_chars_hint: ['"'],
    line_breaks: true,
    push_mode: modes('interpolation').markup,
    categories: [InterpolationOpen, NoPipe],
  })
}

/** Returns the tokens that end a value inside a string: `}}text"` ends the string, `}}text{{` begins the next value. */
export function interpolationClosers(): TokenType[] {
  const close = (name: string, source: RegExp, category: TokenType, mode: { pop_mode?: boolean }) =>
    createToken({ name, pattern: source, categories: [category], line_breaks: true, start_chars_hint: ['}'], ...mode })
  return [
    close('interpolation close', /\}\}(?:[^"{%]|\{(?!\{)|%(?!\}))*"/, InterpolationClose, { pop_mode: true }),
    close('interpolation mid', /\}\}(?:[^"{%]|\{(?!\{)|%(?!\}))*\{\{/, InterpolationMid, {}),
  ]
}

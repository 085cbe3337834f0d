/** The lexer: a Chevrotain lexer with or without string interpolation. It gives tag openers the token types of their tags. */
import { createToken, type IToken, Lexer, type TokenType } from 'chevrotain'
import { lazyLexer } from './lazy-lexer.ts'
import { type RawBody, rawExtent, rawLinesExtent } from './raw.ts'
import {
  Comma,
  everyCharacter,
  type FamilyTokens,
  familyTokens,
  interpolationClosers,
  type MatchToken,
  modes,
  OutputClose as OutputCloseCategory,
  statementEnd,
  TagClose as TagCloseCategory,
  type TokenFamily,
  type TokenMatch,
} from './tokens.ts'
import { keysOf } from '../../core/source/records.ts'

/** Any tag opener before it gets the type of its tag: `{%- for` or, in a `liquid` tag, `for`. */
export const TagOpen = createToken({ name: 'TagOpen', pattern: Lexer.NA })
/** An end tag such as `endif`, including those of unknown blocks. */
export const EndOpen = createToken({ name: 'EndOpen', pattern: Lexer.NA })
export const UnknownOpen = createToken({ name: 'UnknownOpen', pattern: Lexer.NA })
export const InlineComment = createToken({ name: 'InlineComment', pattern: Lexer.NA })
export const RawTag = createToken({ name: 'RawTag', pattern: Lexer.NA })
/** A raw tag without an end tag. */
export const OpenRaw = createToken({ name: 'OpenRaw', pattern: Lexer.NA })
export const TextToken = createToken({ name: 'Text', pattern: Lexer.NA })
export const OutputOpen = createToken({ name: 'OutputOpen', pattern: Lexer.NA })
/** `{{` or `{%` without its closing delimiter. */
export const Unterminated = createToken({ name: 'Unterminated', pattern: Lexer.NA })
/** A line of a `liquid` tag that does not begin with a word. */
export const BadLine = createToken({ name: 'BadLine', pattern: Lexer.NA })

/** The information that the lexer needs about tags. */
export interface TagVocabulary {
  /** The token type of each tag name, including branches such as `else`. Aliases have the type of their tag. */
  readonly types: ReadonlyMap<string, TokenType>
  readonly raw: ReadonlyMap<string, RawBody>
}

interface LexResult {
  readonly tokens: IToken[]
}

const TAG = /\{%-?[ \t\r\n\f\v]*([A-Za-z_][A-Za-z0-9_]*|#)?/y
const WORD = /[A-Za-z_][A-Za-z0-9_]*/y

/** Creates the lexer of a vocabulary. It is built on first use, because that takes about 30 ms. */
export function lexerOf(
  vocabulary: TagVocabulary,
  interpolation: boolean,
): {
  tokenize(text: string): LexResult
  /** Every possible token type, for the tables of the parser. */
  readonly types: readonly TokenType[]
  /** Checks the token definitions. @throws Error that names invalid ones */
  check(): void
} {
  const modes = lexerDefinition(vocabulary, interpolation)
  let lexer: Lexer | null = null
  return {
    types: [...new Set(Object.values(modes).flat())],
    tokenize(text) {
      lexer ??= lazyLexer({ modes, defaultMode: 'text' }, CONFIG)
      const { tokens } = lexer.tokenize(text)
      for (const token of tokens) if (token.tokenType.CATEGORIES?.includes(TagOpen)) retype(token, vocabulary)
      return { tokens }
    },
    check() {
      new Lexer({ modes, defaultMode: 'text' }, CONFIG)
    },
  }
}

const CONFIG = { positionTracking: 'onlyOffset', ensureOptimizations: true } as const

/** Returns the name of the tag in an opener. */
export function openedName(image: string): string {
  return /([A-Za-z_][A-Za-z0-9_]*|#)?$/.exec(image)?.[1] ?? ''
}

function retype(token: IToken, vocabulary: TagVocabulary): void {
  const name = openedName(token.image)
  const type = vocabulary.types.get(name) ?? (name.startsWith('end') ? EndOpen : UnknownOpen)
  token.tokenType = type
  if (type.tokenTypeIdx !== undefined) token.tokenTypeIdx = type.tokenTypeIdx
}

function lexerDefinition(vocabulary: TagVocabulary, interpolation: boolean): Record<string, TokenType[]> {
  const closers = lineClosers()
  const close = tagClose('tag close')
  const families: Record<TokenFamily, FamilyTokens> = {
    tag: familyTokens('tag', interpolation, [close]),
    output: familyTokens('output', interpolation, [outputClose()]),
    line: familyTokens('line', interpolation, closers.closing),
    interpolation: familyTokens('interpolation', interpolation, [...interpolationClosers(), close]),
  }
  const definition: Record<string, TokenType[]> = { text: textTokens(vocabulary), lines: lineTokens(vocabulary) }
  const next = nextStatement(vocabulary)
  for (const family of keysOf(families)) {
    const mode = modes(family)
    const { markup, json, index } = families[family]
    const skipped = family === 'line' ? closers.skipped : []
    definition[mode.markup] = [...markup.slice(0, -2), ...skipped, ...markup.slice(-2)]
    definition[mode.json] = family === 'line' ? [next, ...json] : json
    definition[mode.index] = family === 'line' ? [next, ...index] : index
  }
  return definition
}

interface TokenOptions {
  readonly push_mode?: string
  readonly group?: string
  readonly categories?: TokenType[]
}

/** Creates a token that is matched by a function. `starts`: its possible first characters. */
function matchedToken(name: string, starts: (string | number)[], exec: MatchToken, options: TokenOptions): TokenType {
  return createToken({ name, pattern: { exec }, start_chars_hint: starts, line_breaks: true, ...options })
}

function take(text: string, offset: number, end: number): TokenMatch {
  return [text.slice(offset, end)]
}

// ---- text between tags ------------------------------------------------------------------------------------------------

/** The opening of a tag: its name (empty if it has none) and the offset after it. */
interface TagOpening {
  readonly name: string
  readonly end: number
}

/**
 * Returns a function that finds the tag that opens at an offset; null if there is none. It caches the last result, because several
 * tokens need it.
 */
function tagOpenings(): (text: string, offset: number) => TagOpening | null {
  let lastText = ''
  let lastOffset = -1
  let last: TagOpening | null = null
  return (text, offset) => {
    if (text.charCodeAt(offset + 1) !== 37 || text.charCodeAt(offset) !== 123) return null
    if (offset !== lastOffset || text !== lastText) {
      lastText = text
      lastOffset = offset
      TAG.lastIndex = offset
      last = { name: TAG.exec(text)?.[1] ?? '', end: TAG.lastIndex }
    }
    return last
  }
}

const tagAt = tagOpenings()

/** Returns the tokens of the mode for text, in the order in which they are tried. */
function textTokens({ raw }: TagVocabulary): TokenType[] {
  const rawTag: MatchToken = (text, offset) => {
    const tag = tagAt(text, offset)
    const body = tag === null ? undefined : raw.get(tag.name)
    const extent = tag === null || body === undefined ? null : rawExtent(text, offset, tag.name, body)
    return extent === null ? null : take(text, offset, extent.end)
  }
  const openRaw: MatchToken = (text, offset) => {
    const tag = tagAt(text, offset)
    return tag !== null && raw.has(tag.name) ? take(text, offset, text.length) : null
  }
  return [
    matchedToken('raw tag', ['{'], rawTag, { categories: [RawTag] }),
    matchedToken('open raw tag', ['{'], openRaw, { categories: [OpenRaw] }),
    matchedToken('inline comment', ['{'], matchInlineComment, { categories: [InlineComment] }),
    matchedToken('liquid open', ['{'], matchLiquidOpen, { push_mode: 'lines', group: Lexer.SKIPPED }),
    matchedToken('tag open', ['{'], matchTagOpen, { push_mode: modes('tag').markup, categories: [TagOpen] }),
    matchedToken('output open', ['{'], matchOutputOpen, {
      push_mode: modes('output').markup,
      categories: [OutputOpen],
    }),
    matchedToken('unterminated', ['{'], matchUnterminated, { categories: [Unterminated] }),
    matchedToken('text', everyCharacter(), matchText, { categories: [TextToken] }),
  ]
}

function matchText(text: string, offset: number): TokenMatch | null {
  for (let at = text.indexOf('{', offset); ; at = text.indexOf('{', at + 1)) {
    if (at < 0) return take(text, offset, text.length)
    const next = text.charCodeAt(at + 1)
    if (next === 123 || next === 37) return at === offset ? null : take(text, offset, at)
  }
}

function matchOutputOpen(text: string, offset: number): TokenMatch | null {
  if (text.charCodeAt(offset + 1) !== 123) return null
  const close = text.indexOf('}}', offset + 2)
  if (close < 0 || text.slice(offset + 2, close).includes('{%')) return null
  return take(text, offset, text.charCodeAt(offset + 2) === 45 ? offset + 3 : offset + 2)
}

function matchUnterminated(text: string, offset: number): TokenMatch | null {
  const next = text.charCodeAt(offset + 1)
  if (next !== 123 && next !== 37) return null
  const end = text.indexOf('\n', offset)
  return take(text, offset, end < 0 ? text.length : end)
}

function matchInlineComment(text: string, offset: number): TokenMatch | null {
  if (tagAt(text, offset)?.name !== '#') return null
  const close = text.indexOf('%}', offset)
  return close < 0 ? null : take(text, offset, close + 2)
}

function matchLiquidOpen(text: string, offset: number): TokenMatch | null {
  const tag = tagAt(text, offset)
  return tag?.name === 'liquid' && text.indexOf('%}', offset) >= 0 ? take(text, offset, tag.end) : null
}

function matchTagOpen(text: string, offset: number): TokenMatch | null {
  const tag = tagAt(text, offset)
  return tag !== null && text.indexOf('%}', offset) >= 0 ? take(text, offset, tag.end) : null
}

function tagClose(name: string): TokenType {
  return createToken({
    name,
    pattern: /-?%\}/,
    push_mode: 'text',
    categories: [TagCloseCategory],
    start_chars_hint: ['-', '%'],
  })
}

function outputClose(): TokenType {
  return createToken({
    name: 'output close',
    pattern: /-?\}\}/,
    push_mode: 'text',
    categories: [OutputCloseCategory],
    start_chars_hint: ['-', '}'],
  })
}

// ---- lines of a liquid tag --------------------------------------------------------------------------------------------

/** Returns the tokens of the mode for the beginning of a line in a `liquid` tag, in the order in which they are tried. */
function lineTokens({ raw }: TagVocabulary): TokenType[] {
  const rawLines: MatchToken = (text, offset) => {
    WORD.lastIndex = offset
    const name = WORD.exec(text)?.[0]
    if (name === undefined || raw.get(name) !== 'nesting') return null
    const block = text.indexOf('%}', offset)
    const extent = rawLinesExtent(text, WORD.lastIndex, block < 0 ? text.length : block, name)
    return extent === null ? null : take(text, offset, extent.end)
  }
  return [
    createToken({
      name: 'blank lines',
      pattern: /[ \t\r\n\f\v;]+/,
      group: Lexer.SKIPPED,
      line_breaks: true,
    }),
    matchedToken('comment line', ['#'], matchLine, { group: Lexer.SKIPPED }),
    createToken({
      name: 'liquid close',
      pattern: /-?%\}/,
      push_mode: 'text',
      group: Lexer.SKIPPED,
      start_chars_hint: ['-', '%'],
    }),
    matchedToken('nested liquid', ['l'], matchNestedLiquid, { group: Lexer.SKIPPED }),
    matchedToken('raw lines', letters(), rawLines, { categories: [RawTag] }),
    matchedToken('line open', letters(), matchLineOpen, { push_mode: modes('line').markup, categories: [TagOpen] }),
    matchedToken('bad line', everyCharacter(), matchBadLine, { categories: [BadLine] }),
  ]
}

function matchNestedLiquid(text: string, offset: number): TokenMatch | null {
  return /^liquid(?=[ \t\r\n]|-?%\})/.test(text.slice(offset, offset + 10)) ? take(text, offset, offset + 6) : null
}

function matchLineOpen(text: string, offset: number): TokenMatch | null {
  WORD.lastIndex = offset
  return WORD.test(text) ? take(text, offset, WORD.lastIndex) : null
}

function matchLine(text: string, offset: number): TokenMatch {
  return take(text, offset, statementEnd(text, offset))
}

function matchBadLine(text: string, offset: number): TokenMatch {
  return take(text, offset, Math.max(statementEnd(text, offset), offset + 1))
}

/**
 * Returns the tokens that end a statement, and those that are skipped in it. A line feed ends a statement. The `%}` of the tag ends the
 * last one without being consumed; it is then skipped at the beginning of the next line.
 */
function lineClosers(): { readonly closing: TokenType[]; readonly skipped: TokenType[] } {
  const lineEnd: MatchToken = (text, offset, tokensBefore) =>
    text.charCodeAt(offset) !== 10 || continues(text, offset, tokensBefore) ? null : take(text, offset, offset + 1)
  const lineJoin: MatchToken = (text, offset) =>
    text.charCodeAt(offset) === 10 ? take(text, offset, offset + 1) : null
  const semicolon: MatchToken = (text, offset) =>
    text.charCodeAt(offset) === 59 && /^;[ \t\r]*(?:\n|#|-?%\})/.test(text.slice(offset, offset + 200))
      ? take(text, offset, offset + 1)
      : null
  const blockEnd = tagClose('block end')
  return {
    closing: [
      blockEnd,
      matchedToken('line end', ['\n'], lineEnd, { push_mode: 'lines', categories: [TagCloseCategory] }),
    ],
    skipped: [
      matchedToken('statement end', [';'], semicolon, { group: Lexer.SKIPPED }),
      matchedToken('line join', ['\n'], lineJoin, { group: Lexer.SKIPPED }),
    ],
  }
}

const NEXT_LINE = /[ \t\r]*\n\s*([A-Za-z_]\w*)([ \t]*)(.?)/y
/** Statements that consist of one word. */
const SINGLE_WORD = /^(?:end\w+|else|return|break|continue)$/
/** Text after which a literal continues. */
const CONTINUES_AFTER = /[,:[{(]$/

/** Matches the line feed in an unclosed literal or lookup if the next line is another statement. */
function nextStatement({ types }: TagVocabulary): TokenType {
  const exec: MatchToken = (text, offset, tokensBefore) => {
    NEXT_LINE.lastIndex = offset
    const [, name = '', gap = '', sign = ''] = NEXT_LINE.exec(text) ?? []
    if (name === '' || !(types.has(name) || name.startsWith('end'))) return null
    const isStatement = /^[\r%]?$/.test(sign)
      ? SINGLE_WORD.test(name) && !CONTINUES_AFTER.test(tokensBefore.at(-1)?.image ?? '')
      : gap !== '' && /["'\w[{]/.test(sign)
    return isStatement ? take(text, offset, text.indexOf('\n', offset) + 1) : null
  }
  return matchedToken('next statement', [' ', '\t', '\r', '\n'], exec, {
    push_mode: 'lines',
    categories: [TagCloseCategory],
  })
}

/** Returns whether a comma continues in the next non-blank line, because that line begins with `word:`. */
function continues(text: string, offset: number, tokensBefore: IToken[]): boolean {
  if (tokensBefore.at(-1)?.tokenType !== Comma) return false
  return /^\s*[A-Za-z_][\w-]*\s*:/.test(text.slice(offset, offset + 400))
}

function letters(): string[] {
  return [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_']
}

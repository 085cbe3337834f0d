/** The lexer: one Chevrotain lexer per setting of string interpolation, and the retyping of tag openers by the registry. */
import { createToken, type IToken, Lexer, type TokenType } from 'chevrotain'
import { type RawBody, rawExtent, rawLinesExtent } from './raw.ts'
import {
  Comma,
  everyCharacter,
  type TokenFamily,
  familyTokens,
  interpolationClosers,
  matched,
  modes,
  OutputClose as OutputCloseCategory,
  TagClose as TagCloseCategory,
} from './tokens.ts'

/** Any tag opener before the registry gives it its own type: `{%- for` or, in a liquid tag, `for`. */
export const TagOpen = createToken({ name: 'TagOpen', pattern: Lexer.NA })
/** `endif` and its kin; also an `end…` of no known block. */
export const EndOpen = createToken({ name: 'EndOpen', pattern: Lexer.NA })
export const UnknownOpen = createToken({ name: 'UnknownOpen', pattern: Lexer.NA })
export const InlineComment = createToken({ name: 'InlineComment', pattern: Lexer.NA })
export const RawTag = createToken({ name: 'RawTag', pattern: Lexer.NA })
/** A raw tag that never ends. */
export const OpenRaw = createToken({ name: 'OpenRaw', pattern: Lexer.NA })
export const TextToken = createToken({ name: 'Text', pattern: Lexer.NA })
export const OutputOpen = createToken({ name: 'OutputOpen', pattern: Lexer.NA })
/** `{{` or `{%` without its closing delimiter. */
export const Unterminated = createToken({ name: 'Unterminated', pattern: Lexer.NA })
/** A line of a liquid tag that begins with no word. */
export const BadLine = createToken({ name: 'BadLine', pattern: Lexer.NA })

/** What the lexer must know of the registry of tags. */
export interface TagVocabulary {
  /** Token type by the name as written, also of `else` and its kin; aliases share their tag's. */
  readonly types: ReadonlyMap<string, TokenType>
  readonly raw: ReadonlyMap<string, RawBody>
}

export interface LexResult {
  readonly tokens: readonly IToken[]
}

const TAG = /\{%-?[ \t\r\n\f\v]*([A-Za-z_][A-Za-z0-9_]*|#)?/y
const WORD = /[A-Za-z_][A-Za-z0-9_]*/y

/** Makes the `tokenize` of a vocabulary. Building costs some 30 ms, so the two lexers are made on first use. */
export function lexerOf(vocabulary: TagVocabulary): {
  tokenize(text: string, interpolation: boolean): LexResult
  /** Every token that can come out, for the parser's tables. */
  readonly types: readonly TokenType[]
  /** Looks through the tokens for mistakes of ours. @throws Error that names them */
  check(): void
} {
  const definitions = [definitionOf(vocabulary, false), definitionOf(vocabulary, true)] as const
  const lexers: (Lexer | undefined)[] = []
  return {
    types: [...new Set(definitions.flatMap((definition) => Object.values(definition).flat()))],
    tokenize(text, interpolation) {
      const which = interpolation ? 1 : 0
      const lexer = (lexers[which] ??= made(definitions[which], false))
      const { tokens } = lexer.tokenize(text)
      for (const token of tokens) if (token.tokenType.CATEGORIES?.includes(TagOpen)) retype(token, vocabulary)
      return { tokens }
    },
    check() {
      for (const definition of definitions) made(definition, true)
    },
  }
}

function made(definition: Record<string, TokenType[]>, checked: boolean): Lexer {
  return new Lexer(
    { modes: definition, defaultMode: 'text' },
    { positionTracking: 'onlyOffset', ensureOptimizations: true, skipValidations: !checked },
  )
}

/** The name of a tag in an opener's text. */
export function openedName(image: string): string {
  return /([A-Za-z_][A-Za-z0-9_]*|#)?$/.exec(image)?.[1] ?? ''
}

function retype(token: IToken, vocabulary: TagVocabulary): void {
  const name = openedName(token.image)
  const type = vocabulary.types.get(name) ?? (name.startsWith('end') ? EndOpen : UnknownOpen)
  token.tokenType = type
  token.tokenTypeIdx = type.tokenTypeIdx as number
}

function definitionOf(vocabulary: TagVocabulary, interpolation: boolean): Record<string, TokenType[]> {
  const custom = (
    name: string,
    exec: (text: string, offset: number, before: IToken[]) => RegExpExecArray | null,
    hint: string[],
    extra: { push_mode?: string; group?: string; categories?: TokenType[] } = {},
  ) => createToken({ name, pattern: { exec }, start_chars_hint: hint, line_breaks: true, ...extra })

  const take = (text: string, offset: number, end: number) => matched(text.slice(offset, end), offset, text)
  const tagAt = (text: string, offset: number): string | null => {
    TAG.lastIndex = offset
    return text.charCodeAt(offset) === 123 && text.charCodeAt(offset + 1) === 37 ? (TAG.exec(text)?.[1] ?? '') : null
  }

  const textToken = createToken({
    name: 'text',
    pattern: {
      exec(text: string, offset: number) {
        for (let at = text.indexOf('{', offset); ; at = text.indexOf('{', at + 1)) {
          if (at < 0) return take(text, offset, text.length)
          const next = text.charCodeAt(at + 1)
          if (next === 123 || next === 37) return at === offset ? null : take(text, offset, at)
        }
      },
    },
    start_chars_hint: everyCharacter(),
    line_breaks: true,
    categories: [TextToken],
  })
  const outputOpen = custom(
    'output open',
    (text, offset) => {
      if (text.charCodeAt(offset + 1) !== 123) return null
      const close = text.indexOf('}}', offset + 2)
      if (close < 0 || text.slice(offset + 2, close).includes('{%')) return null
      return take(text, offset, text.charCodeAt(offset + 2) === 45 ? offset + 3 : offset + 2)
    },
    ['{'],
    { push_mode: modes('output').markup, categories: [OutputOpen] },
  )
  const unterminated = custom(
    'unterminated',
    (text, offset) => {
      const next = text.charCodeAt(offset + 1)
      if (next !== 123 && next !== 37) return null
      const end = text.indexOf('\n', offset)
      return take(text, offset, end < 0 ? text.length : end)
    },
    ['{'],
    { categories: [Unterminated] },
  )
  const rawTag = custom(
    'raw tag',
    (text, offset) => {
      const name = tagAt(text, offset)
      const body = name === null ? undefined : vocabulary.raw.get(name)
      if (body === undefined || name === null) return null
      const extent = rawExtent(text, offset, name, body)
      return extent === null ? null : take(text, offset, extent.end)
    },
    ['{'],
    { categories: [RawTag] },
  )
  const openRaw = custom(
    'open raw tag',
    (text, offset) => {
      const name = tagAt(text, offset)
      return name !== null && vocabulary.raw.has(name) ? take(text, offset, text.length) : null
    },
    ['{'],
    { categories: [OpenRaw] },
  )
  const inlineComment = custom(
    'inline comment',
    (text, offset) => {
      if (tagAt(text, offset) !== '#') return null
      const close = text.indexOf('%}', offset)
      return close < 0 ? null : take(text, offset, close + 2)
    },
    ['{'],
    { categories: [InlineComment] },
  )
  const liquidOpen = custom(
    'liquid open',
    (text, offset) => {
      if (tagAt(text, offset) !== 'liquid' || text.indexOf('%}', offset) < 0) return null
      return take(text, offset, TAG.lastIndex)
    },
    ['{'],
    { push_mode: 'lines', group: Lexer.SKIPPED },
  )
  const tagOpen = custom(
    'tag open',
    (text, offset) => {
      if (tagAt(text, offset) === null || text.indexOf('%}', offset) < 0) return null
      return take(text, offset, TAG.lastIndex)
    },
    ['{'],
    { push_mode: modes('tag').markup, categories: [TagOpen] },
  )

  const tagClose = createToken({
    name: 'tag close',
    pattern: /-?%\}/,
    push_mode: 'text',
    categories: [TagCloseCategory],
    start_chars_hint: ['-', '%'],
  })
  const outputClose = createToken({
    name: 'output close',
    pattern: /-?\}\}/,
    push_mode: 'text',
    categories: [OutputCloseCategory],
    start_chars_hint: ['-', '}'],
  })

  // In the lines of a liquid tag a line feed closes a statement. The `%}` of the block closes the last one without being
  // read itself: it is seen again, and skipped, where lines begin.
  const lineEnd = custom(
    'line end',
    (text, offset, before) => {
      if (text.charCodeAt(offset) !== 10 || continues(text, offset, before)) return null
      return take(text, offset, offset + 1)
    },
    ['\n'],
    { push_mode: 'lines', categories: [TagCloseCategory] },
  )
  const lineJoin = custom(
    'line join',
    (text, offset) => (text.charCodeAt(offset) === 10 ? take(text, offset, offset + 1) : null),
    ['\n'],
    {
      group: Lexer.SKIPPED,
    },
  )
  const statementEnd = custom(
    'statement end',
    (text, offset) =>
      text.charCodeAt(offset) === 59 && /^;[ \t\r]*(?:\n|#|-?%\})/.test(text.slice(offset, offset + 200))
        ? take(text, offset, offset + 1)
        : null,
    [';'],
    { group: Lexer.SKIPPED },
  )
  const blockEnd = createToken({
    name: 'block end',
    pattern: /-?%\}/,
    push_mode: 'text',
    categories: [TagCloseCategory],
    start_chars_hint: ['-', '%'],
  })

  const lineOpen = custom(
    'line open',
    (text, offset) => {
      WORD.lastIndex = offset
      return WORD.test(text) ? take(text, offset, WORD.lastIndex) : null
    },
    letters(),
    { push_mode: modes('line').markup, categories: [TagOpen] },
  )
  const lineRaw = custom(
    'raw lines',
    (text, offset) => {
      WORD.lastIndex = offset
      const name = WORD.exec(text)?.[0]
      if (name === undefined || vocabulary.raw.get(name) !== 'nesting') return null
      const block = text.indexOf('%}', offset)
      const extent = rawLinesExtent(text, WORD.lastIndex, block < 0 ? text.length : block, name)
      return extent === null ? null : take(text, offset, extent.end)
    },
    letters(),
    { categories: [RawTag] },
  )
  const nestedLiquid = custom(
    'nested liquid',
    (text, offset) =>
      /^liquid(?=[ \t\r\n]|-?%\})/.test(text.slice(offset, offset + 10)) ? take(text, offset, offset + 6) : null,
    ['l'],
    { group: Lexer.SKIPPED },
  )
  const lineComment = custom(
    'comment line',
    (text, offset) => {
      const end = text.indexOf('\n', offset)
      const block = text.indexOf('%}', offset)
      let stop = end < 0 ? text.length : end
      if (block >= 0 && block < stop) stop = text.charCodeAt(block - 1) === 45 ? block - 1 : block
      return take(text, offset, stop)
    },
    ['#'],
    { group: Lexer.SKIPPED },
  )
  const lineBlank = createToken({
    name: 'blank lines',
    pattern: /[ \t\r\n\f\v;]+/,
    group: Lexer.SKIPPED,
    line_breaks: true,
  })
  const blockClose = createToken({
    name: 'liquid close',
    pattern: /-?%\}/,
    push_mode: 'text',
    group: Lexer.SKIPPED,
    start_chars_hint: ['-', '%'],
  })
  const badLine = createToken({
    name: 'bad line',
    pattern: {
      exec(text: string, offset: number) {
        const end = text.indexOf('\n', offset)
        const block = text.indexOf('%}', offset)
        let stop = end < 0 ? text.length : end
        if (block >= 0 && block < stop)
          stop = Math.max(offset + 1, text.charCodeAt(block - 1) === 45 ? block - 1 : block)
        return take(text, offset, Math.max(stop, offset + 1))
      },
    },
    start_chars_hint: everyCharacter(),
    line_breaks: true,
    categories: [BadLine],
  })

  const families: Record<TokenFamily, ReturnType<typeof familyTokens>> = {
    tag: familyTokens('tag', interpolation, [tagClose]),
    output: familyTokens('output', interpolation, [outputClose]),
    line: familyTokens('line', interpolation, [blockEnd, lineEnd]),
    interpolation: familyTokens('interpolation', interpolation, [...interpolationClosers(), tagClose]),
  }
  const definition: Record<string, TokenType[]> = {
    text: [rawTag, openRaw, inlineComment, liquidOpen, tagOpen, outputOpen, unterminated, textToken],
    lines: [lineBlank, lineComment, blockClose, nestedLiquid, lineRaw, lineOpen, badLine],
  }
  for (const family of Object.keys(families) as TokenFamily[]) {
    const at = modes(family)
    const extra = family === 'line' ? [statementEnd, lineJoin] : []
    definition[at.markup] = [...families[family].markup.slice(0, -2), ...extra, ...families[family].markup.slice(-2)]
    definition[at.json] = families[family].json
    definition[at.index] = families[family].index
  }
  return definition
}

/** A comma goes on in the next line that is not blank when that line begins with `word:`. */
function continues(text: string, offset: number, before: IToken[]): boolean {
  if (before.at(-1)?.tokenType !== Comma) return false
  return /^\s*[A-Za-z_][\w-]*\s*:/.test(text.slice(offset, offset + 400))
}

function letters(): string[] {
  return [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_']
}

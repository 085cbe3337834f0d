/**
 * Formats GraphQL by its tokens, because its syntax tree has no comments. Line breaks stay. Only indentation and the white space
 * between tokens of a line change.
 */
import { GraphQLError, Lexer, parse, Source, type Token, TokenKind } from 'graphql'
import { type Edit, Edits, editsAt, type Formatting, lineEndIn, unreadableAt } from './edit.ts'

/** The kind of bracket that encloses a token: arguments, a list, an input object, or a selection set. */
type Bracket = 'arguments' | 'list' | 'object' | 'selection'

interface OpenBracket {
  readonly kind: Bracket
  /** The indentation of the line that contains the opening bracket. */
  readonly indent: string
}

const OPENING: ReadonlySet<TokenKind> = new Set([TokenKind.PAREN_L, TokenKind.BRACKET_L, TokenKind.BRACE_L])
const CLOSING: ReadonlySet<TokenKind> = new Set([TokenKind.PAREN_R, TokenKind.BRACKET_R, TokenKind.BRACE_R])
/** Tokens that may end a value, and tokens that may begin one. */
const ENDS_VALUE: ReadonlySet<TokenKind> = new Set([
  TokenKind.NAME,
  TokenKind.INT,
  TokenKind.FLOAT,
  TokenKind.STRING,
  TokenKind.BLOCK_STRING,
  TokenKind.BRACE_R,
  TokenKind.BRACKET_R,
  TokenKind.BANG,
])

/** Returns the edits of a document. */
export function formatGraphql(text: string): Formatting {
  try {
    parse(text, { noLocation: true })
  } catch (error) {
    if (error instanceof GraphQLError) return unreadableAt(error.positions?.[0] ?? 0, error.message)
    if (error instanceof RangeError) return unreadableAt(0, 'It is nested too deep.')
    throw error
  }
  return editsAt(0, new GraphqlLayout(text).edits())
}

/** Returns all tokens and comments, up to the end of the text. */
function tokensOf(text: string): readonly Token[] {
  const lexer = new Lexer(new Source(text))
  while (lexer.token.kind !== TokenKind.EOF) lexer.advance()
  const tokens: Token[] = []
  for (let token: Token | null = lexer.token; token !== null; token = token.prev) tokens.push(token)
  return tokens.reverse()
}

class GraphqlLayout {
  readonly #text: string
  readonly #edits: Edits
  readonly #eol: string
  readonly #open: OpenBracket[] = []
  #indent = ''
  /** Indentation of the line that opened the most recently closed bracket. */
  #closed = ''

  constructor(text: string) {
    this.#text = text
    this.#edits = new Edits(text)
    this.#eol = lineEndIn(text) ?? '\n'
  }

  edits(): readonly Edit[] {
    const tokens = tokensOf(this.#text)
    for (const [at, token] of tokens.entries()) {
      const tokenBefore = tokens[at - 1]
      if (tokenBefore === undefined) continue
      if (tokenBefore.kind !== TokenKind.SOF) this.#opened(tokenBefore, tokens[at - 2])
      this.#edits.replace(tokenBefore.end, token.start, this.#between(tokenBefore, token, tokens, at))
      if (CLOSING.has(token.kind)) this.#closed = this.#open.pop()?.indent ?? ''
    }
    return this.#edits.edits
  }

  #opened(token: Token, tokenBefore: Token | undefined): void {
    if (!OPENING.has(token.kind)) return
    // A selection set is indented relative to its field, not to the last line of the arguments.
    const isBehind = token.kind === TokenKind.BRACE_L && tokenBefore?.kind === TokenKind.PAREN_R
    this.#open.push({ kind: this.#bracketOf(token, tokenBefore), indent: isBehind ? this.#closed : this.#indent })
  }

  #bracketOf({ kind }: Token, tokenBefore: Token | undefined): Bracket {
    if (kind === TokenKind.PAREN_L) return 'arguments'
    if (kind === TokenKind.BRACKET_L) return 'list'
    const enclosing = this.#open.at(-1)?.kind
    const isValue = enclosing !== undefined && enclosing !== 'selection'
    // After `:` or `=`, a brace begins a value even outside of brackets: `= { a: 1 }`.
    return isValue || tokenBefore?.kind === TokenKind.COLON || tokenBefore?.kind === TokenKind.EQUALS
      ? 'object'
      : 'selection'
  }

  #between(tokenBefore: Token, token: Token, tokens: readonly Token[], at: number): string {
    const gap = this.#text.slice(tokenBefore.end, token.start)
    const lines = gap.split('\n').length - 1
    if (tokenBefore.kind === TokenKind.SOF) return gap.startsWith('\ufeff') ? '\ufeff' : ''
    if (token.kind === TokenKind.EOF) return lines === 0 ? '' : this.#eol
    if (lines === 0 && tokenBefore.kind !== TokenKind.COMMENT) return this.#inLine(tokenBefore, token, tokens, at)
    const enclosing = this.#open.at(-1)
    const isClosed = CLOSING.has(token.kind)
    this.#indent = enclosing === undefined ? '' : isClosed ? enclosing.indent : `${enclosing.indent}  `
    const isBlank = lines > 1 && !isClosed && !OPENING.has(tokenBefore.kind)
    return `${this.#eol.repeat(isBlank ? 2 : 1)}${this.#indent}`
  }

  #inLine(tokenBefore: Token, token: Token, tokens: readonly Token[], at: number): string {
    const enclosing = this.#open.at(-1)?.kind
    switch (token.kind) {
      case TokenKind.COLON:
      case TokenKind.BANG:
      case TokenKind.PAREN_R:
      case TokenKind.BRACKET_R:
      case TokenKind.PAREN_L:
        return ''
      case TokenKind.BRACE_R:
        return tokenBefore.kind === TokenKind.BRACE_L ? '' : ' '
    }
    switch (tokenBefore.kind) {
      case TokenKind.PAREN_L:
      case TokenKind.BRACKET_L:
      case TokenKind.DOLLAR:
      case TokenKind.AT:
        return ''
      case TokenKind.BRACE_L:
        return ' '
      case TokenKind.SPREAD:
        return token.kind === TokenKind.NAME && token.value !== 'on' ? '' : ' '
    }
    const isItem =
      enclosing !== undefined && enclosing !== 'selection' && beginsItem(enclosing, tokenBefore, tokens, at)
    return isItem && token.kind !== TokenKind.COMMENT ? ', ' : ' '
  }
}

/** Returns true if a token begins another argument, input field or list item. */
function beginsItem(enclosing: Bracket, tokenBefore: Token, tokens: readonly Token[], at: number): boolean {
  if (!ENDS_VALUE.has(tokenBefore.kind) && tokenBefore.kind !== TokenKind.PAREN_R) return false
  const named = (from: number): boolean =>
    tokens[from]?.kind === TokenKind.NAME && tokens[from + 1]?.kind === TokenKind.COLON
  if (enclosing !== 'list') return named(at) || (tokens[at]?.kind === TokenKind.DOLLAR && named(at + 1))
  return true
}

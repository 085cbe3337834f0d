/** Tokenizes a file with its unsaved text. Works for text that does not parse, and before the site is analysed. */
import type { IToken } from 'chevrotain'
import { Lexer, Source, type Token, TokenKind } from 'graphql'
import { Report } from '../../../core/diagnostics/diagnostic.ts'
import { Memory } from '../../../core/model/memo.ts'
import { parseConfig } from '../../../phases/parse/parse.ts'
import { parseItems } from '../../../phases/parse/parser.ts'
import { cutFrontMatter } from '../../../core/source/front-matter.ts'
import type { Workspace } from '../workspace.ts'

/** Returns the text of a file as its author sees it. */
export function currentText(workspace: Workspace, path: string): string | null {
  return workspace.unsaved(path) ?? workspace.writtenText(path) ?? null
}

/** Returns the parse options for templates of the site. */
export function parseOptionsFor(workspace: Workspace): {
  readonly dialect: 'platform'
  readonly syntax: 'lax'
  readonly interpolation: boolean
} {
  const { stringInterpolation } = parseConfig(workspace.files(), new Report(), new Memory(1))
  return { dialect: 'platform', syntax: 'lax', interpolation: stringInterpolation }
}

export interface TemplateTokens {
  readonly text: string
  /** The offset where the template begins, after its front matter. */
  readonly bodyStart: number
  /** Token offsets are relative to `bodyStart`. */
  readonly tokens: readonly IToken[]
}

/** Returns the tokens of a template; null for other files. */
export function templateTokens(workspace: Workspace, path: string): TemplateTokens | null {
  const text = path.endsWith('.liquid') ? currentText(workspace, path) : null
  if (text === null) return null
  const { bodyStart, unclosed } = cutFrontMatter(text)
  if (unclosed) return { text, bodyStart: text.length, tokens: [] }
  const { tokens } = parseItems(text.slice(bodyStart), { file: path, base: bodyStart, ...parseOptionsFor(workspace) })
  return { text, bodyStart, tokens }
}

/** Returns the tokens and comments of a query, up to the first invalid token. */
export function queryTokens(text: string): readonly Token[] {
  const lexer = new Lexer(new Source(text))
  const tokens: Token[] = []
  try {
    while (lexer.token.kind !== TokenKind.EOF) {
      const from = lexer.token
      lexer.advance()
      // The lexer skips comments, but the token list contains them.
      for (let token = from.next; token !== null; token = token.next)
        if (token.kind !== TokenKind.EOF && token.start > (tokens.at(-1)?.start ?? -1)) tokens.push(token)
    }
  } catch {
    // The word being typed is often not a valid token yet. The tokens before it are still useful.
    return tokens
  }
  return tokens
}

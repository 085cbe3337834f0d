/** The tokens of a file as it is being written: they are there whether it can be read or not, and before anything is known of its site. */
import type { IToken } from 'chevrotain'
import { Lexer, Source, type Token, TokenKind } from 'graphql'
import { Report } from '../../../core/diagnostics/diagnostic.ts'
import { NO_MEMO } from '../../../core/model/memo.ts'
import { parseConfig } from '../../../phases/parse/parse.ts'
import { readTemplate } from '../../../phases/parse/parser.ts'
import { cutFrontMatter } from '../../../core/source/front-matter.ts'
import type { Workspace } from '../workspace.ts'

/** The text of a file as its author sees it. */
export function textOf(workspace: Workspace, path: string): string | null {
  const file = workspace.file(path)
  return workspace.unsaved(path) ?? file?.written?.text ?? file?.text ?? null
}

/** How the templates of the site are read. */
export function readingOf(workspace: Workspace): {
  readonly dialect: 'platform'
  readonly syntax: 'lax'
  readonly interpolation: boolean
} {
  const { stringInterpolation } = parseConfig(workspace.files(), new Report(), NO_MEMO)
  return { dialect: 'platform', syntax: 'lax', interpolation: stringInterpolation }
}

export interface TemplateTokens {
  readonly text: string
  /** Where the template begins, behind its front matter. */
  readonly bodyStart: number
  /** Their places count from there. */
  readonly tokens: readonly IToken[]
}

/** The tokens of a template; null for a file that is none. */
export function templateTokens(workspace: Workspace, path: string): TemplateTokens | null {
  const text = path.endsWith('.liquid') ? textOf(workspace, path) : null
  if (text === null) return null
  const { bodyStart, unclosed } = cutFrontMatter(text)
  if (unclosed) return { text, bodyStart: text.length, tokens: [] }
  const { tokens } = readTemplate(text.slice(bodyStart), { file: path, base: bodyStart, ...readingOf(workspace) })
  return { text, bodyStart, tokens }
}

/** The tokens of a query with its comments, up to what is none. */
export function queryTokens(text: string): readonly Token[] {
  const lexer = new Lexer(new Source(text))
  const tokens: Token[] = []
  try {
    while (lexer.token.kind !== TokenKind.EOF) {
      const from = lexer.token
      lexer.advance()
      // Comments are passed over, and stand between.
      for (let token = from.next; token !== null; token = token.next)
        if (token.kind !== TokenKind.EOF && token.start > (tokens.at(-1)?.start ?? -1)) tokens.push(token)
    }
  } catch {
    // What is being written is often no token yet; those before it are.
    return tokens
  }
  return tokens
}

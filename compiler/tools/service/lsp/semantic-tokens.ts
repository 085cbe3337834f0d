/** Semantic tokens of a whole file, of a range, and as a delta. */
import {
  type CancellationToken,
  type Connection,
  type Range,
  SemanticTokensBuilder,
  type ServerCapabilities,
} from 'vscode-languageserver/node'
import { WORD_KINDS, type Word, classifyWords } from '../answers/semantic-words.ts'
import type { SitePlace, Sites } from './sites.ts'
import { requireWanted } from './position-requests.ts'

const DECLARATION = 1
const NO_TOKENS = { data: [] }
/** Maximum number of files whose tokens are kept to compute deltas. */
const MAX_KEPT = 64

export function semanticTokens(connection: Connection, sites: Sites): ServerCapabilities {
  /** The last result for each file, from which the next delta is computed. */
  const builders = new Map<string, SemanticTokensBuilder>()
  /** Fills a builder with the words of a file, or of a range of it; null for a file outside of all sites. */
  const fill = async (
    uri: string,
    token: CancellationToken,
    makeBuilder: () => SemanticTokensBuilder,
    range: Range | null = null,
  ): Promise<SemanticTokensBuilder | null> => {
    const before = sites.at(uri)
    if (before?.workspace.disk === null) await before.workspace.settled()
    const place = before === null ? null : sites.at(uri)
    requireWanted(token)
    if (place === null) return null
    const words = classifyWords(place.workspace, place.path)
    const builder = makeBuilder()
    if (range === null) push(builder, place, words)
    else {
      const [from, to] = [place.lines.offset(range.start), place.lines.offset(range.end)]
      push(
        builder,
        place,
        words.filter(({ start, end }) => end > from && start < to),
      )
    }
    return builder
  }
  const storeBuilder = (uri: string, builder: SemanticTokensBuilder): SemanticTokensBuilder => {
    builders.delete(uri)
    builders.set(uri, builder)
    for (const oldest of builders.keys()) if (builders.size > MAX_KEPT) builders.delete(oldest)
    return builder
  }
  connection.languages.semanticTokens.on(async ({ textDocument: { uri } }, token) => {
    const builder = await fill(uri, token, () => storeBuilder(uri, new SemanticTokensBuilder()))
    return builder?.build() ?? NO_TOKENS
  })
  connection.languages.semanticTokens.onDelta(async ({ textDocument: { uri }, previousResultId }, token) => {
    const builder = await fill(uri, token, () => {
      const known = storeBuilder(uri, builders.get(uri) ?? new SemanticTokensBuilder())
      known.previousResult(previousResultId)
      return known
    })
    return builder?.buildEdits() ?? NO_TOKENS
  })
  connection.languages.semanticTokens.onRange(async ({ textDocument: { uri }, range }, token) => {
    const builder = await fill(uri, token, () => new SemanticTokensBuilder(), range)
    return builder?.build() ?? NO_TOKENS
  })
  return {
    semanticTokensProvider: {
      legend: { tokenTypes: [...WORD_KINDS], tokenModifiers: ['declaration'] },
      full: { delta: true },
      range: true,
    },
  }
}

function push(builder: SemanticTokensBuilder, { lines }: SitePlace, readWords: readonly Word[]): void {
  for (const { start, end, kind, declares } of readWords) {
    const { line, character } = lines.position(start)
    builder.push(line, character, end - start, WORD_KINDS.indexOf(kind), declares ? DECLARATION : 0)
  }
}

/** Semantic tokens of a whole file, of a range, and as a delta. */
import { type Connection, SemanticTokensBuilder, type ServerCapabilities } from 'vscode-languageserver/node'
import { WORD_KINDS, type Word, classifyWords } from '../answers/semantic-words.ts'
import type { SitePlace, Sites } from './sites.ts'

const DECLARATION = 1
/** Maximum number of files whose tokens are kept to compute deltas. */
const MOST_KEPT = 64

export function semanticTokens(connection: Connection, sites: Sites): ServerCapabilities {
  /** The last result for each file, from which the next delta is computed. */
  const told = new Map<string, SemanticTokensBuilder>()
  const words = async (uri: string): Promise<{ readonly place: SitePlace; readonly all: readonly Word[] } | null> => {
    const before = sites.at(uri)
    if (before === null) return null
    if (before.workspace.disk === null) await before.workspace.settled()
    const place = sites.at(uri)
    return place === null ? null : { place, all: classifyWords(place.workspace, place.path) }
  }
  const keep = (uri: string, builder: SemanticTokensBuilder): void => {
    told.delete(uri)
    told.set(uri, builder)
    for (const oldest of told.keys()) if (told.size > MOST_KEPT) told.delete(oldest)
  }
  connection.languages.semanticTokens.on(async ({ textDocument: { uri } }, token) => {
    const found = await words(uri)
    if (found === null || token.isCancellationRequested) return { data: [] }
    const builder = new SemanticTokensBuilder()
    keep(uri, builder)
    push(builder, found.place, found.all)
    return builder.build()
  })
  connection.languages.semanticTokens.onDelta(async ({ textDocument: { uri }, previousResultId }, token) => {
    const found = await words(uri)
    if (found === null || token.isCancellationRequested) return { data: [] }
    const builder = told.get(uri) ?? new SemanticTokensBuilder()
    keep(uri, builder)
    builder.previousResult(previousResultId)
    push(builder, found.place, found.all)
    return builder.buildEdits()
  })
  connection.languages.semanticTokens.onRange(async ({ textDocument: { uri }, range }, token) => {
    const found = await words(uri)
    if (found === null || token.isCancellationRequested) return { data: [] }
    const { place, all } = found
    const [from, to] = [place.lines.offset(range.start), place.lines.offset(range.end)]
    const builder = new SemanticTokensBuilder()
    push(
      builder,
      place,
      all.filter(({ start, end }) => end > from && start < to),
    )
    return builder.build()
  })
  return {
    semanticTokensProvider: {
      legend: { tokenTypes: [...WORD_KINDS], tokenModifiers: ['declaration'] },
      full: { delta: true },
      range: true,
    },
  }
}

function push(builder: SemanticTokensBuilder, { lines }: SitePlace, words: readonly Word[]): void {
  for (const { start, end, kind, declares } of words) {
    const { line, character } = lines.position(start)
    builder.push(line, character, end - start, WORD_KINDS.indexOf(kind), declares ? DECLARATION : 0)
  }
}

/** Semantic tokens of a whole file, of a range, and as a delta. */
import { type Connection, SemanticTokensBuilder, type ServerCapabilities } from 'vscode-languageserver/node'
import { WORD_KINDS, type Word, classifyWords } from '../answers/semantic-words.ts'
import type { SitePlace, Sites } from './sites.ts'
import { requireWanted } from './position-requests.ts'

const DECLARATION = 1
/** Maximum number of files whose tokens are kept to compute deltas. */
const MAX_KEPT = 64

export function semanticTokens(connection: Connection, sites: Sites): ServerCapabilities {
  /** The last result for each file, from which the next delta is computed. */
  const builders = new Map<string, SemanticTokensBuilder>()
  const readWords = async (
    uri: string,
  ): Promise<{ readonly place: SitePlace; readonly words: readonly Word[] } | null> => {
    const before = sites.at(uri)
    if (before === null) return null
    if (before.workspace.disk === null) await before.workspace.settled()
    const place = sites.at(uri)
    return place === null ? null : { place, words: classifyWords(place.workspace, place.path) }
  }
  const storeBuilder = (uri: string, builder: SemanticTokensBuilder): void => {
    builders.delete(uri)
    builders.set(uri, builder)
    for (const oldest of builders.keys()) if (builders.size > MAX_KEPT) builders.delete(oldest)
  }
  connection.languages.semanticTokens.on(async ({ textDocument: { uri } }, token) => {
    const found = await readWords(uri)
    requireWanted(token)
    if (found === null) return { data: [] }
    const builder = new SemanticTokensBuilder()
    storeBuilder(uri, builder)
    push(builder, found.place, found.words)
    return builder.build()
  })
  connection.languages.semanticTokens.onDelta(async ({ textDocument: { uri }, previousResultId }, token) => {
    const found = await readWords(uri)
    requireWanted(token)
    if (found === null) return { data: [] }
    const builder = builders.get(uri) ?? new SemanticTokensBuilder()
    storeBuilder(uri, builder)
    builder.previousResult(previousResultId)
    push(builder, found.place, found.words)
    return builder.buildEdits()
  })
  connection.languages.semanticTokens.onRange(async ({ textDocument: { uri }, range }, token) => {
    const found = await readWords(uri)
    requireWanted(token)
    if (found === null) return { data: [] }
    const { place, words } = found
    const [from, to] = [place.lines.offset(range.start), place.lines.offset(range.end)]
    const builder = new SemanticTokensBuilder()
    push(
      builder,
      place,
      words.filter(({ start, end }) => end > from && start < to),
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

function push(builder: SemanticTokensBuilder, { lines }: SitePlace, readWords: readonly Word[]): void {
  for (const { start, end, kind, declares } of readWords) {
    const { line, character } = lines.position(start)
    builder.push(line, character, end - start, WORD_KINDS.indexOf(kind), declares ? DECLARATION : 0)
  }
}

/** Resolves names to files. */
import type { Site } from '../../../core/model/site.ts'
import type { Span } from '../../../core/source/span.ts'
import type { Workspace } from '../workspace.ts'
import { collectMentions } from './mentions.ts'
import type { NamedSymbol } from './symbols.ts'

/** Returns the path of the named file; null for names that are not files. */
export function resolveFile(site: Site, symbol: NamedSymbol): string | null {
  switch (symbol.kind) {
    case 'partial':
      return site.partials.get(symbol.name)?.file.path ?? null
    case 'query':
      return site.graphql.get(symbol.name)?.file.path ?? null
    case 'form':
      return site.forms.get(symbol.name)?.file.path ?? null
    case 'asset':
      return site.assets.get(symbol.name) ?? null
    default:
      return null
  }
}

/** Returns the names of other files in a template, each with its file. */
export function findMentionedFiles(
  workspace: Workspace,
  path: string,
): readonly { readonly span: Span; readonly file: string }[] {
  const reading = workspace.analyzeFile(path)
  if (reading === null) return []
  return collectMentions(reading.unit).flatMap(({ mentions }) =>
    mentions.flatMap(({ kind, name, span }) => {
      if (kind !== 'partial' && kind !== 'query' && kind !== 'form' && kind !== 'asset') return []
      const file = resolveFile(reading.site, { kind, name })
      return file === null ? [] : [{ span, file }]
    }),
  )
}

/** What is told above a file: who calls a partial, what a query does and to which rows, where a page is reached. */
import { formatCount } from '../../../core/diagnostics/words.ts'
import type { PageSettings } from '../../../core/model/settings.ts'
import type { Operation } from '../../../core/model/operation.ts'
import { isOfKind, type Unit } from '../../../core/model/unit.ts'
import type { Span } from '../../../core/source/span.ts'
import type { Known } from '../workspace.ts'
import { callsTo } from './call-tree.ts'
import { statementWords } from './hover.ts'
import { placesOf } from './symbols.ts'

export interface Lens {
  readonly offset: number
  readonly title: string
  /** What it leads to; null for words alone. */
  readonly places: readonly Span[] | null
}

/** The lenses of a file as it was when all of the site was looked at. */
export function lensesOf(known: Known, unit: Unit): readonly Lens[] {
  const { site, operations } = known.analysis
  if (isOfKind(unit, 'page')) return ofPage(unit)
  if (unit.file.kind === 'graphql') {
    const name = [...site.graphql].find(([, each]) => each.file.path === unit.file.path)?.[0]
    const operation = name === undefined ? undefined : operations.stored.get(name)
    return name === undefined || operation === undefined ? [] : ofQuery(known, name, operation)
  }
  if (![...site.partials.values()].includes(unit)) return []
  const calls = callsTo(site, unit)
  const places = calls.flatMap(({ spans }) => spans)
  const files = calls.length === places.length ? '' : ` in ${formatCount(calls.length, 'file')}`
  return [{ offset: 0, title: `${formatCount(places.length, 'call')}${files}`, places }]
}

function ofPage({ file, settings }: Unit<PageSettings>): readonly Lens[] {
  const { route, method, slugSpan } = settings
  const slugs = route.alsoAt === null ? [route.slug] : [route.slug, route.alsoAt]
  const offset = slugSpan.file === file.path ? slugSpan.start : 0
  return slugs.map((slug) => ({
    offset,
    title: `${method.toUpperCase()} ${slug === '/' ? '/' : `/${slug}`}`,
    places: null,
  }))
}

function ofQuery(known: Known, name: string, operation: Operation): readonly Lens[] {
  const { places } = placesOf(known, { kind: 'query', name })
  const offset = operation.span.start + Math.max(0, operation.document.search(/\b(?:query|mutation)\b|\{/))
  const statements = operation.analysis.statements.map((each) => statementWords(each).replace(/^- |`/g, ''))
  return [
    { offset, title: formatCount(places.length, 'use'), places: places.map(({ span }) => span) },
    ...statements.map((title) => ({ offset, title, places: null })),
  ]
}

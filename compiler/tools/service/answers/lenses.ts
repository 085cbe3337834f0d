/** Code lenses above a file: callers of a partial, effects of a query, the address of a page. */
import { formatCount } from '../../../core/diagnostics/words.ts'
import type { PageSettings } from '../../../core/model/settings.ts'
import type { Operation } from '../../../core/model/operation.ts'
import { isOfKind, type Unit } from '../../../core/model/unit.ts'
import type { Span } from '../../../core/source/span.ts'
import type { SiteAnalysis } from '../workspace.ts'
import { findCallers } from './call-tree.ts'
import { describeStatement } from './hover-graphql.ts'
import { findPlaces } from './symbols.ts'

interface Lens {
  readonly offset: number
  readonly title: string
  /** The places the lens links to; null for plain text. */
  readonly places: readonly Span[] | null
}

/** Returns the lenses of a file, based on the last analysis of the whole site. */
export function findLenses(siteAnalysis: SiteAnalysis, unit: Unit): readonly Lens[] {
  const { site, operations } = siteAnalysis.analysis
  if (isOfKind(unit, 'page')) return pageLenses(unit)
  if (unit.file.kind === 'graphql') {
    const name = [...site.graphql].find(([, each]) => each.file.path === unit.file.path)?.[0]
    const operation = name === undefined ? undefined : operations.storedOperations.get(name)
    return name === undefined || operation === undefined ? [] : queryLenses(siteAnalysis, name, operation)
  }
  if (![...site.partials.values()].includes(unit)) return []
  const calls = findCallers(site, unit)
  const places = calls.flatMap(({ spans }) => spans)
  const files = calls.length === places.length ? '' : ` in ${formatCount(calls.length, 'file')}`
  return [{ offset: 0, title: `${formatCount(places.length, 'call')}${files}`, places }]
}

function pageLenses({ file, settings }: Unit<PageSettings>): readonly Lens[] {
  const { route, method, slugSpan } = settings
  const slugs = route.alsoAt === null ? [route.slug] : [route.slug, route.alsoAt]
  const offset = slugSpan.file === file.path ? slugSpan.start : 0
  return slugs.map((slug) => ({
    offset,
    title: `${method.toUpperCase()} ${slug === '/' ? '/' : `/${slug}`}`,
    places: null,
  }))
}

function queryLenses(siteAnalysis: SiteAnalysis, name: string, operation: Operation): readonly Lens[] {
  const { places } = findPlaces(siteAnalysis, { kind: 'query', name })
  const offset = operation.span.start + Math.max(0, operation.document.search(/\b(?:query|mutation)\b|\{/))
  const statements = operation.analysis.statements.map((each) => describeStatement(each).replace(/^- |`/g, ''))
  return [
    { offset, title: formatCount(places.length, 'use'), places: places.map(({ span }) => span) },
    ...statements.map((title) => ({ offset, title, places: null })),
  ]
}

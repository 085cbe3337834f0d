/** Finds the callers and callees of a template. */
import type { Site } from '../../../core/model/site.ts'
import type { Unit } from '../../../core/model/unit.ts'
import type { Span } from '../../../core/source/span.ts'
import type { SiteAnalysis } from '../workspace.ts'
import { collectMentions } from './mentions.ts'
import { callersOf, findSymbolAt } from './symbols.ts'
import { addTo } from '../../../core/source/maps.ts'

export interface Calls {
  /** The other end of the calls: the caller or the callee. */
  readonly unit: Unit
  /** Spans of the names in the calls. All are in the caller. */
  readonly spans: readonly Span[]
}

/** Returns the template called by the name at an offset, or the file itself if there is no such name. */
export function findCallable(siteAnalysis: SiteAnalysis, unit: Unit, offset: number): Unit | null {
  const symbol = findSymbolAt(siteAnalysis, unit, offset)
  const called = symbol?.kind === 'partial' ? siteAnalysis.analysis.site.partials.get(symbol.name) : undefined
  return called ?? (unit.template === null ? null : unit)
}

/** Returns the files that call a template, with the spans of the calls. */
export function findCallers(site: Site, unit: Unit): readonly Calls[] {
  return callersOf(site, unit).map((caller) => ({
    unit: caller,
    spans: partialsIn(caller).flatMap(({ name, span }) => (site.partials.get(name) === unit ? [span] : [])),
  }))
}

/** Returns the templates that a file calls. */
export function findCallees(site: Site, unit: Unit): readonly Calls[] {
  const spans = new Map<Unit, Span[]>()
  for (const { name, span } of partialsIn(unit)) {
    const called = site.partials.get(name)
    if (called !== undefined) addTo(spans, called, span)
  }
  return [...spans].map(([called, all]) => ({ unit: called, spans: all }))
}

function partialsIn(unit: Unit): readonly { readonly name: string; readonly span: Span }[] {
  return collectMentions(unit).flatMap(({ mentions }) =>
    mentions.filter(({ kind, span }) => kind === 'partial' && span.file === unit.file.path),
  )
}

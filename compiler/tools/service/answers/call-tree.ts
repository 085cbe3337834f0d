/** Who calls a partial, and whom it calls. */
import type { Site } from '../../../core/model/site.ts'
import type { Unit } from '../../../core/model/unit.ts'
import type { Span } from '../../../core/source/span.ts'
import type { Known } from '../workspace.ts'
import { mentionsOf } from './mentions.ts'
import { callersOf, meaningAt } from './symbols.ts'

export interface Calls {
  /** The other side: who calls, or who is called. */
  readonly unit: Unit
  /** Of the names in the calls, all of which stand in the caller. */
  readonly spans: readonly Span[]
}

/** The template that a name at a place calls, or the file itself where the place names none. */
export function callableAt(known: Known, unit: Unit, offset: number): Unit | null {
  const meaning = meaningAt(known, unit, offset)
  const called = meaning?.kind === 'partial' ? known.analysis.site.partials.get(meaning.name) : undefined
  return called ?? (unit.template === null ? null : unit)
}

/** The files that call a template, each with the places where it does. */
export function callsTo(site: Site, unit: Unit): readonly Calls[] {
  return callersOf(site, unit).map((caller) => ({
    unit: caller,
    spans: partialsIn(caller).flatMap(({ name, span }) => (site.partials.get(name) === unit ? [span] : [])),
  }))
}

/** The templates that a file calls. */
export function callsFrom(site: Site, unit: Unit): readonly Calls[] {
  const spans = new Map<Unit, Span[]>()
  for (const { name, span } of partialsIn(unit)) {
    const called = site.partials.get(name)
    if (called === undefined) continue
    const known = spans.get(called)
    if (known === undefined) spans.set(called, [span])
    else known.push(span)
  }
  return [...spans].map(([called, all]) => ({ unit: called, spans: all }))
}

function partialsIn(unit: Unit): readonly { readonly name: string; readonly span: Span }[] {
  return mentionsOf(unit).flatMap(({ all }) =>
    all.filter(({ kind, span }) => kind === 'partial' && span.file === unit.file.path),
  )
}

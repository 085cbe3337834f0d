/** The common shape of the rules about a site as a whole. */
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { attached } from '../../../core/model/attached.ts'
import { derivedFromFrame } from '../../../core/model/derived.ts'
import type { LinkedEffects } from '../../../core/model/effects.ts'
import type { Site } from '../../../core/model/site.ts'
import type { SiteTemplate } from '../../../core/model/site-template.ts'
import type { InferInput } from '../../analyze/site.ts'
import type { OutgoingCall, UnitFacts } from '../walk/facts.ts'
import type { Reach } from './reach.ts'

/** A site whose templates have been checked one by one. */
export interface CheckedSite extends Omit<InferInput, 'order' | 'graph'> {
  readonly siteTemplates: readonly SiteTemplate[]
  readonly linkedEffects: LinkedEffects
  readonly reach: Reach
  /** Whether templates call a module that is not installed, whose names, calls, content blocks and routes are unknown. */
  readonly lacksModule: boolean
  /** Returns the facts of a template, by file, or by `file#path` for Liquid in settings. */
  readonly factsOf: (key: string) => UnitFacts | undefined
  /** Returns the facts of the templates that run with a file. */
  readonly ownFacts: (file: string) => readonly UnitFacts[]
  /** Returns all calls of a file, including those in its settings. */
  readonly callsOf: (file: string) => readonly OutgoingCall[]
}

/** Checks a site at once, or in parts. */
export type SiteRule = (site: CheckedSite) => Checking

/** What a rule has found, or its next part. */
type Checking = readonly Diagnostic[] | Visits

/** A part of a rule that takes long: visits items one by one, so that a program can answer requests between two of them. */
export interface Visits {
  /** The activity for display. */
  readonly doing: string | null
  /** The number of items. */
  readonly count: number
  /** Visits the item at an index. */
  readonly visit: (at: number) => void
  /** Called after all items were visited. */
  readonly finish: () => Checking
}

/** Returns the part of a rule that visits these items. */
export function visitEach<Item>(
  items: readonly Item[],
  visit: (item: Item) => void,
  finish: () => Checking,
  doing: string | null = null,
): Visits {
  const visitAt = (at: number): void => {
    const item = items[at]
    if (item !== undefined) visit(item)
  }
  return { doing, count: items.length, visit: visitAt, finish }
}

/** Returns a rule that reports nothing if the site calls a module that is not installed. */
export function withAllModules(rule: SiteRule): SiteRule {
  return (site) => (site.lacksModule ? [] : rule(site))
}

/** Returns a rule whose result depends only on the frame of a site, not on the bodies of pages, partials and layouts. */
export function ofFrame(check: (site: Site) => readonly Diagnostic[]): SiteRule {
  const diagnosticsOf = derivedFromFrame(check)
  return ({ site }) => diagnosticsOf(site)
}

/** Returns a function that computes a value of a checked site once. Several rules can then use the value. */
export function onceForSite<Value>(make: (site: CheckedSite) => Value): (site: CheckedSite) => Value {
  const known = attached<CheckedSite, { readonly value: Value }>()
  return (site) => {
    let kept = known.get(site)
    if (kept === undefined) known.set(site, (kept = { value: make(site) }))
    return kept.value
  }
}

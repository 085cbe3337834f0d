/** Prepares the input of a check: the templates of a site, their call graph and their effects. */
import type { Language } from '../../language/language.ts'
import type { Outline } from '../../core/model/outline.ts'
import type { FormatClass, LinkedEffects } from '../../core/model/effects.ts'
import type { Memo } from '../../core/model/memo.ts'
import type { Operations } from '../../core/model/operation.ts'
import type { Site } from '../../core/model/site.ts'
import type { Template, Unit } from '../../core/model/unit.ts'
import { callGraph } from '../analyze/call-graph.ts'
import { siteEffects } from '../analyze/effects.ts'
import { entriesOf } from '../analyze/entries.ts'
import { rootsOf } from '../analyze/roots.ts'
import type { CheckInput } from './fixpoint.ts'
import type { CheckFeatures } from './features.ts'
import type { SiteTemplate } from '../../core/model/site-template.ts'
import { notificationTypes } from './walk/notification-types.ts'

export interface CheckSettings {
  /** Caches findings for templates whose inputs do not change. */
  readonly memo: Memo
  /** The format of units that the host renders by name, if the site allows that. */
  readonly format: FormatClass
  readonly language: Language
  readonly features: CheckFeatures
}

export interface LinkedInput extends CheckInput {
  /** The effects of each template, including the effects of its callees. */
  readonly linkedEffects: LinkedEffects
}

/** Returns the effects of the templates of a site. */
export function linkEffects(
  site: Site,
  outlines: ReadonlyMap<string, Outline>,
  { memo, format, features: { incremental } }: CheckSettings,
): LinkedEffects {
  const entries = entriesOf(site, format)
  return incremental === null
    ? siteEffects(site, outlines, entries)
    : incremental.effects(site, outlines, entries, memo)
}

/** Returns the input of a check. */
export function checkInput(
  site: Site,
  operations: Operations,
  outlines: ReadonlyMap<string, Outline>,
  linkedEffects: LinkedEffects,
  { memo, language, features }: CheckSettings,
): LinkedInput {
  const { queries, incremental } = features
  const siteTemplates = templatesOf(site, outlines).map((each) =>
    // The same object as long as nothing changes, because counts of words compare templates.
    memo.once('site template', each.key, [each.unit, each.template, each.outline], () => each),
  )
  const graph = callGraph(site, siteTemplates, linkedEffects, memo)
  const byKey = new Map(siteTemplates.map((siteTemplate) => [siteTemplate.key, siteTemplate]))
  const order = graph.order.flatMap((key) => byKey.get(key) ?? [])
  const notifications = notificationTypes(site, queries.sent(operations, memo))
  return {
    ...{ site, operations, siteTemplates, order, graph, notifications, memo, language, linkedEffects },
    roots: rootsOf(site),
    checkQuery: queries.check,
    checkStamps: incremental?.checkStamps ?? null,
  }
}

/** Returns the templates of all units: bodies of files, and Liquid in settings. */
export function templatesOf(
  site: Pick<Site, 'units'>,
  outlines: ReadonlyMap<string, Outline>,
): readonly SiteTemplate[] {
  const siteTemplates: SiteTemplate[] = []
  const add = (unit: Unit, template: Template, inner: string | null) => {
    const key = inner === null ? unit.file.path : `${unit.file.path}#${inner}`
    const outline = outlines.get(key)
    if (outline !== undefined) siteTemplates.push({ key, unit, template, inner, outline })
  }
  for (const unit of site.units) {
    if (unit.template !== null) add(unit, unit.template, null)
    for (const [inner, template] of unit.inner) add(unit, template, inner)
  }
  return siteTemplates
}

/** Returns the inputs of the check of a template as comparable values. Equal inputs give equal results, so a result can be cached. */
import { areSame } from '../../../core/model/memo.ts'
import type { Site } from '../../../core/model/site.ts'
import { type Span, spanKey } from '../../../core/source/span.ts'
import type { TemplateInput, UnitFacts } from '../walk/facts.ts'
import type { SiteTemplate } from '../../../core/model/site-template.ts'
import { typeKey } from '../../../language/types/type-key.ts'
import { sameKeys } from '../../../language/types/changed-keys.ts'
import { same } from '../../../language/types/relate.ts'

/** Returns the values of the whole site that the check of every template depends on. */
export function siteInputs(site: Site): readonly unknown[] {
  const partials = [...site.partials].map(([name, unit]) => `${name}\0${unit.file.path}`).join('\n')
  const translations = site.units.filter((unit) => unit.file.kind === 'translation')
  return [
    site.dialect,
    site.openEntries,
    site.strictFilters,
    site.strictVariables,
    site.globals,
    site.globalsAreAll,
    site.config.liquidCheckMode,
    site.config.liquidAddOldVariables,
    site.config.stringInterpolation,
    partials,
    [...site.modules].join(' '),
    [...site.assets.keys()].join('\n'),
    ...translations,
  ]
}

/** Returns the partials that a template can call, each followed by its facts. */
export function calledFacts(
  site: Site,
  siteTemplate: SiteTemplate,
  facts: Pick<ReadonlyMap<string, UnitFacts>, 'get'>,
): readonly unknown[] {
  const { calls } = siteTemplate.outline
  if (canCallAny(siteTemplate)) return [...site.partials.values()].flatMap((unit) => [unit, facts.get(unit.file.path)])
  return calls.flatMap((call) => {
    const unit = site.partials.get(call.literal ?? '')
    return unit === undefined ? [undefined, undefined] : [unit, facts.get(unit.file.path)]
  })
}

/** Returns whether `calledFacts` would return the same values as `previous`. */
export function isCalledAsBefore(
  site: Site,
  siteTemplate: SiteTemplate,
  facts: Pick<ReadonlyMap<string, UnitFacts>, 'get'>,
  previous: readonly unknown[],
): boolean {
  const { calls } = siteTemplate.outline
  if (canCallAny(siteTemplate)) return areSame(previous, calledFacts(site, siteTemplate, facts))
  for (let at = 0; at < calls.length; at++) {
    const unit = site.partials.get(calls[at]?.literal ?? '')
    if (previous[2 * at] !== unit) return false
    if (unit !== undefined && previous[2 * at + 1] !== facts.get(unit.file.path)) return false
  }
  return true
}

function canCallAny({ outline }: SiteTemplate): boolean {
  return outline.calls.some((call) => call.literal === null || call.kind === 'theme')
}

/** Returns a text that identifies the facts of a template that are visible to callers, by default including the spans. */
export function callersKey(facts: UnitFacts, includesSpans = true): string {
  const spanText = (span: Span) => (includesSpans ? spanKey(span) : '')
  const inputs = [...facts.inputs].map(
    ([name, input]) =>
      `${name} ${input.required} ${input.alternatives.join(',')} ${input.onlyWith.join(',')} ${input.isNeeded} ${input.accessedPart} ${spanText(input.span)}`,
  )
  const flags = [
    facts.readsAll,
    facts.changedKeys === null ? '*' : [...facts.changedKeys].join(','),
    facts.halts,
    facts.registers,
    facts.returned === null ? null : spanText(facts.returned),
    facts.emptyAt === null ? null : spanText(facts.emptyAt),
  ]
  return [flags.join(' '), [...facts.writes].join(' '), typeKey(facts.result), ...inputs].join('\n')
}

/** Returns whether two sets of facts are the same in everything that the check of callers uses. */
export function isSameForCallers(a: UnitFacts, b: UnitFacts): boolean {
  return (
    sameKeys(a.changedKeys, b.changedKeys) &&
    a.readsAll === b.readsAll &&
    a.halts === b.halts &&
    a.inputs.size === b.inputs.size &&
    [...a.inputs].every(([name, input]) => sameInput(input, b.inputs.get(name))) &&
    a.writes.size === b.writes.size &&
    same(a.result, b.result)
  )
}

function sameInput(a: TemplateInput, b: TemplateInput | undefined): boolean {
  return (
    a.required === b?.required &&
    a.isNeeded === b.isNeeded &&
    a.accessedPart === b.accessedPart &&
    a.alternatives.join(' ') === b.alternatives.join(' ') &&
    a.onlyWith.join(' ') === b.onlyWith.join(' ')
  )
}

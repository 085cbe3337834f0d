/** The files that the name in a call can mean. */
import { absentOwner, mayBeAbsent, withAbsentModule } from '../../../core/diagnostics/absent-modules.ts'
import { dynamicName } from '../../../core/diagnostics/codes/calls/dynamic-name.ts'
import { missingDynamicPartial } from '../../../core/diagnostics/codes/calls/missing-dynamic-partial.ts'
import { missingPartial } from '../../../core/diagnostics/codes/calls/missing-partial.ts'
import { unmatchedName } from '../../../core/diagnostics/codes/calls/unmatched-name.ts'
import { hasEnds } from '../../../core/model/bound.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Unit } from '../../../core/model/unit.ts'
import type { PartialCall } from '../../../language/tags/tag.ts'
import { themeTargets } from '../infer/effects.ts'
import { textsOf, typeOf } from './expression.ts'
import { nearEnds, suggestedPartials } from './partial-name.ts'
import type { TextPattern } from './state.ts'
import type { Walk } from './walk.ts'

export interface CallTarget {
  readonly name: string
  readonly unit: Unit
}

interface CallTargets {
  /** Null: every partial. */
  readonly units: readonly CallTarget[] | null
  /** The name is computed, and not all of its values are known. */
  readonly open: boolean
  /** Files that a misspelled name was likely meant to be. */
  readonly suggested: readonly string[]
}

/** A name under a theme search path of a module that is not here; null where there is none. */
function absentThemeName({ config, modules }: Site, name: string): string | null {
  const names = config.themeSearchPaths.map(({ text }) => `${text.replace(/\/$/, '')}/${name}`)
  return names.find((each) => absentOwner(modules, each) !== null && each.startsWith('modules/')) ?? null
}

/** Finds the files, and reports names that mean none. */
export function targetsOf(walk: Walk, call: PartialCall): CallTargets {
  const { site, partialNames } = walk.env
  const type = typeOf(walk, call.name, 'value', false)
  const literal = call.name.kind === 'literal' && call.name.value.type === 'string' ? call.name.value.value : null
  if (literal !== null) {
    const unit = site.partials.get(literal)
    const units = call.kind === 'theme' ? themeTargets(site, literal) : unit === undefined ? [] : [unit]
    if (units.length > 0)
      return { units: units.map((each) => ({ name: literal, unit: each })), open: false, suggested: [] }
    const missing = withAbsentModule(
      site.modules,
      (call.kind === 'theme' ? absentThemeName(site, literal) : null) ?? literal,
      missingPartial(call.span, literal, partialNames, walk.platform),
    )
    // A site need not have what it asks its theme for.
    walk.report(call.kind === 'theme' ? { ...missing, severity: 'warning' } : missing)
    if (missing.absent !== undefined) return { units: [], open: true, suggested: [] }
    return { units: [], open: false, suggested: suggestedPartials(site, literal, partialNames) }
  }
  const texts = textsOf(walk, call.name, type)
  if (texts === null) {
    // `render` needs a name in quotes, which is another message.
    if (call.kind !== 'render' && walk.platform) walk.report(dynamicName(call.span, null))
    return { units: null, open: true, suggested: [] }
  }
  return computedTargets(walk, call, texts)
}

function computedTargets(walk: Walk, call: PartialCall, texts: readonly TextPattern[]): CallTargets {
  const { site, partialNames } = walk.env
  const units = new Map<Unit, CallTarget>()
  const suggested: string[] = []
  let open = false
  let isAbsent = false
  for (const { prefix, suffix, exact } of texts) {
    if (exact && call.kind !== 'theme') {
      const unit = site.partials.get(prefix)
      if (unit !== undefined) units.set(unit, { name: prefix, unit })
      else {
        const missing = withAbsentModule(site.modules, prefix, missingDynamicPartial(call.span, prefix, partialNames))
        // Of several possible names this one may never occur, and a name of a module may only occur where it is installed.
        walk.report(texts.length === 1 && missing.absent === undefined ? missing : { ...missing, severity: 'warning' })
        if (missing.absent !== undefined) isAbsent = true
        else suggested.push(...suggestedPartials(site, prefix, partialNames))
      }
      continue
    }
    if (exact) {
      for (const unit of themeTargets(site, prefix)) units.set(unit, { name: prefix, unit })
      continue
    }
    open = true
    const matching = [...site.partials].filter(([name]) => hasEnds(name, prefix, suffix))
    for (const [name, unit] of matching) units.set(unit, { name, unit })
    // A theme looks for a name in several places.
    if (matching.length > 0 || call.kind === 'theme' || !walk.platform) continue
    if (mayBeAbsent(site.modules, prefix)) continue
    const nearest = nearEnds(prefix, suffix, partialNames)
    walk.report(unmatchedName(call.span, prefix, suffix, nearest?.suggestion ?? null))
    for (const [name, unit] of site.partials)
      if (nearest !== null && hasEnds(name, nearest.prefix, nearest.suffix)) suggested.push(unit.file.path)
  }
  if (open && walk.platform && (units.size > 0 || call.kind === 'theme'))
    walk.report(dynamicName(call.span, units.size))
  return { units: [...units.values()], open: open || isAbsent, suggested }
}

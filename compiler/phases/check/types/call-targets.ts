/** Resolves the name in a call of a partial to files. */
import { absentOwner, withAbsentModule } from '../../../core/diagnostics/absent-modules.ts'
import { checkDynamicName } from '../rules/calls/dynamic-name.ts'
import { missingDynamicPartial } from '../../../core/diagnostics/codes/calls/missing-dynamic-partial.ts'
import { missingPartial } from '../../../core/diagnostics/codes/calls/missing-partial.ts'
import { checkUnmatchedName } from '../rules/calls/unmatched-name.ts'
import { hasEnds, type TextPattern } from '../../../core/model/outline.ts'
import { stringOf } from '../../../core/tree/ast.ts'
import type { Unit } from '../../../core/model/unit.ts'
import type { PartialCall } from '../../../language/tags/tag.ts'
import { themeTargets } from '../../analyze/effects.ts'
import { textsOf, typeOf } from './expression.ts'
import { suggestedPartials } from '../walk/partial-name.ts'
import type { Callee } from '../walk/known-call.ts'
import type { ReadableSite } from '../walk/facts.ts'
import type { Walk } from '../walk/walk.ts'

type CallTarget = Omit<Callee, 'facts'>

interface CallTargets {
  /** The partials that the call can run; null for every partial. */
  readonly units: readonly CallTarget[] | null
  /** Whether the call may run other files, because the name is computed, or a module is not installed. */
  readonly open: boolean
  /** The files whose names resemble a misspelled name. */
  readonly suggested: readonly string[]
}

/** Returns the name below a theme search path of a module that is not installed; null if there is none. */
function absentThemeName({ config, modules }: ReadableSite, name: string): string | null {
  const names = config.themeSearchPaths.map(({ text }) => `${text.replace(/\/$/, '')}/${name}`)
  return names.find((each) => absentOwner(modules, each) !== null && each.startsWith('modules/')) ?? null
}

/** Returns the files that a call can run. Reports names without a file. */
export function targetsOf(walk: Walk, call: PartialCall): CallTargets {
  const { site } = walk.env
  const type = typeOf(walk, call.name, 'value', false)
  const literal = stringOf(call.name)
  if (literal !== null) {
    const unit = site.partials.get(literal)
    const units = call.kind === 'theme' ? themeTargets(site, literal) : unit === undefined ? [] : [unit]
    if (units.length > 0)
      return { units: units.map((each) => ({ name: literal, unit: each })), open: false, suggested: [] }
    const diagnostic = withAbsentModule(
      site.modules,
      (call.kind === 'theme' ? absentThemeName(site, literal) : null) ?? literal,
      missingPartial(
        call.span,
        literal,
        [...site.partials.keys()],
        walk.platform,
        call.kind === 'function' || call.kind === 'background',
      ),
    )
    // A missing theme file is allowed.
    walk.report(call.kind === 'theme' ? { ...diagnostic, severity: 'warning' } : diagnostic)
    if (diagnostic.absent !== undefined) return { units: [], open: true, suggested: [] }
    return { units: [], open: false, suggested: suggestedPartials(site, literal) }
  }
  const texts = textsOf(walk, call.name, type)
  if (texts === null) {
    checkDynamicName(walk, call, null)
    return { units: null, open: true, suggested: [] }
  }
  return computedTargets(walk, call, texts)
}

function computedTargets(walk: Walk, call: PartialCall, texts: readonly TextPattern[]): CallTargets {
  const { site } = walk.env
  const units = new Map<Unit, CallTarget>()
  const suggested: string[] = []
  let isOpen = false
  let hasAbsentName = false
  for (const pattern of texts) {
    const { prefix, suffix, exact } = pattern
    if (exact && call.kind !== 'theme') {
      const unit = site.partials.get(prefix)
      if (unit !== undefined) units.set(unit, { name: prefix, unit })
      else {
        const diagnostic = withAbsentModule(
          site.modules,
          prefix,
          missingDynamicPartial(call.span, prefix, [...site.partials.keys()]),
        )
        // If several names are possible, this one may never be used. A name in a module may be used only where the module is installed.
        walk.report(
          texts.length === 1 && diagnostic.absent === undefined ? diagnostic : { ...diagnostic, severity: 'warning' },
        )
        if (diagnostic.absent !== undefined) hasAbsentName = true
        else suggested.push(...suggestedPartials(site, prefix))
      }
      continue
    }
    if (exact) {
      for (const unit of themeTargets(site, prefix)) units.set(unit, { name: prefix, unit })
      continue
    }
    isOpen = true
    const matching = [...site.partials.keys()].filter((name) => hasEnds(name, prefix, suffix))
    for (const name of matching) {
      const unit = site.partials.get(name)
      if (unit !== undefined) units.set(unit, { name, unit })
    }
    if (matching.length === 0) suggested.push(...checkUnmatchedName(walk, call, pattern))
  }
  if (isOpen) checkDynamicName(walk, call, units.size)
  return { units: [...units.values()], open: isOpen || hasAbsentName, suggested }
}

/** What a template's check depends on, as values that are compared: where all of them are the same, so is what is found. */
import { areSame } from '../../../core/model/memo.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Span } from '../../../core/source/span.ts'
import type { TemplateInput, UnitFacts } from './facts.ts'
import type { Piece } from '../piece.ts'
import { typeKey } from '../../../language/types/type-key.ts'
import { sameKeys } from '../../../language/types/changed-keys.ts'
import { same } from '../../../language/types/relate.ts'

/** What of the site as a whole a template's check depends on. */
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

/** The partials that a template can call, and what is known of them. */
export function calledFacts(
  site: Site,
  piece: Piece,
  facts: Pick<ReadonlyMap<string, UnitFacts>, 'get'>,
): readonly unknown[] {
  const { calls } = piece.bound
  if (canCallAny(piece)) return [...site.partials.values()].flatMap((unit) => [unit, facts.get(unit.file.path)])
  return calls.flatMap((call) => {
    const unit = site.partials.get(call.literal ?? '')
    return unit === undefined ? [undefined, undefined] : [unit, facts.get(unit.file.path)]
  })
}

/** Whether `calledFacts` gives these values once more. */
export function isCalledAsBefore(
  site: Site,
  piece: Piece,
  facts: Pick<ReadonlyMap<string, UnitFacts>, 'get'>,
  before: readonly unknown[],
): boolean {
  const { calls } = piece.bound
  if (canCallAny(piece)) return areSame(before, calledFacts(site, piece, facts))
  for (let at = 0; at < calls.length; at++) {
    const unit = site.partials.get(calls[at]?.literal ?? '')
    if (before[2 * at] !== unit) return false
    if (unit !== undefined && before[2 * at + 1] !== facts.get(unit.file.path)) return false
  }
  return true
}

function canCallAny({ bound }: Piece): boolean {
  return bound.calls.some((call) => call.literal === null || call.kind === 'theme')
}

/** All that callers can see of a template's facts, the places of reads in its text among it, or not. */
export function faceKey(facts: UnitFacts, places = true): string {
  const placeOf = ({ file, start, end }: Span) => (places ? `${file}:${start}:${end}` : '')
  const inputs = [...facts.inputs].map(
    ([name, input]) =>
      `${name} ${input.required} ${input.alternatives.join(',')} ${input.onlyWith.join(',')} ${input.needed} ${input.part} ${placeOf(input.span)}`,
  )
  const flags = [
    facts.readsAll,
    facts.changedKeys === null ? '*' : [...facts.changedKeys].join(','),
    facts.halts,
    facts.registers,
    facts.returned === null ? null : placeOf(facts.returned),
    facts.emptyAt === null ? null : placeOf(facts.emptyAt),
  ]
  return [flags.join(' '), [...facts.writes].join(' '), typeKey(facts.result), ...inputs].join('\n')
}

/** Whether callers see no difference in what they were checked with. */
export function sameFace(a: UnitFacts, b: UnitFacts): boolean {
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
    a.needed === b.needed &&
    a.part === b.part &&
    a.alternatives.join(' ') === b.alternatives.join(' ') &&
    a.onlyWith.join(' ') === b.onlyWith.join(' ')
  )
}

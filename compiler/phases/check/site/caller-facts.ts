/** Compares what callers of a template see of it. */
import { spanKey } from '../../../core/source/span.ts'
import type { TemplateInput, UnitFacts } from '../walk/facts.ts'
import { typeKey } from '../../../language/types/type-key.ts'
import { sameKeys } from '../../../language/types/changed-keys.ts'
import { same } from '../../../language/types/relate.ts'

/** Returns a text that identifies the facts of a template that are visible to callers, including the spans. */
export function callersKey(facts: UnitFacts): string {
  const inputs = [...facts.inputs].map(
    ([name, input]) =>
      `${name} ${input.required} ${input.alternatives.join(',')} ${input.onlyWith.join(',')} ${input.isNeeded} ${input.accessedPart} ${spanKey(input.span)}`,
  )
  const flags = [
    facts.readsAll,
    facts.changedKeys === null ? '*' : [...facts.changedKeys].join(','),
    facts.halts,
    facts.registers,
    facts.returned === null ? null : spanKey(facts.returned),
    facts.emptyAt === null ? null : spanKey(facts.emptyAt),
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

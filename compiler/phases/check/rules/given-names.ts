/** Variables that neither the data of the host, nor a tag, nor a caller gives: for checks that know all of the data. */
import { undefinedVariable } from '../../../core/diagnostics/codes/values/undefined-variable.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { didYouMean } from '../../../core/diagnostics/suggest.ts'
import type { Site } from '../../../core/model/site.ts'
import type { UnitFacts } from './facts.ts'

/**
 * The names that each template reads and nobody gives, at their first place. What is only asked for (`{% if x %}`) may be left out of the
 * data, so that it is a remark. `passed`: what callers give, by file.
 */
export function checkGivenNames(
  site: Site,
  factsOf: (file: string) => UnitFacts | undefined,
  passed: Pick<ReadonlyMap<string, ReadonlyMap<string, unknown>>, 'get'>,
): readonly Diagnostic[] {
  return site.units.flatMap((unit) => {
    const facts = factsOf(unit.file.path)
    if (facts === undefined) return []
    // What an included file reads is told there.
    const calls = new Set(facts.calls.map(({ span }) => span.start))
    return [...facts.inputs].flatMap(([name, { span, required }]): readonly Diagnostic[] => {
      if (
        site.globals.has(name) ||
        passed.get(unit.file.path)?.has(name) ||
        facts.writes.has(name) ||
        calls.has(span.start)
      )
        return []
      const known = [...site.globals.keys(), ...facts.writes]
      const diagnostic = undefinedVariable(span, name, known)
      const hint = didYouMean(name, known) ?? 'Give it in the data, or leave it out.'
      return [
        {
          ...diagnostic,
          message: `The data contain no \`${name}\`, and nothing sets it.`,
          hint,
          severity: required ? 'warning' : 'info',
        },
      ]
    })
  })
}

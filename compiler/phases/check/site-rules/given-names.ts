/** Reports variables that are not set by the data of the host, a tag or a caller, for hosts that declare all of their data. */
import { undefinedVariable } from '../../../core/diagnostics/codes/values/undefined-variable.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { didYouMean } from '../../../core/diagnostics/suggest.ts'
import type { Site } from '../../../core/model/site.ts'
import { unmarkedSpan } from '../../../core/source/mark.ts'
import type { UnitFacts } from '../walk/facts.ts'

/**
 * Reports each name that a template reads and that is not set, at its first read. A name that is only tested (`{% if x %}`) may be missing
 * in the data, so it is only an info.
 * @param passedNames the names that callers pass, by file
 */
export function checkGivenNames(
  site: Site,
  factsOf: (file: string) => UnitFacts | undefined,
  passedNames: Pick<ReadonlyMap<string, ReadonlyMap<string, unknown>>, 'get'>,
): readonly Diagnostic[] {
  return site.units.flatMap((unit) => {
    const facts = factsOf(unit.file.path)
    if (facts === undefined) return []
    // Names that an included file reads are reported in that file.
    const callOffsets = new Set(facts.calls.map(({ span }) => span.start))
    return [...facts.inputs].flatMap(([name, { span: place, required }]): readonly Diagnostic[] => {
      const span = unmarkedSpan(place, unit.file.text)
      if (
        site.globals.has(name) ||
        passedNames.get(unit.file.path)?.has(name) ||
        facts.writes.has(name) ||
        callOffsets.has(span.start)
      )
        return []
      const knownNames = [...site.globals.keys(), ...facts.writes]
      const diagnostic = undefinedVariable(span, name, knownNames)
      const hint = didYouMean(name, knownNames) ?? 'Add the variable to the data, or remove it here.'
      return [
        {
          ...diagnostic,
          message: `The variable \`${name}\` is not in the data, and no template sets it.`,
          hint,
          severity: required ? 'warning' : 'info',
        },
      ]
    })
  })
}

/** `undefined-variable`: a variable that is never set. */
import { didYouMean, findNearest } from '../../../../core/diagnostics/suggest.ts'
import type { Site } from '../../../../core/model/site.ts'
import { unmarkedSpan } from '../../../../core/source/mark.ts'
import { inContext } from '../../../../language/types/old-variables.ts'
import type { UnitFacts } from '../../walk/facts.ts'
import { quotedTextAt } from '../../walk/quoted-text.ts'
import type { UndefinedRead } from '../../walk/reads.ts'
import type { Walk } from '../../walk/walk.ts'
import { replaceWith, suggestName } from '../../../../core/diagnostics/change.ts'
import type { Span } from '../../../../core/source/span.ts'
import { type Diagnostic, message, relatedAt } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const undefinedVariable = message(
  'undefined-variable',
  'warning',
  'UndefinedObject',
  /** `set`: where a variable with a similar name is set. `suggestion`: the field of `context` with that name (`context.params`). */
  (name: string, knownNames: Iterable<string>, suggestion: string | null = null, set: Span | null = null) => ({
    subject: { kind: 'variable', name },
    text: `${quote(name)} is never set, so it is always nil.`,
    ...(suggestion === null
      ? (suggestName(name, knownNames) ?? { hint: `Assign ${quote(name)} first, or remove it.` })
      : replaceWith(suggestion, false)),
    related: relatedAt(set, 'a variable with a similar name is set here'),
  }),
  {
    wrong: `{% assign title = 'x' %}{{ titel }}{{ title }}`,
    right: `{% assign title = 'x' %}{{ title }}`,
  },
)

/** Reports a misspelled name of a variable, at its first read. The intended variable counts as read. */
export function checkMisspeltName(
  { flow, reads, findings }: Walk,
  name: string,
  intendedName: string,
  span: Span,
): void {
  reads.used.add(intendedName)
  if (flow.dead || reads.misspelt.has(name)) return
  reads.misspelt.add(name)
  const literal = /^(?:true|false|nil)$/.test(intendedName) ? intendedName : null
  // No span for loop variables.
  const setSpan = flow.variables.get(intendedName)?.span ?? reads.setAt.get(intendedName) ?? null
  findings.report(undefinedVariable(span, name, [intendedName], literal, setSpan))
}

/**
 * Returns the diagnostic for a name that is definitely nil. If the name is probably a misspelling of a variable, this variable counts as
 * read.
 */
export function describeUndefined(walk: Walk, name: string, { span, replaced }: UndefinedRead): Diagnostic {
  const { reads } = walk
  const text = inContext(name) ?? quotedTextAt(walk, span)
  const unusedNames = [...reads.setAt.keys()].filter((each) => !reads.used.has(each))
  const meantName = text === null ? (findNearest(name, unusedNames) ?? findNearest(name, reads.setAt.keys())) : null
  if (meantName !== null) reads.used.add(meantName)
  const setSpan = meantName === null ? null : (reads.setAt.get(meantName) ?? null)
  const diagnostic = undefinedVariable(span, name, [...reads.setAt.keys(), 'context'], text, setSpan)
  // A file that is copied between sites may have a `default` for a name that only other sites set.
  return replaced && meantName === null && text === null ? { ...diagnostic, severity: 'info' } : diagnostic
}

/**
 * Reports, for hosts that declare all of their data, each name that a template reads and that the data, a tag or a caller does not set, at
 * its first read. A name that is only tested (`{% if x %}`) may be missing in the data, so it is only an info.
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

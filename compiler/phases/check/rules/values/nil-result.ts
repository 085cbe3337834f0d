/** `nil-result`: a field of a function's result is read without a check, but the function can return nil. */
import type { Span } from '../../../../core/source/span.ts'
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import { isGuardedPage } from '../../site/reach.ts'
import { namesOf } from '../../site/template-names.ts'

const FIND =
  '{% if id == blank %}{% return nil %}{% endif %}{% assign user = { "name": "Ada", "id": id } %}{% return user %}'
const CALL = "{% function user = 'find', id: context.params.id %}"

export const nilResult = message(
  'nil-result',
  'warning',
  'NilResult',
  (variable: string, partial: string, empty: Span) => ({
    text: `${quote(variable)} may be nil here, because ${quote(partial)} does not always return a value.`,
    hint: `Check the value first with \`{% if ${variable} %}\`.`,
    related: [{ span: empty, message: 'no value is returned here' }],
  }),
  {
    wrong: `${CALL}{{ user.name }}`,
    right: `${CALL}{% if user %}{{ user.name }}{% endif %}`,
    both: { 'app/lib/find.liquid': FIND },
  },
)

/** Reports reads of parts of a function's result if the function returns nil on some path and no check comes before the read. */
export function checkNilResults({ site, siteTemplates, factsOf }: CheckedSite): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  for (const siteTemplate of siteTemplates) {
    const { functions, parts, guarded } = namesOf(siteTemplate)
    for (const { variable, partial, span } of functions) {
      const assignments = functions.filter((each) => each.variable === variable)
      // Another tag may set the variable to a value.
      if ((siteTemplate.outline.writes.get(variable) ?? 0) > assignments.length) continue
      const next = assignments.find((each) => each.span.start > span.start)?.span.start ?? Number.POSITIVE_INFINITY
      const target = site.partials.get(partial)
      const facts = target === undefined ? undefined : factsOf(target.file.path)
      const nilReturn = facts?.returned == null ? null : facts.emptyAt
      const read = parts.find(
        (each) => each.variable === variable && each.span.start > span.end && each.span.start < next,
      )
      if (nilReturn == null || read === undefined) continue
      // A later check shows that the author expects nil. A policy of the page may have made the check already.
      const guards = guarded.get(variable)
      if (guards === undefined ? isGuardedPage(siteTemplate) : guards.some((at) => isBetween(at, span, read.span)))
        continue
      const diagnostic = nilResult(read.span, variable, partial, nilReturn)
      // The file never checks the variable: the author may be certain that the result is not nil.
      diagnostics.push(guards === undefined ? { ...diagnostic, severity: 'info' } : diagnostic)
    }
  }
  return diagnostics
}

/** Returns whether the check is between the call and the read, or concerns a part of the value (offset 0). */
function isBetween(at: number, call: Span, read: Span): boolean {
  return at === 0 || (at >= call.end && at <= read.start)
}

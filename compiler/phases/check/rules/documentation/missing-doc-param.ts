/** `missing-doc-param`: a variable that a partial reads, but that its `doc` block does not declare. */
import type { Span } from '../../../../core/source/span.ts'
import { cardSite } from '../../../../core/diagnostics/card-site.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { DocParam } from '../../../../core/model/unit.ts'
import { findNearest } from '../../../../core/diagnostics/suggest.ts'
import { quotedTextAt } from '../../walk/quoted-text.ts'
import type { Walk } from '../../walk/walk.ts'

/** Returns the undeclared names that a partial reads from its caller, with their first read. `declared`: the parameters by name. */
export function undeclaredNames(walk: Walk, declared: ReadonlyMap<string, DocParam>): ReadonlyMap<string, Span> {
  if (!walk.isPartial || walk.env.isIncluded(walk.siteTemplate.key)) return new Map()
  return new Map(
    [...walk.reads.free].flatMap(([name, reads]): readonly [string, Span][] =>
      declared.has(name) || !reads.isForeign || walk.siteTemplate.outline.writes.has(name) ? [] : [[name, reads.span]],
    ),
  )
}

/**
 * Reports an undeclared name. A name that was probably meant counts as read.
 * @param doc the place of the `doc` block
 * @param unread the unread parameter that was probably meant
 */
export function reportUndeclared(
  walk: Walk,
  name: string,
  span: Span,
  doc: Span,
  declared: ReadonlyMap<string, DocParam>,
  unread: string | null,
): void {
  const suggestion =
    unread ??
    findNearest(name, [...declared.keys(), ...walk.siteTemplate.outline.writes.keys()]) ??
    quotedTextAt(walk, span)
  if (suggestion !== null) walk.reads.used.add(suggestion)
  walk.report(missingDocParam(span, name, doc, suggestion))
}

export const missingDocParam = message(
  'missing-doc-param',
  'warning',
  'MissingDocParam',
  // `suggestion`: a declared name, or a string literal in quotes.
  (name: string, doc: Span, suggestion: string | null) => ({
    subject: { kind: 'parameter', name },
    meant: suggestion === null || suggestion.startsWith("'") ? undefined : suggestion,
    text: `The partial reads ${quote(name)}, but its \`doc\` block does not declare it.`,
    hint:
      suggestion === null
        ? `Add \`@param ${name}\`.`
        : suggestion.startsWith("'")
          ? `Write \`${suggestion}\`, in quotes.`
          : `Did you mean \`${suggestion}\`? Otherwise, add \`@param ${name}\`.`,
    change: suggestion === null ? undefined : { edits: [{ part: name, text: suggestion }] },
    related: [{ span: doc, message: 'the parameters are declared here' }],
  }),
  {
    wrong: cardSite({ doc: '  @param {string} title - a', body: '{{ title }}{{ note }}' }),
    right: cardSite({ doc: '  @param {string} title - a' }),
  },
)

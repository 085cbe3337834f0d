/** `missing-translation-argument`: a placeholder in a translation for which the call passes no argument. */
import { findNearest } from '../../../../core/diagnostics/suggest.ts'
import type { Expression, FilterCall, NameNode } from '../../../../core/tree/ast.ts'
import { translationAt } from '../../../../language/settings/translations.ts'
import { type LocatedText, locatedText } from '../../walk/literal-text.ts'
import { FALLBACK_LOCALE, placeholdersIn } from '../../walk/translations.ts'
import type { Walk } from '../../walk/walk.ts'
import type { Span } from '../../../../core/source/span.ts'
import { message, relatedAt } from '../../../../core/diagnostics/diagnostic.ts'
import { textSite } from '../../../../core/diagnostics/text-site.ts'
import { joinWithAnd, quote } from '../../../../core/diagnostics/words.ts'

export const missingTranslationArgument = message(
  'missing-translation-argument',
  'warning',
  'WS35',
  // `instead`: the only argument of the call for which the text has no placeholder.
  (key: string, names: Iterable<string>, text: Span | null, instead: string | null = null) => ({
    subject: { kind: 'argument', name: [...names][0] ?? '', of: key, names: [...names], written: instead },
    text: `The translation ${quote(key)} needs ${joinWithAnd(names)}${instead === null ? '' : `, but this is ${quote(instead)}`}.`,
    hint:
      instead === null
        ? undefined
        : `Write ${quote(`${[...names].join()}: …`)}, or change the text to \`%{${instead}}\`.`,
    change: instead === null ? undefined : { edits: [{ part: instead, text: [...names].join() }] },
    related: relatedAt(text, 'the text is here'),
  }),
  {
    wrong: textSite(`{{ 'hello' | t }}`, { en: 'hello: Hello %{name}' }),
    right: textSite(`{{ 'hello' | t: name: 'Ada' }}`, { en: 'hello: Hello %{name}' }),
  },
)

/**
 * Reports placeholders for which a call has no argument. If only one is missing and an unused argument is left, its name is probably
 * misspelled. Returns whether such a misspelling was reported.
 * @param unused the arguments for which the text has no placeholder
 */
export function checkTranslationArguments(
  walk: Walk,
  { text: key, span }: LocatedText,
  missingNames: readonly string[],
  unused: readonly NameNode[],
  textSpan: Span | null,
): boolean {
  const [missingName] = missingNames
  if (missingName === undefined) return false
  const unusedNames = unused.map(({ name }) => name)
  const nearestName = findNearest(missingName, unusedNames)
  const misspelt = unused.find(({ name }) => unused.length === 1 || name === nearestName)
  const isMisspelling = missingNames.length === 1 && misspelt !== undefined
  walk.report(
    isMisspelling
      ? missingTranslationArgument(misspelt.span, key, missingNames, textSpan, misspelt.name)
      : missingTranslationArgument(span, key, missingNames, textSpan),
  )
  return isMisspelling
}

/** Reports, for a computed key and no arguments, the placeholders in the translation of the default key. */
export function checkDefaultText(walk: Walk, call: FilterCall, source: Expression | null): void {
  const last = source?.kind === 'filtered' ? source.filters.at(-1) : undefined
  if (call.named.length > 0 || call.positional.length > 0 || last?.name.name !== 'default') return
  const key = locatedText(last.positional[0])
  const translation = key === null ? null : translationAt(walk.env.site.translations.get(FALLBACK_LOCALE), key.text)
  if (key === null || translation?.kind !== 'value' || typeof translation.value !== 'string') return
  const unfilled = [...new Set(placeholdersIn(translation.value))]
  if (unfilled.length > 0) walk.report(missingTranslationArgument(key.span, key.text, unfilled, translation.span))
}

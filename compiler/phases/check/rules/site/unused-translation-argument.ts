/** `unused-translation-argument`: an argument for which the translation has no placeholder. */
import type { FilterCall, NameNode } from '../../../../core/tree/ast.ts'
import type { TranslationNode } from '../../../../core/model/settings.ts'
import { ofTranslations, twins } from '../../site/translations.ts'
import type { LocatedText } from '../../walk/literal-text.ts'
import { foreignPlace, placesOf, textsIn } from '../../walk/translations.ts'
import type { Walk } from '../../walk/walk.ts'
import { escapePattern } from '../../../../core/diagnostics/change.ts'
import type { Span } from '../../../../core/source/span.ts'
import { type Diagnostic, message, relatedAt } from '../../../../core/diagnostics/diagnostic.ts'
import { textSite } from '../../../../core/diagnostics/text-site.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const unusedTranslationArgument = message(
  'unused-translation-argument',
  'warning',
  'WS35',
  // `written`: the text that was meant as the placeholder.
  (key: string, name: string, text: Span | null, writtenText: string | null = null) => ({
    subject:
      writtenText === null
        ? { kind: 'argument', name, of: key }
        : { kind: 'placeholder', name: writtenText, of: key, meant: name },
    text: `The translation ${quote(key)} has no placeholder ${quote(name)}.`,
    hint:
      writtenText === null
        ? `Add \`%{${name}}\` to the text, or remove the argument.`
        : `Write \`%{${name}}\` instead of ${quote(writtenText)} in the text.`,
    change:
      writtenText === null || text === null
        ? undefined
        : { edits: [{ span: text, match: escapePattern(writtenText), text: `%{${name}}` }] },
    related: relatedAt(text, 'the text is here'),
  }),
  {
    wrong: textSite(`{{ 'hello' | t: name: 'Ada' }}`, { en: 'hello: Hello' }),
    right: textSite(`{{ 'hello' | t }}`, { en: 'hello: Hello' }),
  },
)

/**
 * Reports arguments for which a translation has no placeholder.
 * @param isComplete whether the call passes all placeholders. It may then pass further arguments for the text in another language.
 */
export function checkUnusedArguments(
  walk: Walk,
  key: string,
  unused: readonly NameNode[],
  textSpan: Span | null,
  isComplete: boolean,
): void {
  const severity = isComplete ? 'info' : 'warning'
  for (const { name, span } of unused)
    walk.report({ ...unusedTranslationArgument(span, key, name, textSpan), severity })
}

/**
 * Reports texts with a placeholder in another library's syntax, which is printed as is. Returns the names of the arguments that are meant.
 */
export function checkForeignPlaces(
  walk: Walk,
  call: FilterCall,
  key: string,
  texts: readonly LocatedText[],
): ReadonlySet<string> {
  const misread = new Set<string>()
  for (const argument of call.named) {
    const { name, span } = argument.name
    const diagnostic = findForeign(texts, key, name, span, `\`${name}\` is passed here`)
    if (diagnostic === null) continue
    misread.add(name)
    walk.report(diagnostic)
  }
  return misread
}

/** Reports texts that contain a placeholder of the other language, but in the syntax of another library. */
// "Pure" lets bundles for browsers, which have no such rule, leave it out.
export const checkForeignPlacesOfLanguages = /* @__PURE__ */ ofTranslations('foreign placeholders', (site) =>
  [...twins(site)].flatMap(({ key, one, other, kind }) =>
    kind === 'texts' ? [...foreignPlaces(other, one, key), ...foreignPlaces(one, other, key)] : [],
  ),
)

/** Returns the diagnostics for a translation, one per placeholder of the other language. */
function foreignPlaces(node: TranslationNode, other: TranslationNode, key: string): readonly Diagnostic[] {
  return [...placesOf(other)].flatMap(
    ([name, { span }]) =>
      (/^\w+$/.test(name)
        ? findForeign(textsIn(node), key, name, span, 'the text in the other language is here')
        : null) ?? [],
  )
}

/** Returns the diagnostic for the first of the texts with such a placeholder; null if there is none. */
function findForeign(
  texts: readonly LocatedText[],
  key: string,
  name: string,
  related: Span,
  relatedMessage: string,
): Diagnostic | null {
  for (const { text, span } of texts) {
    const writtenText = foreignPlace(text, name)
    if (writtenText !== null)
      return {
        ...unusedTranslationArgument(span, key, name, span, writtenText),
        related: [{ span: related, message: relatedMessage }],
      }
  }
  return null
}

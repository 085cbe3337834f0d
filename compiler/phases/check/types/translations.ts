/** Checks the filter `t`: its key, and the placeholders of the text. */
import type { FilterCall } from '../../../core/tree/ast.ts'
import type { TranslationNode } from '../../../core/model/settings.ts'
import type { Site } from '../../../core/model/site.ts'
import { translationAt } from '../../../language/settings/translations.ts'
import { checkPluralForms } from '../rules/site/missing-plural.ts'
import { checkMissingTranslation } from '../rules/site/missing-translation.ts'
import { checkDefaultText, checkTranslationArguments } from '../rules/site/missing-translation-argument.ts'
import { checkUnmatchedKey } from '../rules/site/unmatched-key.ts'
import { checkUnplacedArguments } from '../rules/site/unplaced-argument.ts'
import { checkForeignPlaces, checkUnusedArguments } from '../rules/site/unused-translation-argument.ts'
import type { FilterInput } from '../walk/filter-input.ts'
import { type LocatedText, locatedText } from '../walk/literal-text.ts'
import { FALLBACK_LOCALE, isPlural, placeholdersIn, REPLACING_ARGUMENTS } from '../walk/translations.ts'
import type { Walk } from '../walk/walk.ts'

export function checkTranslation(walk: Walk, call: FilterCall, { source, texts: findKeys }: FilterInput): void {
  const key = locatedText(source)
  if (key === null) {
    checkUnplacedArguments(walk, call)
    checkDefaultText(walk, call, source)
    checkUnmatchedKey(walk, call, source, findKeys())
    return
  }
  // With a hash of arguments, a scope or another locale, the placeholders or the full key are unknown.
  if (key.text === '' || call.positional.length > 0) return
  const argumentNames = new Set(call.named.map(({ name }) => name.name))
  if (argumentNames.has('scope') || argumentNames.has('locale')) return
  const translation = findTranslation(walk.env.site, key.text)
  if (translation === null) {
    if (!argumentNames.has('default')) checkMissingTranslation(walk, key)
    return
  }
  if (argumentNames.has('count')) checkPluralForms(walk, key, translation)
  const texts = textsOf(translation)
  if (texts === null) return
  const misread = checkForeignPlaces(walk, call, key.text, texts)
  const places = texts.flatMap(({ text }) => placeholdersIn(text)).filter((name) => !misread.has(name.trim()))
  const placeholders = new Set(places)
  const missingNames = [...placeholders].filter((name) => !argumentNames.has(name))
  const unused = call.named
    .map(({ name }) => name)
    .filter(
      ({ name }) => name !== 'count' && !REPLACING_ARGUMENTS.has(name) && !placeholders.has(name) && !misread.has(name),
    )
  const textSpan = texts[0]?.span ?? null
  if (checkTranslationArguments(walk, key, missingNames, unused, textSpan)) return
  checkUnusedArguments(walk, key.text, unused, textSpan, missingNames.length === 0 && placeholders.size > 0)
}

/** Returns the translation of a key in the fallback locale, or else in any locale; null if there is none. */
function findTranslation(site: Pick<Site, 'translations'>, key: string): TranslationNode | null {
  const fallback = translationAt(site.translations.get(FALLBACK_LOCALE), key)
  if (fallback !== null) return fallback
  for (const tree of site.translations.values()) {
    const found = translationAt(tree, key)
    if (found !== null) return found
  }
  return null
}

/** Returns the text of a translation, or its plural forms; null if it is not a text. */
function textsOf(node: TranslationNode): readonly LocatedText[] | null {
  if (node.kind === 'value') return typeof node.value === 'string' ? [{ text: node.value, span: node.span }] : null
  if (!isPlural(node)) return null
  const forms = [...node.entries.values()].map(textsOf)
  return forms.some((form) => form === null) ? null : forms.flatMap((form) => form ?? [])
}

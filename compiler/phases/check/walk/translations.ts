/** Recognizes plural forms and placeholders in translations. */
import type { TranslationMap, TranslationNode } from '../../../core/model/settings.ts'
import type { LocatedText } from './literal-text.ts'

/** The keys of the plural forms of a text. */
export const FORMS: ReadonlySet<string> = new Set(['zero', 'one', 'two', 'few', 'many', 'other'])

/** Keys that the language itself defines in English, so a site can translate them even if it has no English text for them. */
export const BUILT_IN = /^(?:errors|time|date|datetime|number|support)(?:\.|$)/

/** The locale that missing translations are looked up in. */
export const FALLBACK_LOCALE = 'en'

/** Arguments of `t` that replace the key or its text, so that another translation may be used. */
export const REPLACING_ARGUMENTS: ReadonlySet<string> = new Set(['default', 'fallback', 'locale', 'scope'])

/** Returns whether a map contains only the plural forms of one text. */
export function isPlural(map: TranslationMap): boolean {
  if (map.entries.size === 0) return false
  for (const name of map.entries.keys()) if (!FORMS.has(name)) return false
  return true
}

/** Returns the texts of a translation: its text, or its plural forms. */
export function textsIn(node: TranslationNode): readonly LocatedText[] {
  const nodes = node.kind === 'value' ? [node] : isPlural(node) ? [...node.entries.values()] : []
  return nodes.flatMap((each) =>
    each.kind === 'value' && typeof each.value === 'string' ? [{ text: each.value, span: each.span }] : [],
  )
}

/** Returns the texts of a translation by the names of their placeholders. */
export function placesOf(node: TranslationNode): ReadonlyMap<string, LocatedText> {
  return new Map(textsIn(node).flatMap((each) => placeholdersIn(each.text).map((name) => [name, each] as const)))
}

/** Returns the names of the `%{name}` placeholders in a text. */
export function placeholdersIn(text: string): readonly string[] {
  const names: string[] = []
  if (!text.includes('%{')) return names
  for (const match of text.matchAll(/%?%\{([^{}]*)\}/g)) if (!match[0].startsWith('%%')) names.push(match[1] ?? '')
  return names
}

/**
 * Finds a placeholder in the syntax of another library: `{{name}}`, `{name}`, `%{ name }`, `%(name)`, `:name`, `${name}`. Returns
 * its text; null if there is none, or if the text has the placeholder itself.
 */
export function foreignPlace(text: string, name: string): string | null {
  if (placeholdersIn(text).includes(name)) return null
  const plainText = name.replace(/[^\w]/g, '')
  const forms = `[$%]?\\{\\{?\\s*${plainText}\\s*\\}?\\}|%\\(${plainText}\\)s?|(?<!\\w):${plainText}\\b`
  return new RegExp(forms).exec(text)?.[0] ?? null
}

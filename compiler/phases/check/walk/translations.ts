/** Recognizes plural forms and placeholders in translations. */
import type { TranslationMap } from '../../../core/model/settings.ts'

/** The keys of the plural forms of a text. */
export const FORMS: ReadonlySet<string> = new Set(['zero', 'one', 'two', 'few', 'many', 'other'])

/** Keys that the language itself defines in English, so a site can translate them even if it has no English text for them. */
export const BUILT_IN = /^(?:errors|time|date|datetime|number|support)(?:\.|$)/

/** Returns whether a map contains only the plural forms of one text. */
export function isPlural(map: TranslationMap): boolean {
  if (map.entries.size === 0) return false
  for (const name of map.entries.keys()) if (!FORMS.has(name)) return false
  return true
}

/** Returns the names of the `%{name}` placeholders in a text. */
export function placeholdersIn(text: string): readonly string[] {
  const names: string[] = []
  for (const match of text.matchAll(/%?%\{([^{}]*)\}/g)) if (!match[0].startsWith('%%')) names.push(match[1] ?? '')
  return names
}

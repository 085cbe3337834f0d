/** What translations hold: forms of numbers, and places for values. */
import type { TranslationMap } from '../../../core/model/settings.ts'

/** Forms of a text for different numbers. */
export const FORMS: ReadonlySet<string> = new Set(['zero', 'one', 'two', 'few', 'many', 'other'])

/** Keys that the language defines itself, in English: translations of them have nothing to be compared with. */
export const BUILT_IN = /^(?:errors|time|date|datetime|number|support)(?:\.|$)/

/** Whether a map holds the forms of one text for different numbers. */
export function isPlural(map: TranslationMap): boolean {
  if (map.entries.size === 0) return false
  for (const name of map.entries.keys()) if (!FORMS.has(name)) return false
  return true
}

/** The names in `%{name}` places of a text. */
export function placeholdersIn(text: string): readonly string[] {
  const names: string[] = []
  for (const match of text.matchAll(/%?%\{([^{}]*)\}/g)) if (!match[0].startsWith('%%')) names.push(match[1] ?? '')
  return names
}

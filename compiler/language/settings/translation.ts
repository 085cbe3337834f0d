/** Reads a translation file: its languages and keys. `translations.ts` merges the files of a site. */
import { translationLocale } from '../../core/diagnostics/codes/site/translation-locale.ts'
import { distance } from '../../core/diagnostics/suggest.ts'
import type { TranslationSettings } from '../../core/model/settings.ts'
import { type ReadSettings, top } from './setting.ts'

/** Any locale is allowed, but only with these characters. */
const LOCALE = /^[\w-]+$/

export const translation: ReadSettings<TranslationSettings> = (file, tree, report) => {
  if (tree === null) return { kind: 'translation', locales: [] }
  const localeInPath = localeOfPath(file.name, file.module)
  if (tree.kind !== 'map') {
    report.add(translationLocale(tree.span, null, localeInPath))
    return { kind: 'translation', locales: [] }
  }
  const locales = tree.entries.map(({ key, keySpan, value }) => {
    if (!LOCALE.test(key)) report.add(translationLocale(keySpan, key, null))
    else if (localeInPath !== null && !sameLanguage(key, localeInPath))
      report.add(translationLocale(keySpan, key, localeInPath))
    else if (localeInPath === null && findMisspeltLanguage(key, file.name) !== null)
      report.add(translationLocale(keySpan, key, findMisspeltLanguage(key, file.name)))
    const isEmpty = value.kind === 'scalar' && value.value === null
    if (value.kind !== 'map' && !isEmpty) report.add(translationLocale(value.span, null, key))
    return { locale: key, localeSpan: keySpan, tree: value.kind === 'map' ? value : null }
  })
  if (locales.length === 0) report.add(translationLocale(top(file), null, localeInPath))
  return { kind: 'translation', locales }
}

/** Returns the locale in the folder of a file: `pl` for `pl/home`; null for `home` and `ui/home`. */
function localeOfPath(name: string, module: string | null): string | null {
  const nameInModule = module === null ? name : name.slice(`modules/${module}/`.length)
  const slash = nameInModule.indexOf('/')
  const folder = nameInModule.slice(0, Math.max(slash, 0))
  return isLanguage(folder) ? folder : null
}

/**
 * Returns the two-letter language in the file name (`pl`, `books.pl`, `pl_menu`) if the locale is not a language and differs from it by
 * one typo.
 */
function findMisspeltLanguage(locale: string, name: string): string | null {
  // A code that begins with the language and has one extra letter is a typo, although some languages have three letters.
  const words = name.slice(name.lastIndexOf('/') + 1).split(/[._-]/)
  const isTypo = (word: string) => !(isLanguage(locale) && !locale.startsWith(word)) && distance(locale, word, 1) <= 1
  return words.includes(locale)
    ? null
    : (words.find((word) => word.length === 2 && isLanguage(word) && isTypo(word)) ?? null)
}

function isLanguage(name: string): boolean {
  if (!/^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*$/.test(name)) return false
  const language = name.split(/[-_]/, 1)[0]?.toLowerCase() ?? ''
  return NAMES.of(language) !== undefined
}

/** Used to check whether a code is a language, because folders can have other names. */
const NAMES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

function sameLanguage(a: string, b: string): boolean {
  return a.toLowerCase().replace('_', '-') === b.toLowerCase().replace('_', '-')
}

/** Texts of generated files in the other languages of a site: in English, for a translator. */
import type { Files } from './model.ts'

const ENGLISH = /^(app\/translations\/.+)\.en\.yml$/
/** Names such as `de.yml`, `books.pt-BR.yml` and the folder `de`. */
const NAMED = /^(?:.+\.)?(?<file>[a-z]{2,3}(?:-[A-Za-z]+)?)\.yml$|^(?<folder>[a-z]{2,3}(?:-[A-Za-z]+)?)$/

/** Returns the languages other than English for which a site has texts. @param names entries of `app/translations` */
export function otherLanguages(names: readonly string[]): readonly string[] {
  const found = names.flatMap((name) => {
    const { file, folder } = NAMED.exec(name)?.groups ?? {}
    return file ?? folder ?? []
  })
  return [...new Set(found)].filter((language) => language !== 'en').toSorted()
}

/**
 * Returns a copy of each file of English texts for each language, except for files that exist: they may be translated already.
 * @param read returns the text of a file of the site, or null
 */
export function textsToTranslate(
  files: Files,
  languages: readonly string[],
  read: (path: string) => string | null,
): Files {
  const copies = Object.entries(files).flatMap(([path, text]) => {
    const [, start] = ENGLISH.exec(path) ?? []
    if (start === undefined) return []
    return languages.map((language) => {
      // YAML reads the plain word as a boolean.
      const key = language === 'no' ? "'no'" : language
      return [`${start}.${language}.yml`, text.replace(/^en:/, `${key}:`)] as const
    })
  })
  return Object.fromEntries(copies.filter(([path]) => read(path) === null))
}

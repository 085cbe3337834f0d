/** A page with translations, for the examples of codes about them. */
import type { Example } from './diagnostic.ts'

/** Returns the files of the site. `texts` are the entries of each language as YAML. */
export function textSite(page: string, texts: Readonly<Record<string, string>>): Example {
  const files = Object.entries(texts).map(([locale, entries]) => [
    `app/translations/${locale}.yml`,
    `${locale}:\n  ${entries}\n`,
  ])
  return { 'app/views/pages/index.liquid': page, ...Object.fromEntries(files) }
}

/** Generates pages that answer the rows of a table as JSON, to programs with a token. */
import { readerOf } from './fields.ts'
import { type Files, type GeneratorOptions, leaveOut } from './model.ts'
import type { Names } from './names.ts'
import { readTemplate } from './read-template.ts'
import { readProperties } from './tables.ts'

const POLICY = 'app/authorization_policies/has_token.liquid'
const ABSOLUTE = 'app/lib/api/absolute_url.liquid'

/** Returns the files of a JSON API for a table. @throws UsageError when the site has no such table */
export function apiFiles({ singular, plural }: Names, options: GeneratorOptions): Files {
  const properties = readProperties(singular, options)
  const uploads = properties.filter(({ type }) => type === 'upload').map(({ name }) => name)
  const selections = properties.map(
    ({ name, type }) => `      ${readerOf(name, type)}${type === 'upload' ? ' { url file_name }' : ''}\n`,
  )
  const files = readTemplate('json-pages', {
    SINGULAR: singular,
    PLURAL: plural,
    SELECTIONS: selections.join(''),
    URLS_OF_ROWS:
      uploads.length === 0
        ? ''
        : `  for ${singular} in found.${plural}.results\n${absoluteUrls(singular, uploads, '    ')}  endfor\n`,
    URLS_OF_ROW: absoluteUrls(singular, uploads, '  '),
  })
  // The pages of all tables share these files, so they may exist already.
  const existing = [POLICY, ABSOLUTE].filter((path) => options.read?.(path) != null)
  return leaveOut(files, uploads.length === 0 ? [...existing, ABSOLUTE] : existing)
}

/** Returns lines that replace the addresses of a row's files. */
function absoluteUrls(row: string, uploads: readonly string[], indent: string): string {
  const lines = uploads.flatMap((name) => [
    `if ${row}.${name}`,
    `  function url = 'api/absolute_url', path: ${row}.${name}.url`,
    `  assign ${row}["${name}"]["url"] = url`,
    'endif',
  ])
  return lines.map((line) => `${indent}${line}\n`).join('')
}

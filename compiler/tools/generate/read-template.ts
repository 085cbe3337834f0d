/** Reads the files of templates: of `ingot init`, of its deployment files, and of the generators. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesIn } from './files-in.mjs'
import type { Files } from './model.ts'

/** The file of an installed package, and the folder of a checkout: seen from dist/, and from this file, which tests run. */
const PLACES = ['./templates.json', '../fixtures/templates', '../../../fixtures/templates']

/**
 * Returns the files of a template.
 * @param name its folder in `fixtures/templates`
 * @param values texts for the placeholders in its paths and texts: see `fillTemplate`
 */
export function readTemplate(name: string, values: Files = {}): Files {
  const paths = PLACES.map((path) => fileURLToPath(new URL(path, import.meta.url)))
  const place = paths.find((path) => existsSync(path)) ?? ''
  const files = place.endsWith('.json') ? readPacked(place)[name] : filesIn(join(place, name))
  const filled = Object.entries(files ?? {}).map(([path, text]) => [
    fillTemplate(path, values),
    fillTemplate(text, values),
  ])
  return Object.fromEntries(filled)
}

/** Reads the texts by folder and path that the build of the package wrote. */
function readPacked(path: string): Readonly<Record<string, Files>> {
  return JSON.parse(readFileSync(path, 'utf8'))
}

/**
 * Replaces placeholders such as `@NAME@` by their values. A placeholder can be alone on its line. Its line break is then replaced too, so its
 * value must end with a line break or be empty.
 * @param values texts by name of the placeholder
 */
export function fillTemplate(text: string, values: Files): string {
  return text.replaceAll(
    /^@([A-Z_]+)@\n|@([A-Z_]+)@/gm,
    (whole, lines: string, word: string) => values[lines ?? word] ?? whole,
  )
}

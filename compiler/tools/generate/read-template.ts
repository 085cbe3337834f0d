/** Reads the files of templates: of `ingot init`, and of generated accounts. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesIn } from './files-in.mjs'
import type { Files } from './model.ts'

/**
 * Returns the files of a template.
 * @param templates path of `fixtures/templates`; in the package, of a JSON file with the texts by folder and path
 */
export function readTemplate(templates: string, name: string): Files {
  if (!templates.endsWith('.json')) return filesIn(join(templates, name))
  // The build of the package wrote this file.
  const packed: Readonly<Record<string, Files>> = JSON.parse(readFileSync(templates, 'utf8'))
  return packed[name] ?? {}
}

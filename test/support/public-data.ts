/**
 * Reads the public test data of base Liquid, which is not part of the project. `INGOT_CONFORMANCE` is its folder; the default is
 * `../shared/conformance`.
 */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe } from 'vitest'
import { parseJson } from '../../runtime/page/values/json.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface PublicData {
  /** The file's content, with integers and floats distinguished. Null if the file is missing. */
  readonly content: unknown
  /** `describe`, or `describe.skip` if the file is missing. */
  readonly suite: typeof describe | typeof describe.skip
  /** A note for the name of a suite if the file is missing. */
  readonly why: string
}

/** Reads a file of the data. Prints a warning if the file is missing. */
export function publicData(name: string): PublicData {
  const path = `${process.env['INGOT_CONFORMANCE'] ?? `${root}../shared/conformance`}/${name}`
  if (existsSync(path)) return { content: parseJson(readFileSync(path, 'utf8')), suite: describe, why: '' }
  console.warn(
    `\n!!! THE PUBLIC CONFORMANCE DATA IS MISSING: ${path}\n!!! Nothing of it was run. Set INGOT_CONFORMANCE to its folder.\n`,
  )
  return {
    content: null,
    suite: describe.skip,
    why: ` (left out: no ${path}; set INGOT_CONFORMANCE to the folder that holds it)`,
  }
}

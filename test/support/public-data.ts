/**
 * The public test data of base Liquid, which stays outside of the project: `INGOT_CONFORMANCE` names its folder,
 * `../shared/conformance` is the default.
 */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe } from 'vitest'
import { parseJson } from '../../runtime/page/values/json.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface PublicData {
  /** What the file holds, integers and floats kept apart; null where it is missing. */
  readonly content: unknown
  /** `describe`, which leaves its tests out where the file is missing. */
  readonly suite: typeof describe | typeof describe.skip
  /** What the name of a suite says where the file is missing. */
  readonly why: string
}

/** Reads a file of the data, and says loudly where it is missing. */
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

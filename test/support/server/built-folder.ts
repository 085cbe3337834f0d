/** Compiles and bundles a site into its folder, for tests that serve it as a program. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { bundle } from '../../../compiler/phases/bundle/bundle.ts'
import { compile } from '../../../compiler/compile.ts'
import { discover } from '../../../compiler/core/source/discover.ts'
import { folder } from './site.ts'

/** @param texts texts by path: `app/views/pages/index.liquid`. @returns the folder of the site */
export async function builtFolder(texts: Readonly<Record<string, string>>): Promise<string> {
  const root = folder(texts)
  const { files } = await discover(root)
  const compiled = compile(files, { dialect: 'platform', syntax: 'lax', keepGoing: false, openEntries: false })
  const errors = compiled.diagnostics.filter((each) => each.severity === 'error')
  expect(errors.map(({ code, message }) => `${code}: ${message}`)).toEqual([])
  const out = join(root, '.ingot')
  mkdirSync(out)
  await bundle({ modules: compiled.modules, files, operations: compiled.operations, out })
  return root
}

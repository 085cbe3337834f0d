/** Compiles and bundles a small site like `ingot build`, for tests that serve it. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { bundle } from '../../../compiler/phases/bundle/bundle.ts'
import { compile } from '../../../compiler/compile.ts'
import { discover } from '../../../compiler/core/source/discover.ts'
import * as runtime from '../../../runtime/index.ts'
import { type LoadedSite, loadSite } from '../../../server/web/site/load.ts'
import { folder } from './site.ts'

export interface LiquidSite {
  readonly loaded: LoadedSite
  close(): void
}

/** @param files texts by path: `app/views/pages/index.liquid` */
export async function liquidSite(files: Readonly<Record<string, string>>): Promise<LiquidSite> {
  const root = folder(files)
  const found = await discover(root)
  const compiled = compile(found.files, {
    dialect: 'platform',
    syntax: 'lax',
    keepGoing: false,
    openEntries: false,
  })
  const errors = compiled.diagnostics.filter((each) => each.severity === 'error')
  expect(errors.map(({ code, message }) => `${code}: ${message}`)).toEqual([])
  const out = join(root, '.ingot', 'build')
  await bundle({ modules: compiled.modules, files: found.files, operations: compiled.operations, out })
  return {
    loaded: await loadSite({ root, folder: out }, runtime),
    close: () => rmSync(root, { recursive: true, force: true }),
  }
}

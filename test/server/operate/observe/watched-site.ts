/** A built site of a few templates, for tests of observed programs. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { bundle } from '../../../../compiler/phases/bundle/bundle.ts'
import { compile } from '../../../../compiler/compile.ts'
import { discover } from '../../../../compiler/core/source/discover.ts'
import type { Door } from '../../web/graphql/door.ts'
import { folder } from '../../../support/server/site.ts'

/** Compiles and bundles a site. @returns its folder */
export async function watchedSite(texts: Readonly<Record<string, string>>): Promise<string> {
  const root = folder(texts)
  const { files } = await discover(root)
  const compiled = compile(files, {
    dialect: 'platform',
    syntax: 'lax',
    keepGoing: false,
    openEntries: false,
  })
  const errors = compiled.diagnostics.filter((each) => each.severity === 'error')
  expect(errors.map(({ code, message }) => `${code}: ${message}`)).toEqual([])
  const out = join(root, '.ingot')
  mkdirSync(out)
  await bundle({ modules: compiled.modules, files, operations: compiled.operations, out })
  return root
}

/** Returns the URL of the database through a door. */
export function urlOfDoor({ address: { user, password, host, port, database } }: Door): string {
  return `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${host}:${port}/${database}`
}

/** Builds and loads a small site like `ingot build` and `ingot serve`, with a separate database. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { expect } from 'vitest'
import { bundle } from '../../compiler/phases/bundle/bundle.ts'
import { compile } from '../../compiler/compile.ts'
import { readModuleManifests } from '../../compiler/core/source/module-manifests.ts'
import * as runtime from '../../runtime/index.ts'
import { createAccounts } from '../../server/web/accounts/accounts.ts'
import { createApp } from '../../server/web/app.ts'
import { openGraphql } from '../../server/web/graphql/process.ts'
import type { Reply, Request } from '../../server/web/http/message.ts'
import type { Environment } from '../../server/core/settings.ts'
import { loadSite } from '../../server/web/site/load.ts'
import { sourceFiles } from './case-file.ts'
import { applyData, type TestDatabase, testDatabase } from './database.ts'
import { write } from './product.ts'
import { request } from './server/site.ts'

const SECRET = 'of the tests'

export interface ServedFiles {
  /** The warnings and errors in the site's log. */
  readonly loggedProblems: readonly string[]
  get(url: string, more?: Partial<Request>): Promise<Reply>
  close(): Promise<void>
}

export interface ServedFilesOptions {
  readonly constants?: Readonly<Record<string, string>>
  readonly environment?: Environment
  /** Additional files that the compiler does not read. */
  readonly additionalFiles?: Readonly<Record<string, string>>
  /** A database shared with other sites without tables. By default the site gets a separate one. */
  readonly sharedDatabase?: TestDatabase
}

/** Serves the files. @throws Error if the compiler reports an error */
export async function servedFiles(
  files: Readonly<Record<string, string>>,
  { constants = {}, environment = 'production', additionalFiles = {}, sharedDatabase }: ServedFilesOptions = {},
): Promise<ServedFiles> {
  const sources = sourceFiles(files, 'platform')
  const compiled = compile(sources, { dialect: 'platform', syntax: 'lax', keepGoing: false, openEntries: false })
  const errors = compiled.diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message)
  expect(errors).toEqual([])
  const home = mkdtempSync(join(tmpdir(), 'ingot-served-'))
  write(home, { ...files, ...additionalFiles })
  const folder = join(home, '.ingot')
  const manifests = await readModuleManifests(home)
  await bundle({ modules: compiled.modules, files: sources, operations: compiled.operations, manifests, out: folder })
  const loaded = await loadSite({ root: home, folder }, runtime)
  const loggedProblems: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line) => void loggedProblems.push(line) })
  const database = sharedDatabase ?? (await testDatabase())
  const graphql = await openGraphql({ sql: database.sql, replica: null, secret: SECRET, apiToken: null, logger })
  const accounts = createAccounts({ statements: graphql.statements, secret: SECRET })
  const ids = await applyData(database.sql, loaded.site.data)
  const facts = { environment, version: '0.1.0', logger, constants: () => constants } as const
  const { handler } = createApp(loaded, { ...facts, graphql, accounts }, ids)
  return {
    loggedProblems,
    get: async (url, more = {}) => handler(request(url, { host: 'localhost:3000', ...more })),
    async close() {
      await graphql.close()
      if (sharedDatabase === undefined) await database.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

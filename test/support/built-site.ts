/** Builds and loads a fixture site like `ingot build` and `ingot serve`. A site with tables gets a database. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pino from 'pino'
import { expect } from 'vitest'
import { prepareAssets } from '../../compiler/phases/assets/prepare.ts'
import { bundle } from '../../compiler/phases/bundle/bundle.ts'
import { type Compiled, compile } from '../../compiler/compile.ts'
import { discover } from '../../compiler/core/source/discover.ts'
import * as runtime from '../../runtime/index.ts'
import { createAccounts } from '../../server/web/accounts/accounts.ts'
import { createApp } from '../../server/web/app.ts'
import { seedSite } from '../../server/web/transfer/seed.ts'
import { openGraphql } from '../../server/web/graphql/process.ts'
import type { Handler, Reply, Request } from '../../server/web/http/message.ts'
import { loadSite } from '../../server/web/site/load.ts'
import { applyData, type TestDatabase, testDatabase } from './database.ts'
import { request } from './server/site.ts'

export const sites = fileURLToPath(new URL('../../fixtures/sites', import.meta.url))

export interface BuiltSite {
  readonly compiled: Compiled
  readonly handler: Handler
  /** Warnings and errors in the site's log. */
  readonly loggedProblems: string[]
  /** The database of the site; null for a site without tables. */
  readonly database: TestDatabase | null
  /** Table ids by table name. */
  readonly ids: ReadonlyMap<string, number>
  /** Returns the number of SQL statements that have run so far. */
  statementCount(): number
  get(url: string, more?: Partial<Request>): Promise<Reply>
  close(): Promise<void>
}

/** Builds a fixture site and returns its handler. The database contains the rows of the site's `seed`. */
export async function builtSite(name: string): Promise<BuiltSite> {
  const root = join(sites, name)
  const discovered = await discover(root)
  const { files } = discovered
  const assets = await prepareAssets(root, discovered)
  const compiled = compile(files, {
    dialect: 'platform',
    syntax: 'lax',
    keepGoing: false,
    openEntries: false,
    assets: assets.served,
  })
  const errors = compiled.diagnostics.filter((each) => each.severity === 'error')
  expect(errors.map(({ code, message }) => `${code}: ${message}`)).toEqual([])
  const home = mkdtempSync(join(tmpdir(), 'ingot-sites-'))
  const folder = join(home, 'build')
  await bundle({ modules: compiled.modules, files, operations: compiled.operations, assets, out: folder })
  const loaded = await loadSite({ root, folder }, runtime)
  const loggedProblems: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line) => void loggedProblems.push(line) })
  const facts = { environment: 'production', version: '0.1.0', logger } as const
  const common = { compiled, loggedProblems }

  const { data } = loaded.site
  if (data.tables.length === 0) {
    const { handler } = createApp(loaded, { ...facts, constants: () => ({}) })
    return {
      ...common,
      handler,
      database: null,
      ids: new Map(),
      statementCount: () => 0,
      get: async (url, more = {}) => handler(request(url, { host: 'localhost:3000', ...more })),
      close: async () => rmSync(home, { recursive: true, force: true }),
    }
  }

  const database = await testDatabase()
  const { sql } = database
  const ids = await applyData(sql, data)
  const faults: string[] = []
  await seedSite(
    { root, data, ids, sql, close: async () => undefined },
    {
      reset: false,
      dryRun: false,
      report: (fault) => void faults.push(JSON.stringify(fault)),
      progress: () => undefined,
    },
  )
  expect(faults).toEqual([])
  const opened = await openGraphql({ sql, replica: null, secret: 'of the tests', apiToken: null, logger })
  let count = 0
  const graphql: typeof opened = {
    ...opened,
    statements: {
      ...opened.statements,
      run(...given) {
        count++
        return opened.statements.run(...given)
      },
    },
  }
  const accounts = createAccounts({ statements: opened.statements, secret: 'of the tests' })
  const { handler } = createApp(loaded, { ...facts, constants: graphql.constants.all, graphql, accounts }, ids)
  return {
    ...common,
    handler,
    database,
    ids,
    statementCount: () => count,
    get: async (url, more = {}) => handler(request(url, { host: 'localhost:3000', ...more })),
    async close() {
      await graphql.close()
      await database.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** Returns the body of a reply as text. */
export function bodyText({ body }: Reply): string {
  return typeof body === 'string' ? body : Buffer.from(body as Uint8Array).toString()
}

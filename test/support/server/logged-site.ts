/** Serves a small site with its log in a database, for tests of the log. */
import pino from 'pino'
import { expect } from 'vitest'
import { createAccounts } from '../../../server/web/accounts/accounts.ts'
import { type App, createApp } from '../../../server/web/app.ts'
import { openGraphql } from '../../../server/web/graphql/process.ts'
import { openLogs } from '../../../server/web/logs/open.ts'
import { applyData, type TestDatabase, testDatabase } from '../database.ts'
import { type LiquidSite, liquidSite } from './liquid-site.ts'

const SECRET = 'of the tests'

export interface Entry {
  readonly type: string
  readonly message: string
  readonly data: Record<string, unknown>
}

export interface LoggedSite {
  readonly sql: TestDatabase['sql']
  /** The site in raise mode: the first error ends the response. */
  readonly raising: App
  /** The site in inline mode: errors are printed in place. */
  readonly printing: App
  /** Returns the site with another configuration. @param config text of `app/config.yml`, null for a site without one */
  app(config: string | null): Promise<App>
  /** Waits for that many log entries, and returns them in order. */
  waitForEntries(count: number): Promise<readonly Entry[]>
  clearLog(): Promise<void>
  close(): Promise<void>
}

/** @param files texts by path, without `app/config.yml` */
export async function loggedSite(files: Readonly<Record<string, string>>): Promise<LoggedSite> {
  const database = await testDatabase()
  const { sql } = database
  const logger = pino({ level: 'silent' })
  const graphql = await openGraphql({ sql, replica: null, secret: SECRET, apiToken: null, logger })
  const logs = openLogs(database.url, { environment: 'production', logger })
  const built: LiquidSite[] = []

  async function createSiteApp(config: string | null): Promise<App> {
    const site = await liquidSite({ ...files, ...(config !== null && { 'app/config.yml': config }) })
    built.push(site)
    const ids = await applyData(sql, site.loaded.site.data)
    const accounts = createAccounts({ statements: graphql.statements, secret: SECRET })
    const facts = { environment: 'production', version: '0.1.0', logger, constants: () => ({}) } as const
    return createApp(site.loaded, { ...facts, graphql, accounts, log: logs }, ids)
  }

  const read = async (): Promise<readonly Entry[]> =>
    sql<Entry[]>`select type, message, data from ingot.logs order by id`
  return {
    sql,
    raising: await createSiteApp('liquid_raise_mode: true\n'),
    printing: await createSiteApp('liquid_raise_mode: false\n'),
    app: createSiteApp,
    async waitForEntries(count) {
      await expect.poll(async () => (await read()).length).toBe(count)
      return read()
    },
    async clearLog() {
      await sql`delete from ingot.logs`
    },
    async close() {
      await logs.close()
      await graphql.close()
      for (const site of built) site.close()
      await database.close()
    },
  }
}

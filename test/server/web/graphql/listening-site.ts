/** A compiled site with its own database that listens on a port, for tests in which sites call each other. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import pino from 'pino'
import { type App, createApp } from '../../../../server/web/app.ts'
import type { FileService } from '../../../../server/web/files/files.ts'
import { openFiles } from '../../../../server/web/files/open.ts'
import { createAccounts } from '../../../../server/web/accounts/accounts.ts'
import { openGraphql } from '../../../../server/web/graphql/process.ts'
import { listen } from '../../../../server/web/http/listen.ts'
import { openNotifications } from '../../../../server/web/notifications/open.ts'
import { applyData, type TestDatabase, testDatabase } from '../../../support/database.ts'
import { liquidSite } from '../../../support/server/liquid-site.ts'
import { request } from '../../../support/server/site.ts'
import { ADMIN, SECRET } from './served.ts'

/** The result of an operation. The tests know what they have selected. */
export type GraphqlResult = ReturnType<typeof JSON.parse>

export interface ListeningSite {
  readonly app: App
  readonly sql: TestDatabase['sql']
  readonly url: string
  /** The requests that arrived over the port: method and path with query. */
  readonly requests: string[]
  /** What the log of the process contains. */
  log(): string
  /** Runs a document in a template. */
  run(document: string, variables?: Readonly<Record<string, unknown>>): Promise<GraphqlResult>
  close(): Promise<void>
}

const RUN =
  '---\nslug: run\nformat: json\nmethod: post\n---\n{% graphql g, args: context.params.variables %}{{ context.params.document }}{% endgraphql %}{{ g | json }}'

/**
 * @param files texts by path
 * @param outgoing the hosts of the private network that the site may call
 */
export async function listeningSite(
  files: Readonly<Record<string, string>>,
  outgoing: readonly string[],
): Promise<ListeningSite> {
  const home = mkdtempSync(join(tmpdir(), 'ingot-listening-'))
  const database = await testDatabase()
  const built = await liquidSite({ ...files, 'app/views/pages/run.liquid': RUN })
  const { sql } = database
  let log = ''
  const logger = pino(
    { level: 'trace' },
    new Writable({
      write(chunk, _encoding, done) {
        log += String(chunk)
        done()
      },
    }),
  )
  const ids = await applyData(sql, built.loaded.site.data)
  const graphql = await openGraphql({ sql, replica: null, secret: SECRET, apiToken: ADMIN, logger })
  const asset = async () => null
  const opened = openFiles({ sql, secret: SECRET, dataFolder: home, uploadLimit: 1_000, s3: null, asset, logger })
  const stored: FileService = opened.service
  const delivery = { smtpUrl: null, from: null, testEmail: null, smsUrl: null, smsToken: null }
  const environment = 'production' as const
  const notifications = openNotifications({
    ...{ environment, delivery, outgoing, dataFolder: home, sql, files: stored, logger },
  })
  const accounts = createAccounts({ statements: graphql.statements, secret: SECRET })
  const facts = { environment, version: '0.1.0', constants: graphql.constants.all, logger }
  const app = createApp(built.loaded, { ...facts, graphql, notifications, files: stored, accounts }, ids)
  const requests: string[] = []
  const listening = await listen(
    (sent) => {
      requests.push(`${sent.method} ${sent.url}`)
      return app.handler(sent)
    },
    { host: '127.0.0.1', port: 0, proxies: 0, bodyLimit: 1_000_000, log: logger },
  )
  return {
    app,
    sql,
    url: `http://127.0.0.1:${listening.port}`,
    requests,
    log: () => log,
    async run(document, variables = {}) {
      const body = Buffer.from(JSON.stringify({ document, variables }))
      const headers = { 'content-type': 'application/json' }
      const { status, body: text } = await app.handler(request('/run.json', { method: 'POST', headers, body }))
      if (status !== 200) throw new Error(`status ${status}: ${String(text)}`)
      return JSON.parse(String(text))
    },
    async close() {
      await listening.stop(200, 0)
      opened.close()
      await notifications.close()
      await graphql.close()
      await database.close()
      built.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** Serves a site with tables over HTTP with a real database, as a worker process does. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import type { Sql } from 'postgres'
import type { DataSchema, PropertyDef, PropertyType } from '../../../../runtime/page/compiled.ts'
import type { CompiledSite } from '../../../../runtime/page/site.ts'
import { createAccounts } from '../../../../server/web/accounts/accounts.ts'
import { type App, createApp } from '../../../../server/web/app.ts'
import { type GraphqlProcess, openGraphql } from '../../../../server/web/graphql/process.ts'
import { listen } from '../../../../server/web/http/listen.ts'
import type { Environment } from '../../../../server/core/settings.ts'
import { createLoadedSite } from '../../../../server/web/site/load.ts'
import { watchReplica } from '../../../../server/data/store/replica.ts'
import { createToken, type TokenScope } from '../../../../server/data/store/tokens.ts'
import { applyData } from '../../../support/database.ts'

export interface Served {
  readonly url: string
  readonly app: App
  readonly graphql: GraphqlProcess
  readonly logged: Record<string, unknown>[]
  /** Sends an operation with a token. Returns the status and the JSON of the response. */
  ask(query: unknown, more?: Ask): Promise<{ status: number; json: Answer }>
  /** Sends a request to the same address with any body. */
  send(
    body: string | Uint8Array,
    headers?: Record<string, string>,
  ): Promise<{ status: number; text: string; headers: Headers }>
  /** Requests a page. */
  page(path: string): Promise<{ status: number; text: string; headers: Headers }>
  token(scope: TokenScope): Promise<string>
  close(): Promise<void>
}

export interface Ask {
  readonly variables?: unknown
  readonly operationName?: string
  readonly token?: string
}

export interface Answer {
  // The tests check the contents.
  readonly data?: Record<string, unknown> | null
  readonly errors?: readonly { readonly message: string; readonly [key: string]: unknown }[]
}

export interface ServeOptions {
  readonly environment?: Environment
  readonly replica?: Sql
  readonly root?: string
  readonly bodyLimit?: number
}

export const ADMIN = 'the-token-of-the-environment'
export const SECRET = 'the secret of these tests'

export function property(name: string, type: PropertyType, more: Partial<PropertyDef> = {}): PropertyDef {
  return { name, type, default: null, belongsTo: null, options: null, ...more }
}

/** Returns a schema with these tables, by name, and the types of their properties. */
export function schema(tables: Readonly<Record<string, Readonly<Record<string, PropertyType>>>>): DataSchema {
  return {
    tables: Object.entries(tables).map(([name, properties]) => ({
      name,
      file: `app/schema/${name}.yml`,
      properties: Object.entries(properties).map(([key, type]) => property(key, type)),
    })),
    user: [],
    profiles: [],
  }
}

/** Serves a site. @param sql the client that its process uses */
export async function serve(site: CompiledSite, sql: Sql, options: ServeOptions = {}): Promise<Served> {
  const environment = options.environment ?? 'production'
  const logged: Record<string, unknown>[] = []
  const logger = pino({ level: 'debug' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
  const ids = await applyData(sql, site.data)
  const graphql = await openGraphql({
    sql,
    replica: options.replica === undefined ? null : watchReplica(options.replica, sql, 10, logger),
    secret: SECRET,
    apiToken: ADMIN,
    logger,
  })
  const accounts = createAccounts({ statements: graphql.statements, secret: SECRET, logger })
  const root = options.root ?? mkdtempSync(join(tmpdir(), 'ingot-served-'))
  const app = createApp(
    createLoadedSite(site, root, join(root, '.ingot'), true),
    { environment, version: '0.1.0', constants: graphql.constants.all, logger, graphql, accounts },
    ids,
  )
  const listening = await listen(app.handler, {
    host: '127.0.0.1',
    port: 0,
    proxies: 0,
    bodyLimit: options.bodyLimit ?? 1_048_576,
    log: logger,
  })
  const url = `http://127.0.0.1:${listening.port}`

  async function send(body: string | Uint8Array, headers: Record<string, string> = {}) {
    const answer = await fetch(`${url}/api/graph`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', authorization: `Token ${ADMIN}`, ...headers },
    })
    return { status: answer.status, text: await answer.text(), headers: answer.headers }
  }

  return {
    url,
    app,
    graphql,
    logged,
    send,
    async ask(query, { variables, operationName, token = ADMIN } = {}) {
      const body = JSON.stringify({ query, variables, operationName })
      const { status, text } = await send(body, { authorization: `Token ${token}` })
      return { status, json: JSON.parse(text) as Answer }
    },
    async page(path) {
      const answer = await fetch(url + path)
      return { status: answer.status, text: await answer.text(), headers: answer.headers }
    },
    token: async (scope) => (await createToken(sql, scope, scope)).token,
    async close() {
      await listening.stop(200, 0)
      await graphql.close()
      if (options.root === undefined) rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Serves sites with forms over HTTP with a real database. Programs and browsers send the forms. */
import { request } from 'node:http'
import { blankForm } from '../../../support/blank-form.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import type { PropertyType } from '../../../../runtime/page/compiled.ts'
import type { Render } from '../../../../runtime/page/render.ts'
import type {
  CompiledSite,
  FieldDef,
  FieldGroup,
  FormEntry,
  NestedGroup,
  Scope,
  Setting,
  ValidationDef,
} from '../../../../runtime/page/site.ts'
import type { Environment } from '../../../../server/core/settings.ts'
import { type AccountsOptions, createAccounts } from '../../../../server/web/accounts/accounts.ts'
import { createApp } from '../../../../server/web/app.ts'
import type { FileService } from '../../../../server/web/files/files.ts'
import { openGraphql } from '../../../../server/web/graphql/process.ts'
import { listen } from '../../../../server/web/http/listen.ts'
import type { SignInProviders } from '../../../../server/web/oidc/providers.ts'
import type { Uploads } from '../../../../server/web/http/receive.ts'
import type { SiteLog } from '../../../../server/core/contracts/log.ts'
import { createLoadedSite, type LoadedSite } from '../../../../server/web/site/load.ts'
import { createToken, type TokenScope } from '../../../../server/data/store/tokens.ts'
import { applyData, type TestDatabase } from '../../../support/database.ts'

export const ADMIN = 'the-token-of-the-environment'

// ---- forms by hand ------------------------------------------------------------------------------------------------------

export function rule(kind: string, options: Record<string, unknown> = {}): ValidationDef {
  const plain = Object.entries(options).map(([name, value]): [string, Setting] => [name, { kind: 'plain', value }])
  const common = { message: null, if: null, allowNil: false, allowBlank: false, on: null }
  return { kind, options: Object.fromEntries(plain), ...common }
}

/** Returns a Liquid setting from a function. */
export function liquid(render: (scope: Scope, r: Render) => string | Promise<string>): Setting {
  return { kind: 'liquid', render: async (r, scope) => render(scope, r) }
}

export function text(value: string): Setting {
  return { kind: 'plain', value }
}

export function field(name: string, type: PropertyType = 'string', ...validations: ValidationDef[]): FieldDef {
  return { name, type, virtual: false, readonly: false, default: null, validations, options: {} }
}

export function group(more: Partial<FieldGroup> = {}): FieldGroup {
  return { attributes: [], properties: [], nested: [], ...more }
}

export function nested(kind: NestedGroup['kind'], name: string, fields: FieldGroup): NestedGroup {
  return { kind, name, table: kind === 'customizations' ? name : null, validations: [], fields }
}

export function form(name: string, more: Partial<FormEntry> = {}): FormEntry {
  return {
    ...blankForm(name),
    resourceName: more.table ?? more.resource ?? 'record',
    owner: 'anyone',
    fields: group(),
    ...more,
  }
}

export function forms(...all: readonly FormEntry[]): CompiledSite['forms'] {
  return Object.fromEntries(all.map((one) => [one.name, one]))
}

// ---- a server -----------------------------------------------------------------------------------------------------------

export interface Sent {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body if it is JSON. */
  readonly json: Record<string, unknown>
}

export interface Program {
  readonly token?: string | null
  readonly headers?: Record<string, string>
}

export interface ServedForms {
  readonly url: string
  readonly ids: ReadonlyMap<string, number>
  readonly logged: Record<string, unknown>[]
  /** Sends a request like a program: JSON with a token. */
  send(method: string, path: string, body?: unknown, more?: Program): Promise<Sent>
  browser(): Browser
  token(scope: TokenScope): Promise<string>
  close(): Promise<void>
}

export async function serveForms(
  site: CompiledSite,
  { sql }: TestDatabase,
  more: {
    readonly files?: FileService
    readonly uploads?: Uploads
    readonly bodyLimit?: number
    readonly log?: SiteLog
    readonly redirectHosts?: readonly string[]
    /** The number of trusted proxies, whose `X-Forwarded-For` contains the address of the visitor. */
    readonly proxies?: number
    readonly accounts?: Partial<AccountsOptions>
    readonly environment?: Environment
    /** The providers with which visitors sign in. */
    readonly providers?: SignInProviders
    /** The loaded build of the site, if it is not hand-written. */
    readonly loaded?: LoadedSite
  } = {},
): Promise<ServedForms> {
  const logged: Record<string, unknown>[] = []
  const logger = pino({ level: 'debug' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
  const ids = await applyData(sql, site.data)
  const secret = 'the secret of these tests'
  const graphql = await openGraphql({ sql, replica: null, secret, apiToken: ADMIN, logger })
  const accounts = createAccounts({ statements: graphql.statements, secret, logger, ...more.accounts })
  const root = mkdtempSync(join(tmpdir(), 'ingot-forms-'))
  const app = createApp(
    more.loaded ?? createLoadedSite(site, root, join(root, '.ingot'), true),
    {
      environment: more.environment ?? 'production',
      version: '0.1.0',
      constants: graphql.constants.all,
      logger,
      graphql,
      accounts,
      ...(more.files === undefined ? {} : { files: more.files }),
      ...(more.providers === undefined ? {} : { providers: more.providers }),
      ...(more.log === undefined ? {} : { log: more.log }),
      ...(more.redirectHosts === undefined ? {} : { redirectHosts: more.redirectHosts }),
    },
    ids,
  )
  const { bodyLimit = 1_048_576 } = more
  const listening = await listen(app.handler, {
    host: '127.0.0.1',
    port: 0,
    proxies: more.proxies ?? 0,
    bodyLimit,
    log: logger,
    ...(more.uploads === undefined ? {} : { uploads: more.uploads }),
  })
  const url = `http://127.0.0.1:${listening.port}`
  return {
    url,
    ids,
    logged,
    async send(method, path, body, { token = ADMIN, headers = {} } = {}) {
      const json = { accept: 'application/json', 'content-type': 'application/json' }
      const answer = await fetch(url + path, {
        method,
        headers: { ...json, ...(token === null ? {} : { authorization: `Token token=${token}` }), ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      return sentOf(answer)
    },
    browser: () => new Browser(url),
    token: async (scope) => (await createToken(sql, scope, scope)).token,
    async close() {
      await listening.stop(200, 0)
      await graphql.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

async function sentOf(answer: Response): Promise<Sent> {
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, text, json: parsed(text) }
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** A browser without scripts. It keeps cookies but follows no redirects. */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Sent> {
    return this.#ask(path, { headers })
  }

  /** Sends a form as HTML does. @param fields values by input name, such as `form[title]` */
  post(path: string, fields: Readonly<Record<string, string>>, headers: Record<string, string> = {}): Promise<Sent> {
    const body = new URLSearchParams(Object.entries(fields))
    return this.#ask(path, { method: 'POST', body, headers: { accept: 'text/html,*/*;q=0.8', ...headers } })
  }

  /**
   * Sends a form like a browser that navigates to the response, with headers that `fetch` does not send. Returns the status and the
   * redirect target.
   */
  navigate(
    path: string,
    fields: Readonly<Record<string, string>>,
    referer: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly status: number; readonly location: string }> {
    const body = new URLSearchParams(Object.entries(fields)).toString()
    const headers = {
      accept: 'text/html,*/*;q=0.8',
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-mode': 'navigate',
      referer: this.#url + referer,
      cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...more,
    }
    return new Promise((resolve, reject) => {
      const sending = request(this.#url + path, { method: 'POST', headers }, (answer) => {
        this.#keep(answer.headers['set-cookie'] ?? [])
        answer.resume()
        resolve({ status: answer.statusCode ?? 0, location: answer.headers.location ?? '' })
      })
      sending.on('error', reject)
      sending.end(body)
    })
  }

  #keep(lines: readonly string[]): void {
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
  }

  async #ask(path: string, init: RequestInit): Promise<Sent> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...(init.headers as Record<string, string>), ...(cookie === '' ? {} : { cookie }) }
    const answer = await fetch(this.#url + path, { ...init, headers, redirect: 'manual' })
    this.#keep(answer.headers.getSetCookie())
    return sentOf(answer)
  }
}

/** Returns the hidden inputs of the first form of a page, with their values. */
export function inputsOf(html: string): Record<string, string> {
  const found = [...html.matchAll(/<input\b[^>]*>/g)].map(([tag]) => {
    const at = (name: string): string => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
    return [unescaped(at('name')), unescaped(at('value'))] as const
  })
  return Object.fromEntries(found.filter(([name]) => name !== ''))
}

function unescaped(text: string): string {
  return text.replace(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code))).replace(/&amp;/g, '&')
}

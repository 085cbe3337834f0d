/** Creates small sites in the form that the compiler emits, and requests to them. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pino from 'pino'
import type { Render } from '../../../runtime/page/render.ts'
import type { Limits } from '../../../runtime/page/limits.ts'
import {
  ABI,
  type AssetEntry,
  type CompiledSite,
  type PageEntry,
  type RouteSegment,
  type Setting,
} from '../../../runtime/page/site.ts'
import { type App, createApp } from '../../../server/web/app.ts'
import { createRequest, type Reply, type Request, type RequestSource } from '../../../server/web/http/message.ts'
import type { Environment } from '../../../server/core/settings.ts'
import { createLoadedSite } from '../../../server/web/site/load.ts'

/** Parses a route as an author writes it: `blog/:id(/:tab)/*rest`. */
export function route(slug: string): RouteSegment[] {
  const segments: RouteSegment[] = []
  for (const [part, group] of slug.matchAll(/\(([^)]*)\)|[^/(]+/g)) {
    if (group !== undefined) segments.push({ kind: 'optional', segments: route(group) })
    else if (part.startsWith(':')) segments.push({ kind: 'param', name: part.slice(1) })
    else if (part.startsWith('*')) segments.push({ kind: 'splat', name: part.slice(1) })
    else segments.push({ kind: 'static', text: part })
  }
  return segments
}

// Returns the precedence of a route as specified: the weights of its segments, with small corrections.
function precedence(segments: readonly RouteSegment[], slug: string, format: string): number {
  let weight = 0
  for (const segment of segments)
    weight += segment.kind === 'static' ? 100 : segment.kind === 'optional' ? segment.segments.length : 10
  const last = segments.at(-1)
  const dotted = last?.kind === 'static' && last.text.includes('.')
  return -100 * (weight || 1) + (slug === '/' ? 1 : 0) + (format === 'html' ? 1 : 0) - (dotted ? 1 : 0)
}

export function page(slug: string, more: Partial<PageEntry> = {}): PageEntry {
  const segments = route(slug)
  const format = more.format ?? 'html'
  const name = slug === '/' ? 'index' : slug
  return {
    file: `app/views/pages/${name}.liquid`,
    name,
    module: null,
    slug,
    route: segments,
    precedence: precedence(segments, slug, format),
    surplus: 0,
    method: 'get',
    format,
    layout: null,
    render: () => `page ${slug}`,
    markdown: false,
    metadata: { kind: 'map', entries: {} },
    policies: [],
    redirect: null,
    responseHeaders: null,
    dynamicCache: null,
    staticCache: null,
    subdomain: null,
    searchable: false,
    ...more,
  }
}

export function site(pages: readonly PageEntry[], more: Partial<CompiledSite> = {}): CompiledSite {
  return {
    abi: ABI,
    builtBy: '0.1.0',
    dialect: 'platform',
    options: {
      raise: true,
      htmlFormatExactMatch: false,
      redirectTrailingSlash: false,
      safeTranslate: true,
      defaultLayout: 'application',
      cookiesSameSite: 'Lax',
      themeSearchPaths: [],
      migrationsStrict: false,
      requireTableForDelete: false,
      argumentMismatch: 'error',
      maintenance: { enabled: false, passwordConstant: 'MAINTENANCE_PASSWORD', partial: 'maintenance' },
    },
    pages,
    forms: {},
    layouts: {},
    policies: {},
    partials: {},
    translations: {},
    assets: {},
    data: { tables: [], user: [], profiles: [] },
    operations: {},
    indexes: [],
    partialFiles: [],
    emails: {},
    smses: {},
    apiCalls: {},
    jobs: {},
    migrations: [],
    fingerprint: '0000000000000000',
    ...more,
  }
}

/** Returns assets as in development, by file path, without digests of a build. */
export function liveAssets(files: Readonly<Record<string, string>>, stamp = 'aa17'): CompiledSite['assets'] {
  const entries = Object.entries(files).map(([name, file]): [string, AssetEntry] => {
    return [name, { file, stamp, digest: null, size: 6, encodings: [] }]
  })
  return Object.fromEntries(entries)
}

export interface AppUnderTest extends App {
  /** Parsed log entries. */
  readonly logged: Record<string, unknown>[]
  get(url: string, headers?: Record<string, string>): Promise<Reply>
  post(url: string, body: string, type: string, headers?: Record<string, string>): Promise<Reply>
}

export interface TestOptions {
  readonly environment?: Environment
  readonly root?: string
  readonly limits?: Limits
}

export function app(compiled: CompiledSite, options: TestOptions = {}): AppUnderTest {
  const logged: Record<string, unknown>[] = []
  const logger = pino({ level: 'debug' }, { write: (line) => void logged.push(JSON.parse(line)) })
  const root = options.root ?? '/nowhere'
  const made = createApp(createLoadedSite(compiled, root, join(root, '.ingot'), true), {
    environment: options.environment ?? 'production',
    version: '0.1.0',
    constants: () => ({ SECRET: 'hidden' }),
    logger,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  })
  return {
    handler: made.handler,
    takesBody: (given) => made.takesBody(given),
    host: () => made.host(),
    asset: (given) => made.asset(given),
    warm: (time) => made.warm(time),
    swap: (...given) => made.swap(...given),
    logged,
    get: async (url, headers = {}) => made.handler(request(url, { headers })),
    post: async (url, body, type, headers = {}) =>
      made.handler(
        request(url, { method: 'POST', body: Buffer.from(body), headers: { 'content-type': type, ...headers } }),
      ),
  }
}

export function request(url: string, more: Partial<RequestSource> = {}): Request {
  return createRequest({
    method: 'GET',
    url,
    protocol: 'http',
    host: 'site.test:3000',
    ip: '127.0.0.1',
    headers: {},
    body: null,
    id: 'test',
    ...more,
  })
}

export function bodyOf(reply: Reply): string {
  if (typeof reply.body !== 'string') throw new Error(`the body is no text: ${JSON.stringify(reply.body)}`)
  return reply.body
}

/** Writes files into a new temporary folder, and returns its path. */
export function folder(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'ingot-test-'))
  for (const [path, textSetting] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), textSetting)
  }
  return root
}

/** Returns a page setting with a fixed text. */
export function textSetting(value: string): Setting {
  return { kind: 'plain', value }
}

/** Returns a page setting that a template computes. */
export function templateSetting(render: (r: Render) => string): Setting {
  return { kind: 'liquid', render }
}

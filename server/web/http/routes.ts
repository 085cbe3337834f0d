/**
 * The routing table of a site, which finds the page for a request. The table is built once. A look-up visits only pages
 * that may match.
 */
import { LRUCache } from 'lru-cache'
import type { Format, PageEntry, RouteSegment } from '../../../runtime/page/site.ts'
import { formatOfExtension } from './formats.ts'

interface RouteRequest {
  /** In upper case; `HEAD` is answered like `GET`. */
  readonly method: string
  /** Percent-encoded path without the query. */
  readonly path: string
  readonly host: string
  /** Formats that the headers ask for (`wantedFormats`). */
  readonly wantedFormats: readonly Format[]
}

export interface PageRoute {
  readonly kind: 'page'
  readonly page: PageEntry
  /**
   * `slug`, `slug2`, `slug3`, `slugs` and `format`, overridden by the route's own parameters. Missing ones are null.
   */
  readonly params: Readonly<Record<string, string | null>>
  /** A Markdown page requested as `.md`: answer with the unconverted text. */
  readonly source: boolean
  /** The status for which the page is shown, such as 404; null for other pages. */
  readonly status: number | null
}

/** The result of a look-up. @internal Exported for tests. */
export type RouteAnswer =
  | PageRoute
  | { readonly kind: 'redirect'; readonly status: 301; readonly path: string }
  /** The request is `OPTIONS` for a path that pages answer with other methods. */
  | { readonly kind: 'allow'; readonly methods: readonly string[] }
  | { readonly kind: 'none'; readonly format: Format }
  /** The path has invalid percent-encoding. */
  | { readonly kind: 'malformed' }

export interface RouteOptions {
  readonly htmlFormatExactMatch: boolean
  readonly redirectTrailingSlash: boolean
}

export interface Routes {
  find(request: RouteRequest): RouteAnswer
}

interface RankedRoute {
  readonly page: PageEntry
  readonly route: readonly RouteSegment[]
  /** Position among all pages, by precedence and then by the rules for ties. */
  readonly rank: number
  /** Precedence without the small corrections that distinguish formats; routes of equal weight are equally specific. */
  readonly weight: number
  /** Maximum number of segments that may follow the segments of the route. */
  readonly surplus: number
  /** Whether the route ends in a static segment with a dot, so that the extension is part of the name. */
  readonly dotted: boolean
}

/** A request path and its segments. */
interface RequestedPath {
  readonly segments: readonly string[]
  /** The segments with the last extension removed; null without one. */
  readonly cut: readonly string[] | null
  /** The removed extension. */
  readonly extension: string
}

interface RouteMatch {
  readonly ranked: RankedRoute
  readonly segments: readonly string[]
  readonly params: Record<string, string | null>
  /** Number of segments after the route's own. */
  readonly surplusSegments: number
}

/**
 * How an html page is matched: against the whole path, the path without its extension, or both, where the page's rank
 * decides.
 */
type ExtensionHandling = 'whole' | 'cut' | 'either'

type PageFilter = (page: PageEntry) => boolean

/**
 * Builds the table. Of the matching pages the one with more weight wins, then the one with fewer segments left over,
 * then the earlier one.
 */
export function createRoutes(pages: readonly PageEntry[], options: RouteOptions): Routes {
  return new RoutingTable(pages, options)
}

/** Maximum number of cached answers of a table, and maximum length of their paths in characters. */
const MAX_CACHED = 1_000
const MAX_CACHED_PATH = 100

class RoutingTable implements Routes {
  readonly #index: PageIndex
  readonly #options: RouteOptions
  /** Answers to GET requests for html by path, because most requests are of this kind. Null when answers depend on the host. */
  readonly #cache: LRUCache<string, RouteAnswer> | null

  constructor(pages: readonly PageEntry[], options: RouteOptions) {
    this.#index = indexPages(pages)
    this.#options = options
    const dependsOnHost = pages.some(({ subdomain }) => subdomain !== null)
    this.#cache = dependsOnHost ? null : new LRUCache({ max: MAX_CACHED })
  }

  find(request: RouteRequest): RouteAnswer {
    const { method, path, wantedFormats } = request
    const isCommon =
      method === 'GET' && wantedFormats.length === 1 && wantedFormats[0] === 'html' && path.length <= MAX_CACHED_PATH
    if (!isCommon || this.#cache === null) return this.#find(request)
    const cached = this.#cache.get(path)
    if (cached !== undefined) return cached
    const answer = this.#find(request)
    if (answer.kind === 'page') this.#cache.set(path, answer)
    return answer
  }

  #find(request: RouteRequest): RouteAnswer {
    const target = parseRequestedPath(request.path)
    if (target === null) return { kind: 'malformed' }
    if (this.#options.redirectTrailingSlash && request.path.length > 1 && request.path.endsWith('/')) {
      return { kind: 'redirect', status: 301, path: localPath(request.path.replace(/\/+$/, '')) }
    }
    const method = request.method === 'HEAD' ? 'get' : request.method.toLowerCase()
    const allowed = (page: PageEntry): boolean => page.method === method && atSubdomain(page, request.host)
    const format = formatOfExtension(target.extension)
    const answer =
      format === null
        ? this.#findWanted(target, request.wantedFormats, allowed)
        : this.#findNamed(target, format, request.path, allowed)
    if (answer !== null) return answer
    if (method === 'options') {
      const methods = this.#methodsOf(target, request)
      if (methods.length > 0) return { kind: 'allow', methods }
    }
    return { kind: 'none', format: format ?? request.wantedFormats[0] ?? 'html' }
  }

  /** Returns the page for a path without an extension, in the first format that the request wants. */
  #findWanted(target: RequestedPath, wantedFormats: readonly Format[], allowed: PageFilter): RouteAnswer | null {
    for (const format of wantedFormats) {
      if (format === 'html') continue
      const match = this.#first(target, 'whole', ({ page }) => page.format === format && allowed(page))
      if (match !== null) return createPageRoute(match, format)
    }
    const extension = this.#options.htmlFormatExactMatch ? 'whole' : 'either'
    const match = this.#first(target, extension, ({ page }) => page.format === 'html' && allowed(page))
    return match === null ? null : createPageRoute(match, 'html')
  }

  /** Returns the page for a path whose extension names a format. */
  #findNamed(target: RequestedPath, format: Format, path: string, allowed: PageFilter): RouteAnswer | null {
    const { htmlFormatExactMatch } = this.#options
    // With further segments, the path does not end like the slug, so none may be left over.
    const exact = this.#first(target, 'whole', ({ page, dotted }) => dotted && allowed(page), 0)
    if (exact !== null) return createPageRoute(exact, exact.ranked.page.format)
    const exactMatch = this.#first(target, 'cut', ({ page }) => page.format === format && allowed(page))
    if (exactMatch !== null && (format !== 'html' || !htmlFormatExactMatch)) return createPageRoute(exactMatch, format)
    if (format === 'md') {
      const source = this.#first(target, 'cut', ({ page }) => page.markdown && allowed(page))
      if (source !== null) return { ...createPageRoute(source, 'md'), source: true }
    }
    const html = exactMatch ?? this.#first(target, 'cut', ({ page }) => page.format === 'html' && allowed(page))
    if (html === null) return null
    if (!htmlFormatExactMatch) return createPageRoute(html, format)
    if (format !== 'html') return null
    return { kind: 'redirect', status: 301, path: localPath(path.replace(/\.html\/*$/i, '')) }
  }

  /** Returns the best match for a path, with at most `maxSurplus` segments left over. */
  #first(
    target: RequestedPath,
    extension: ExtensionHandling,
    fits: (ranked: RankedRoute) => boolean,
    maxSurplus = Number.POSITIVE_INFINITY,
  ): RouteMatch | null {
    let bestMatch: RouteMatch | null = null
    const paths =
      extension === 'whole' ? [target.segments] : extension === 'cut' ? [target.cut] : [target.segments, target.cut]
    for (const segments of paths) {
      if (segments === null) continue
      for (const list of this.#index.lists(segments)) {
        for (const ranked of list) {
          if (bestMatch !== null && !mayBeat(ranked, bestMatch)) break
          if (!fits(ranked)) continue
          const candidate = match(ranked, segments)
          if (
            candidate !== null &&
            candidate.surplusSegments <= maxSurplus &&
            (bestMatch === null || beats(candidate, bestMatch))
          )
            bestMatch = candidate
        }
      }
    }
    return bestMatch
  }

  #methodsOf(target: RequestedPath, request: RouteRequest): string[] {
    const methods = new Set<string>()
    for (const segments of [target.segments, target.cut]) {
      if (segments === null) continue
      for (const list of this.#index.lists(segments)) {
        for (const ranked of list) {
          const { page } = ranked
          if (methods.has(page.method) || !atSubdomain(page, request.host)) continue
          if (match(ranked, segments) !== null) methods.add(page.method)
        }
      }
    }
    if (methods.size === 0) return []
    const names = [...methods, 'options', ...(methods.has('get') ? ['head'] : [])]
    return names.map((name) => name.toUpperCase()).sort()
  }
}

/** Returns the status in a page's slug, such as 404; null for other pages. */
export function statusInSlug({ slug }: Pick<PageEntry, 'slug'>): number | null {
  return /^(?:403|404|500|503)$/.test(slug) ? Number(slug) : null
}

/** Returns the page for a status (such as the slug `404`) in a format, or else in html. */
export function statusPage(pages: readonly PageEntry[], status: number, format: Format): PageEntry | null {
  const slug = String(status)
  const statusPages = pages.filter((page) => page.slug === slug && page.method === 'get')
  return (
    statusPages.find((page) => page.format === format) ?? statusPages.find((page) => page.format === 'html') ?? null
  )
}

// Lists are sorted by rank, which depends on weight first, so the search can stop early.
function mayBeat({ weight, rank }: RankedRoute, best: RouteMatch): boolean {
  return weight === best.ranked.weight
    ? best.surplusSegments > 0 || rank < best.ranked.rank
    : weight > best.ranked.weight
}

function beats({ ranked, surplusSegments }: RouteMatch, best: RouteMatch): boolean {
  if (ranked.weight !== best.ranked.weight) return ranked.weight > best.ranked.weight
  return surplusSegments === best.surplusSegments
    ? ranked.rank < best.ranked.rank
    : surplusSegments < best.surplusSegments
}

/** A node of the prefix tree over the fixed and named segments that routes begin with. */
interface RouteTreeNode {
  /** Routes that end here, or continue with an optional group or the rest of the path. Sorted by rank. */
  readonly routes: RankedRoute[]
  readonly fixed: Map<string, RouteTreeNode>
  namedSegment: RouteTreeNode | null
}

interface PageIndex {
  /** The lists of routes that may match a path. */
  lists(segments: readonly string[]): RankedRoute[][]
}

function indexPages(pages: readonly PageEntry[]): PageIndex {
  const root = newNode()
  const sorted = pages
    .map((page, order) => ({ page, order }))
    .sort((a, b) => a.page.precedence - b.page.precedence || bySubdomain(a.page, b.page) || a.order - b.order)
  for (const [rank, { page }] of sorted.entries()) {
    for (const route of routesOfPage(page)) {
      const end = route.at(-1)
      findOrAddNode(root, route).routes.push({
        page,
        route,
        rank,
        weight: -Math.round(page.precedence / 100),
        surplus: page.surplus ?? Number.POSITIVE_INFINITY,
        dotted: end?.kind === 'static' && end.text.includes('.'),
      })
    }
  }
  return {
    lists(segments) {
      const lists: RankedRoute[][] = []
      collect(root, segments, 0, lists)
      return lists
    },
  }
}

function newNode(): RouteTreeNode {
  return { routes: [], fixed: new Map(), namedSegment: null }
}

function findOrAddNode(root: RouteTreeNode, route: readonly RouteSegment[]): RouteTreeNode {
  let node = root
  for (const segment of route) {
    if (segment.kind === 'static') {
      const next = node.fixed.get(segment.text) ?? newNode()
      node.fixed.set(segment.text, next)
      node = next
    } else if (segment.kind === 'param') node = node.namedSegment ??= newNode()
    else break
  }
  return node
}

/**
 * Collects the lists along all branches that match the path; longer branches and fixed segments come first because they
 * weigh most.
 */
function collect(node: RouteTreeNode, segments: readonly string[], at: number, lists: RankedRoute[][]): void {
  const segment = segments[at]
  if (segment !== undefined) {
    const fixed = node.fixed.get(segment)
    if (fixed !== undefined) collect(fixed, segments, at + 1, lists)
    if (node.namedSegment !== null) collect(node.namedSegment, segments, at + 1, lists)
  }
  if (node.routes.length > 0) lists.push(node.routes)
}

// A page `a/b/index` answers at both `/a/b` and `/a/b/index`.
function routesOfPage(page: PageEntry): readonly (readonly RouteSegment[])[] {
  const name = page.module === null ? page.name : page.name.replace(`modules/${page.module}/`, '')
  const indexed = name === `${page.slug}/index` || name === `${page.slug}/index.${page.format}`
  return indexed ? [page.route, [...page.route, { kind: 'static', text: 'index' }]] : [page.route]
}

// A page that names the request's subdomain precedes one that answers on all.
function bySubdomain(a: PageEntry, b: PageEntry): number {
  return Number(a.subdomain === null) - Number(b.subdomain === null)
}

function atSubdomain(page: PageEntry, host: string): boolean {
  return page.subdomain === null || host.toLowerCase().startsWith(`${page.subdomain.toLowerCase()}.`)
}

// A redirect target with two leading slashes, or a slash and a backslash, would name another host.
function localPath(path: string): string {
  return `/${path.replace(/^\/+/, '').replaceAll('\\', '%5C')}`
}

function parseRequestedPath(path: string): RequestedPath | null {
  const segments: string[] = []
  for (const part of path.split('/')) {
    if (part === '') continue
    const text = part.includes('%') ? decodeSegment(part) : part
    if (text === null) return null
    segments.push(text)
  }
  const last = segments.at(-1) ?? ''
  const dot = last.lastIndexOf('.')
  if (dot <= 0 || dot === last.length - 1) return { segments, cut: null, extension: '' }
  return {
    segments,
    cut: [...segments.slice(0, -1), last.slice(0, dot)],
    extension: last.slice(dot + 1).toLowerCase(),
  }
}

/** Decodes a segment; null for invalid percent-encoding. */
function decodeSegment(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}

/** Matches a route against a path, with at most `surplus` segments left over; null when it does not match. */
function match(ranked: RankedRoute, segments: readonly string[]): RouteMatch | null {
  const params: Record<string, string | null> = {}
  const end = consume(ranked.route, segments, 0, params)
  if (end < 0) return null
  const surplusSegments = segments.length - end
  return surplusSegments <= ranked.surplus ? { ranked, segments, params, surplusSegments } : null
}

/** Matches segments from an offset. Returns the offset after them, -1 when the route does not match. */
function consume(
  route: readonly RouteSegment[],
  segments: readonly string[],
  at: number,
  params: Record<string, string | null>,
): number {
  for (const part of route) {
    if (part.kind === 'optional') {
      // Greedy without backtracking: an optional group that matches is taken even if the rest then fails.
      const group: Record<string, string | null> = {}
      const end = consume(part.segments, segments, at, group)
      if (end < 0) forget(part.segments, params)
      else {
        Object.assign(params, group)
        at = end
      }
      continue
    }
    const segment = segments[at]
    if (segment === undefined) return -1
    if (part.kind === 'static') {
      if (segment !== part.text) return -1
      at++
    } else if (part.kind === 'param') {
      params[part.name] = segment
      at++
    } else {
      params[part.name] = segments.slice(at).join('/')
      at = segments.length
    }
  }
  return at
}

function forget(route: readonly RouteSegment[], params: Record<string, string | null>): void {
  for (const part of route) {
    if (part.kind === 'optional') forget(part.segments, params)
    else if (part.kind !== 'static') params[part.name] ??= null
  }
}

function createPageRoute(found: RouteMatch, format: Format): PageRoute {
  // The route's own names override the numbered ones.
  const params = { ...segmentParams(found.segments), ...found.params, format }
  const { page } = found.ranked
  return { kind: 'page', page, params, source: false, status: statusInSlug(page) }
}

/** Returns the parameters of a path that no page answers. Pages have them too. */
export function slugParams(path: string, format: Format): Record<string, string | null> {
  return { ...segmentParams(parseRequestedPath(path)?.segments ?? []), format }
}

function segmentParams(segments: readonly string[]): Record<string, string | null> {
  return {
    slug: segments[0] ?? null,
    slug2: segments[1] ?? null,
    slug3: segments[2] ?? null,
    slugs: segments.length > 3 ? segments.slice(3).join('/') : null,
  }
}

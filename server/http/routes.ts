/** Which page answers a request: the routing table of a site. Built once; a lookup touches only pages that can match. */
import type { Format, PageEntry, RouteSegment } from '../../runtime/page/site.ts'
import { formatOf } from './formats.ts'

export interface RouteRequest {
  /** Upper case; `HEAD` is answered as `GET`. */
  readonly method: string
  /** Path as sent, percent-encoded, without the query. */
  readonly path: string
  readonly host: string
  /** Formats that the headers ask for (`wantedFormats`). */
  readonly wanted: readonly Format[]
}

export type RouteAnswer =
  | {
      readonly kind: 'page'
      readonly page: PageEntry
      /** `slug`, `slug2`, `slug3`, `slugs`, over them the route's own parameters, and `format`; missing ones are null. */
      readonly params: Readonly<Record<string, string | null>>
      /** A markdown page was asked for by `.md`: answer with the unconverted text. */
      readonly source: boolean
    }
  | { readonly kind: 'redirect'; readonly status: 301; readonly path: string }
  /** `OPTIONS` of a path that pages of other methods answer. */
  | { readonly kind: 'allow'; readonly methods: readonly string[] }
  | { readonly kind: 'none'; readonly format: Format }
  /** The path is not valid percent-encoding. */
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
  /** Place among all pages, by precedence and what decides ties. */
  readonly rank: number
  /** Precedence without its small corrections, which tell formats apart: routes of one weight are equally exact. */
  readonly weight: number
  /** The most segments that may follow the route's own. */
  readonly surplus: number
  /** The route ends in a static segment that holds a dot, so its extension is part of the name. */
  readonly dotted: boolean
}

/** A path taken apart. */
interface RequestedPath {
  readonly segments: readonly string[]
  /** The path with its last extension cut off, null without one. */
  readonly cut: readonly string[] | null
  /** The extension that was cut off. */
  readonly extension: string
}

interface RouteMatch {
  readonly ranked: RankedRoute
  readonly segments: readonly string[]
  readonly params: Record<string, string | null>
  /** Segments that follow the route's own. */
  readonly left: number
}

/** Where an html page is looked for: the path as it is, with its extension cut off, or either, the page's rank deciding. */
type ExtensionHandling = 'whole' | 'cut' | 'either'

/** Builds the table. Of pages that match, the one of more weight answers, then the one that leaves fewer segments over, then the earlier one. */
export function createRoutes(pages: readonly PageEntry[], options: RouteOptions): Routes {
  const index = indexPages(pages)

  function find(request: RouteRequest): RouteAnswer {
    const target = targetOf(request.path)
    if (target === null) return { kind: 'malformed' }
    if (options.redirectTrailingSlash && request.path.length > 1 && request.path.endsWith('/')) {
      return { kind: 'redirect', status: 301, path: localPath(request.path.replace(/\/+$/, '')) }
    }
    const method = request.method === 'HEAD' ? 'get' : request.method.toLowerCase()
    const answer = findPage(target, method, request)
    if (answer !== null) return answer
    if (method === 'options') {
      const methods = methodsOf(target, request)
      if (methods.length > 0) return { kind: 'allow', methods }
    }
    return { kind: 'none', format: formatOf(target.extension) ?? request.wanted[0] ?? 'html' }
  }

  function findPage(target: RequestedPath, method: string, request: RouteRequest): RouteAnswer | null {
    const allowed = (page: PageEntry): boolean => page.method === method && atSubdomain(page, request.host)
    const named = formatOf(target.extension)
    if (named === null) {
      for (const format of request.wanted) {
        if (format === 'html') continue
        const match = first(target, 'whole', (ranked) => ranked.page.format === format && allowed(ranked.page))
        if (match !== null) return answerOf(match, format)
      }
      const html = (ranked: RankedRoute): boolean => ranked.page.format === 'html' && allowed(ranked.page)
      const match = first(target, options.htmlFormatExactMatch ? 'whole' : 'either', html)
      return match === null ? null : answerOf(match, 'html')
    }
    // Where something follows the slug, the ending of the path is not that of the slug.
    const exact = first(target, 'whole', (ranked) => ranked.dotted && allowed(ranked.page), 0)
    if (exact !== null) return answerOf(exact, exact.ranked.page.format)
    const own = first(target, 'cut', (ranked) => ranked.page.format === named && allowed(ranked.page))
    if (own !== null && (named !== 'html' || !options.htmlFormatExactMatch)) return answerOf(own, named)
    if (named === 'md') {
      const source = first(target, 'cut', (ranked) => ranked.page.markdown && allowed(ranked.page))
      if (source !== null) return { ...answerOf(source, 'md'), source: true }
    }
    const html = own ?? first(target, 'cut', (ranked) => ranked.page.format === 'html' && allowed(ranked.page))
    if (html === null) return null
    if (!options.htmlFormatExactMatch) return answerOf(html, named)
    if (named !== 'html') return null
    return { kind: 'redirect', status: 301, path: localPath(request.path.replace(/\.html\/*$/i, '')) }
  }

  function first(
    target: RequestedPath,
    reading: ExtensionHandling,
    fits: (ranked: RankedRoute) => boolean,
    most = Number.POSITIVE_INFINITY,
  ): RouteMatch | null {
    let best: RouteMatch | null = null
    const paths =
      reading === 'whole' ? [target.segments] : reading === 'cut' ? [target.cut] : [target.segments, target.cut]
    for (const segments of paths) {
      if (segments === null) continue
      for (const list of index.lists(segments)) {
        for (const ranked of list) {
          if (best !== null && !mayBeat(ranked, best)) break
          if (!fits(ranked)) continue
          const found = match(ranked, segments)
          if (found !== null && found.left <= most && (best === null || beats(found, best))) best = found
        }
      }
    }
    return best
  }

  function methodsOf(target: RequestedPath, request: RouteRequest): string[] {
    const methods = new Set<string>()
    for (const segments of [target.segments, target.cut]) {
      if (segments === null) continue
      for (const list of index.lists(segments)) {
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

  return { find }
}

/** The status that a page stands for by its slug; null for other pages. */
export function statusOf({ slug }: Pick<PageEntry, 'slug'>): number | null {
  return /^(?:403|404|500|503)$/.test(slug) ? Number(slug) : null
}

/** The page that stands for a status (slug `404`, say) in a format, else in html. */
export function statusPage(pages: readonly PageEntry[], status: number, format: Format): PageEntry | null {
  const slug = String(status)
  const found = pages.filter((page) => page.slug === slug && page.method === 'get')
  return found.find((page) => page.format === format) ?? found.find((page) => page.format === 'html') ?? null
}

// Lists are in the order of rank, which is that of weight first.
function mayBeat({ weight, rank }: RankedRoute, best: RouteMatch): boolean {
  return weight === best.ranked.weight ? best.left > 0 || rank < best.ranked.rank : weight > best.ranked.weight
}

function beats({ ranked, left }: RouteMatch, best: RouteMatch): boolean {
  if (ranked.weight !== best.ranked.weight) return ranked.weight > best.ranked.weight
  return left === best.left ? ranked.rank < best.ranked.rank : left < best.left
}

/** Routes by the fixed and named segments that they begin with. */
interface RouteTreeNode {
  /** Routes that end here, or go on with an optional group or the rest of the path. By rank. */
  readonly routes: RankedRoute[]
  readonly fixed: Map<string, RouteTreeNode>
  named: RouteTreeNode | null
}

function indexPages(pages: readonly PageEntry[]): { lists(segments: readonly string[]): RankedRoute[][] } {
  const root = newNode()
  const sorted = pages
    .map((page, order) => ({ page, order }))
    .sort((a, b) => a.page.precedence - b.page.precedence || bySubdomain(a.page, b.page) || a.order - b.order)
  for (const [rank, { page }] of sorted.entries()) {
    for (const route of routesOf(page)) {
      const end = route.at(-1)
      nodeOf(root, route).routes.push({
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
  return { routes: [], fixed: new Map(), named: null }
}

function nodeOf(root: RouteTreeNode, route: readonly RouteSegment[]): RouteTreeNode {
  let node = root
  for (const segment of route) {
    if (segment.kind === 'static') {
      const next = node.fixed.get(segment.text) ?? newNode()
      node.fixed.set(segment.text, next)
      node = next
    } else if (segment.kind === 'param') node = node.named ??= newNode()
    else break
  }
  return node
}

/** The lists on all ways that a path can go, the longest way and fixed segments first: they weigh most. */
function collect(node: RouteTreeNode, segments: readonly string[], at: number, lists: RankedRoute[][]): void {
  const segment = segments[at]
  if (segment !== undefined) {
    const fixed = node.fixed.get(segment)
    if (fixed !== undefined) collect(fixed, segments, at + 1, lists)
    if (node.named !== null) collect(node.named, segments, at + 1, lists)
  }
  if (node.routes.length > 0) lists.push(node.routes)
}

// A page `a/b/index` answers at `/a/b` and at its own path too.
function routesOf(page: PageEntry): readonly (readonly RouteSegment[])[] {
  const name = page.module === null ? page.name : page.name.replace(`modules/${page.module}/`, '')
  const indexed = name === `${page.slug}/index` || name === `${page.slug}/index.${page.format}`
  return indexed ? [page.route, [...page.route, { kind: 'static', text: 'index' }]] : [page.route]
}

// A page that names its subdomain is meant more than one that answers everywhere.
function bySubdomain(a: PageEntry, b: PageEntry): number {
  return Number(a.subdomain === null) - Number(b.subdomain === null)
}

function atSubdomain(page: PageEntry, host: string): boolean {
  return page.subdomain === null || host.toLowerCase().startsWith(`${page.subdomain.toLowerCase()}.`)
}

// Two slashes, or a slash and a backslash, at the start of a target would name another host.
function localPath(path: string): string {
  return `/${path.replace(/^\/+/, '').replaceAll('\\', '%5C')}`
}

function targetOf(path: string): RequestedPath | null {
  const segments: string[] = []
  for (const part of path.split('/')) {
    if (part === '') continue
    const text = part.includes('%') ? decoded(part) : part
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

/** Null for a part whose codes are no text: no route has it. */
function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}

/** A route and a path that it fits, but for so many segments as may be left over; null where it does not fit. */
function match(ranked: RankedRoute, segments: readonly string[]): RouteMatch | null {
  const params: Record<string, string | null> = {}
  const end = consume(ranked.route, segments, 0, params)
  if (end < 0) return null
  const left = segments.length - end
  return left <= ranked.surplus ? { ranked, segments, params, left } : null
}

/** Consumes segments from `at` and gives the offset behind them, -1 where the route does not fit. */
function consume(
  route: readonly RouteSegment[],
  segments: readonly string[],
  at: number,
  params: Record<string, string | null>,
): number {
  for (const part of route) {
    if (part.kind === 'optional') {
      // Greedy and without a way back: a group that fits is taken, even when the rest then fails.
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

function answerOf(found: RouteMatch, format: Format): RouteAnswer & { kind: 'page' } {
  // A segment that the route names goes by that name before it goes by its number.
  const params = { ...segmentParams(found.segments), ...found.params, format }
  return { kind: 'page', page: found.ranked.page, params, source: false }
}

/** The parameters that every page has, of a path that no page answers. */
export function slugParams(path: string, format: Format): Record<string, string | null> {
  return { ...segmentParams(targetOf(path)?.segments ?? []), format }
}

function segmentParams(segments: readonly string[]): Record<string, string | null> {
  return {
    slug: segments[0] ?? null,
    slug2: segments[1] ?? null,
    slug3: segments[2] ?? null,
    slugs: segments.length > 3 ? segments.slice(3).join('/') : null,
  }
}

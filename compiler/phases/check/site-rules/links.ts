/** Checks links, forms and redirects with a literal path: whether a page handles them. */
import { missingPage } from '../rules/site/missing-page.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { type Expression, unfiltered } from '../../../core/tree/ast.ts'
import { derivedFromFrame } from '../../../core/model/derived.ts'
import type { Memo } from '../../../core/model/memo.ts'
import type { Method, PageSettings, RouteSegment } from '../../../core/model/settings.ts'
import type { Site } from '../../../core/model/site.ts'
import { maxSurplus } from '../../../core/model/path-surplus.ts'
import type { Unit } from '../../../core/model/unit.ts'
import { distance } from '../../../core/diagnostics/suggest.ts'
import { hasOwnPages } from '../site/reach.ts'
import { isReserved } from '../../../language/settings/slug.ts'
import { FORMATS } from '../../../core/source/kinds.ts'
import type { Span } from '../../../core/source/span.ts'

export interface Link {
  readonly path: string
  readonly method: 'get' | 'post'
  readonly span: Span
  /** Whether the path is only the beginning of the URL: the rest is not known. */
  readonly isPrefix?: true
  /** Whether the link is a redirect, which visitors follow without a click. */
  readonly sent?: true
}

/** Returns the paths of all pages for GET requests. */
const pagePathsOf = derivedFromFrame(({ pages }) =>
  pages
    .filter((page) => page.settings.method === 'get')
    .map((page) => `/${page.settings.route.slug.replace(/^\//, '')}`),
)
/** Caches whether a page handles a path, by method and path. */
const handledPathsOf = derivedFromFrame(() => new Map<string, boolean>())

/** Reports links that no page handles. Skips sites without pages, because they are parts of other sites. */
export function checkLinks(site: Site, links: readonly Link[], memo: Memo): readonly Diagnostic[] {
  if (!hasOwnPages(site) || links.length === 0) return []
  const diagnostics: Diagnostic[] = []
  const currentPaths = pagePathsOf(site)
  // Keeps the same array while the routes are unchanged. Suggestions are cached by this array, so they are computed only once.
  const paths = memo.once('paths of pages', '', currentPaths, () => currentPaths)
  const handledPaths = handledPathsOf(site)
  for (const { path, method, span, isPrefix, sent } of links) {
    const plainPath = path.replace(/[?#].*$/s, '')
    const isWhole = isPrefix !== true || plainPath !== path
    if (!/^\/(?!\/)/.test(plainPath) || isServedWithoutPage(plainPath)) continue
    const key = `${method} ${isWhole} ${plainPath}`
    let isHandled = handledPaths.get(key)
    if (isHandled === undefined) {
      const matchesPage = isWhole ? matchesRoute : mayMatchRoute
      isHandled = site.pages.some(
        (page) =>
          acceptsMethod(page.settings.method, method) && matchesPage(page, plainPath, site.config.slugExactMatch),
      )
      handledPaths.set(key, isHandled)
    }
    if (isHandled) {
      const similarPath = method === 'get' && isWhole ? findSimilarPath(plainPath, paths) : null
      if (similarPath !== null) diagnostics.push(missingPage(span, method, plainPath, [similarPath], true))
      continue
    }
    const diagnostic = missingPage(span, method, isWhole ? plainPath : `${plainPath}…`, paths)
    // A server in front of the site often handles the root path itself.
    const isCertain = sent === true && isWhole && plainPath !== '/'
    diagnostics.push(isCertain ? { ...diagnostic, severity: 'error' } : diagnostic)
  }
  return diagnostics
}

const LAST_SEGMENT = /^(.*\/)([a-z]+)$/

/** Returns the path of a page whose last segment differs in one character; null if there is none, or if a page has this path. */
function findSimilarPath(path: string, paths: readonly string[]): string | null {
  const [, folder = '', word = ''] = LAST_SEGMENT.exec(path) ?? []
  if (word === '' || paths.includes(path)) return null
  return (
    paths.find((each) => {
      const [, otherFolder = '', otherWord = ''] = each.startsWith(folder) ? (LAST_SEGMENT.exec(each) ?? []) : []
      return (
        otherFolder === folder &&
        otherWord.length > 2 &&
        !isPlural(word, otherWord) &&
        distance(word, otherWord, 1) <= 1
      )
    }) ?? null
  )
}

function isPlural(one: string, other: string): boolean {
  return `${one}s` === other || `${other}s` === one
}

/** Returns the redirects in the settings of forms, policies and redirect pages. */
export function linksOfSettings(units: readonly Unit[]): readonly Link[] {
  return units.flatMap(({ settings }): readonly Link[] => {
    const target = 'redirectTo' in settings ? settings.redirectTo : null
    if (target === null) return []
    const at = target.text.search(/\{[{%]/)
    const path = (at < 0 ? target.text : target.text.slice(0, at)).trim()
    return [{ path, method: 'get', span: target.span, sent: true, ...(at < 0 ? {} : { isPrefix: true }) }]
  })
}

/** Returns the path in a tag; null if the beginning of the path is not known. */
export function linkOf(path: Expression): Pick<Link, 'path' | 'isPrefix'> | null {
  const bareExpression = unfiltered(path)
  if (bareExpression.kind === 'literal')
    return bareExpression.value.type === 'string' ? { path: bareExpression.value.value } : null
  if (bareExpression.kind === 'interpolation') {
    const [first] = bareExpression.parts
    return typeof first === 'string' && first.startsWith('/') ? { path: first, isPrefix: true } : null
  }
  if (bareExpression.kind !== 'filtered' || bareExpression.filters.some(({ name }) => name.name !== 'append'))
    return null
  const prefix = linkOf(bareExpression.input)
  return prefix === null ? null : { path: prefix.path, isPrefix: true }
}

/** Returns whether a page accepts a method. A form with `post` may have a hidden field with any method other than `get`. */
function acceptsMethod(page: Method, method: Link['method']): boolean {
  return method === 'get' ? page === 'get' : page !== 'get'
}

/** Returns whether the server handles a path itself, without a page: reserved paths and static files. */
function isServedWithoutPage(path: string): boolean {
  const segments = path
    .split('/')
    .filter((each) => each !== '')
    .map((text): RouteSegment => ({ kind: 'static', text }))
  if (isReserved(segments) || /^\/(?:assets|api|_)/.test(path)) return true
  const extension = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]
  // `.md` may be handled by a page.
  return extension !== undefined && extension !== 'md' && !FORMATS.some((each) => each === extension)
}

function matchesRoute(page: Unit<PageSettings>, path: string, isExact: boolean): boolean {
  const surplus = maxSurplus(page.settings, isExact) ?? Number.POSITIVE_INFINITY
  const { segments, alsoAt } = page.settings.route
  const plainText = path.replace(/\.[A-Za-z0-9]+$/, '')
  return [path, plainText].some((each) => {
    const parts = each.split('/').filter((part) => part !== '')
    return (
      matchesSegments(segments, parts, surplus) || (alsoAt !== null && alsoAt.replace(/^\//, '') === parts.join('/'))
    )
  })
}

/** Returns whether a page handles a URL with this beginning. The segment after the last slash may be incomplete. */
function mayMatchRoute({ settings }: Unit<PageSettings>, path: string, isExact: boolean): boolean {
  const parts = path
    .slice(0, path.lastIndexOf('/'))
    .split('/')
    .filter((part) => part !== '')
  return beginsWithSegments(settings.route.segments, parts, maxSurplus(settings, isExact) ?? Number.POSITIVE_INFINITY)
}

function beginsWithSegments(segments: readonly RouteSegment[], parts: readonly string[], surplus: number): boolean {
  if (parts.length === 0) return true
  const [segment, ...rest] = segments
  if (segment === undefined) return surplus > 0 && parts.length <= surplus
  switch (segment.kind) {
    case 'static': {
      const fixed = segment.text.split('/').filter((part) => part !== '')
      const isSame = fixed.every((part, at) => at >= parts.length || parts[at] === part)
      return isSame && beginsWithSegments(rest, parts.slice(fixed.length), surplus)
    }
    case 'param':
      return beginsWithSegments(rest, parts.slice(1), surplus)
    case 'splat':
      return true
    case 'optional':
      return (
        beginsWithSegments(rest, parts, surplus) || beginsWithSegments([...segment.segments, ...rest], parts, surplus)
      )
  }
}

/** Returns whether a route matches a path. The path may have up to `surplus` segments more than the route. */
function matchesSegments(segments: readonly RouteSegment[], parts: readonly string[], surplus: number): boolean {
  const [segment, ...rest] = segments
  if (segment === undefined) return parts.length <= surplus
  switch (segment.kind) {
    case 'static': {
      // A static segment may contain slashes.
      const fixed = segment.text.split('/').filter((part) => part !== '')
      return fixed.every((part, at) => parts[at] === part) && matchesSegments(rest, parts.slice(fixed.length), surplus)
    }
    case 'param':
      return parts.length > 0 && matchesSegments(rest, parts.slice(1), surplus)
    case 'splat':
      return parts.length > 0
    case 'optional':
      return matchesSegments(rest, parts, surplus) || matchesSegments([...segment.segments, ...rest], parts, surplus)
  }
}

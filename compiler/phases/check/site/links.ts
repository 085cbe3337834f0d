/** Finds links and redirects with a literal path, and the pages that handle them. */
import { type Expression, unfiltered } from '../../../core/tree/ast.ts'
import { FORMATS } from '../../../core/source/file.ts'
import type { Method, PageSettings, RouteSegment } from '../../../core/model/settings.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Span } from '../../../core/source/span.ts'
import type { Unit } from '../../../core/model/unit.ts'
import { derivedFromFrame } from '../../../core/model/derived.ts'
import { isReserved } from '../../../language/settings/slug.ts'
import { maxSurplus } from '../../../core/model/path-surplus.ts'

export interface Link {
  readonly path: string
  readonly method: 'get' | 'post'
  readonly span: Span
  /** Whether the path is only the beginning of the URL: the rest is not known. */
  readonly isPrefix?: true
  /** Whether the link is a redirect, which visitors follow without a click. */
  readonly sent?: true
}

/** Caches whether a page handles a path, by method and path. */
const handledPathsOf = derivedFromFrame(() => new Map<string, boolean>())

/** Returns the path of a link without its query and fragment, and whether it is the whole path. */
export function plainPathOf({ path, isPrefix }: Link): { readonly plainPath: string; readonly isWhole: boolean } {
  const plainPath = path.replace(/[?#].*$/s, '')
  return { plainPath, isWhole: isPrefix !== true || plainPath !== path }
}

/** Returns whether a page handles a path, or a URL with this beginning. */
export function isHandled(site: Site, method: Link['method'], plainPath: string, isWhole: boolean): boolean {
  const handledPaths = handledPathsOf(site)
  const key = `${method} ${isWhole} ${plainPath}`
  const known = handledPaths.get(key)
  if (known !== undefined) return known
  const matchesPage = isWhole ? matchesRoute : mayMatchRoute
  const isPage = site.pages.some(
    (page) => acceptsMethod(page.settings.method, method) && matchesPage(page, plainPath, site.config.slugExactMatch),
  )
  handledPaths.set(key, isPage)
  return isPage
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

/** The paths of sign-in providers, which the settings of the server name. */
const SIGN_IN_PATH = /^\/auth\/[a-z\d_]+(?:\/callback)?\/?$/

/** Returns whether the server handles a path itself, without a page: reserved paths and static files. */
export function isServedWithoutPage(path: string): boolean {
  const segments = partsOf(path).map((text): RouteSegment => ({ kind: 'static', text }))
  if (isReserved(segments) || /^\/(?:assets|api|_)/.test(path) || SIGN_IN_PATH.test(path)) return true
  const extension = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]
  // `.md` may be handled by a page.
  return extension !== undefined && extension !== 'md' && !FORMATS.some((each) => each === extension)
}

function partsOf(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '')
}

function matchesRoute(page: Unit<PageSettings>, path: string, isExact: boolean): boolean {
  const surplus = maxSurplus(page.settings, isExact) ?? Number.POSITIVE_INFINITY
  const { segments, alsoAt } = page.settings.route
  const plainText = path.replace(/\.[A-Za-z0-9]+$/, '')
  return [path, plainText].some((each) => {
    const parts = partsOf(each)
    return (
      matchesSegments(segments, parts, surplus) || (alsoAt !== null && alsoAt.replace(/^\//, '') === parts.join('/'))
    )
  })
}

/** Returns whether a page handles a URL with this beginning. The segment after the last slash may be incomplete. */
function mayMatchRoute({ settings }: Unit<PageSettings>, path: string, isExact: boolean): boolean {
  const parts = partsOf(path.slice(0, path.lastIndexOf('/')))
  const surplus = maxSurplus(settings, isExact) ?? Number.POSITIVE_INFINITY
  return matchesSegments(settings.route.segments, parts, surplus, true)
}

/**
 * Returns whether a route matches a path. The path may have up to `surplus` segments more than the route.
 * @param isPrefix whether the path is only the beginning of a path
 */
function matchesSegments(
  segments: readonly RouteSegment[],
  parts: readonly string[],
  surplus: number,
  isPrefix = false,
): boolean {
  if (isPrefix && parts.length === 0) return true
  const [segment, ...rest] = segments
  if (segment === undefined) return parts.length <= surplus
  const matchesRest = (from: number) => matchesSegments(rest, parts.slice(from), surplus, isPrefix)
  switch (segment.kind) {
    case 'static': {
      // A static segment may contain slashes.
      const fixed = partsOf(segment.text)
      const isSame = fixed.every((part, at) => parts[at] === part || (isPrefix && at >= parts.length))
      return isSame && matchesRest(fixed.length)
    }
    case 'param':
      return parts.length > 0 && matchesRest(1)
    case 'splat':
      return parts.length > 0
    case 'optional':
      return matchesRest(0) || matchesSegments([...segment.segments, ...rest], parts, surplus, isPrefix)
  }
}

/** Links, forms and redirects with a fixed path: whether a page answers them. */
import { missingPage } from '../../../core/diagnostics/codes/site/missing-page.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { type Expression, unfiltered } from '../../../core/model/ast.ts'
import { derivedFromFrame } from '../../../core/model/derived.ts'
import type { Memo } from '../../../core/model/memo.ts'
import type { Method, PageSettings, RouteSegment } from '../../../core/model/settings.ts'
import type { Site } from '../../../core/model/site.ts'
import { maxSurplus } from '../../../core/model/path-surplus.ts'
import type { Unit } from '../../../core/model/unit.ts'
import { distance } from '../../../core/diagnostics/suggest.ts'
import { hasOwnPages } from './reach.ts'
import { isReserved } from '../../../language/settings/slug.ts'
import { FORMATS } from '../../../core/source/kinds.ts'
import type { Span } from '../../../core/source/span.ts'

export interface Link {
  readonly path: string
  readonly method: 'get' | 'post'
  readonly span: Span
  /** The path is only how the address begins: the rest is not known. */
  readonly begins?: true
  /** The visitor is sent there, whatever they do. */
  readonly sent?: true
}

const pathsOf = derivedFromFrame(({ pages }) =>
  pages
    .filter((page) => page.settings.method === 'get')
    .map((page) => `/${page.settings.route.slug.replace(/^\//, '')}`),
)
/** Which paths some page answers, by what is asked. */
const answersOf = derivedFromFrame(() => new Map<string, boolean>())

/** The links that surely lead nowhere. A site without pages of its own is a part of one: nothing is said of its links. */
export function checkLinks(site: Site, links: readonly Link[], memo: Memo): readonly Diagnostic[] {
  if (!hasOwnPages(site) || links.length === 0) return []
  const diagnostics: Diagnostic[] = []
  const read = pathsOf(site)
  // The same list as long as the routes are the same, so that what is near to a path is found once.
  const paths = memo.once('paths of pages', '', read, () => read)
  const answers = answersOf(site)
  for (const { path, method, span, begins, sent } of links) {
    const bare = path.replace(/[?#].*$/s, '')
    const isWhole = begins !== true || bare !== path
    if (!/^\/(?!\/)/.test(bare) || isServedWithoutPage(bare)) continue
    const key = `${method} ${isWhole} ${bare}`
    let answered = answers.get(key)
    if (answered === undefined) {
      const fits = isWhole ? matches : mayMatch
      answered = site.pages.some(
        (page) => takes(page.settings.method, method) && fits(page, bare, site.config.slugExactMatch),
      )
      answers.set(key, answered)
    }
    if (answered) {
      const meant = method === 'get' && isWhole ? meantBeside(bare, paths) : null
      if (meant !== null) diagnostics.push(missingPage(span, method, bare, [meant], true))
      continue
    }
    const diagnostic = missingPage(span, method, isWhole ? bare : `${bare}…`, paths)
    // What stands before a site often answers at the root by itself.
    const isCertain = sent === true && isWhole && bare !== '/'
    diagnostics.push(isCertain ? { ...diagnostic, severity: 'error' } : diagnostic)
  }
  return diagnostics
}

const LAST = /^(.*\/)([a-z]+)$/

/** A page at a fixed path that differs by one sign, where only one that takes any word answers. */
function meantBeside(path: string, paths: readonly string[]): string | null {
  const [, folder = '', word = ''] = LAST.exec(path) ?? []
  if (word === '' || paths.includes(path)) return null
  return (
    paths.find((each) => {
      const [, other = '', meant = ''] = each.startsWith(folder) ? (LAST.exec(each) ?? []) : []
      return other === folder && meant.length > 2 && !isPlural(word, meant) && distance(word, meant, 1) <= 1
    }) ?? null
  )
}

function isPlural(one: string, other: string): boolean {
  return `${one}s` === other || `${other}s` === one
}

/** Where settings send visitors: of forms and policies, and of pages that only do that. */
export function linksOfSettings(units: readonly Unit[]): readonly Link[] {
  return units.flatMap(({ settings }): readonly Link[] => {
    const target = 'redirectTo' in settings ? settings.redirectTo : null
    if (target === null) return []
    const at = target.text.search(/\{[{%]/)
    const path = (at < 0 ? target.text : target.text.slice(0, at)).trim()
    return [{ path, method: 'get', span: target.span, sent: true, ...(at < 0 ? {} : { begins: true }) }]
  })
}

/** A path in a tag; null where nothing is known of its beginning. */
export function linkOf(path: Expression): Pick<Link, 'path' | 'begins'> | null {
  const bare = unfiltered(path)
  if (bare.kind === 'literal') return bare.value.type === 'string' ? { path: bare.value.value } : null
  if (bare.kind === 'interpolation') {
    const [first] = bare.parts
    return typeof first === 'string' && first.startsWith('/') ? { path: first, begins: true } : null
  }
  if (bare.kind !== 'filtered' || bare.filters.some(({ name }) => name.name !== 'append')) return null
  const begin = linkOf(bare.input)
  return begin === null ? null : { path: begin.path, begins: true }
}

/** A form that posts may stand for another method by a hidden field. */
function takes(page: Method, method: Link['method']): boolean {
  return method === 'get' ? page === 'get' : page !== 'get'
}

/** Addresses that no page answers: those of the server and its files. */
function isServedWithoutPage(path: string): boolean {
  const segments = path
    .split('/')
    .filter((each) => each !== '')
    .map((text): RouteSegment => ({ kind: 'static', text }))
  if (isReserved(segments) || /^\/(?:assets|api|_)/.test(path)) return true
  const extension = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]
  // A page of Markdown answers `.md`, too.
  return extension !== undefined && extension !== 'md' && !FORMATS.some((each) => each === extension)
}

function matches(page: Unit<PageSettings>, path: string, exact: boolean): boolean {
  const surplus = maxSurplus(page.settings, exact) ?? Number.POSITIVE_INFINITY
  const { segments, alsoAt } = page.settings.route
  const plain = path.replace(/\.[A-Za-z0-9]+$/, '')
  return [path, plain].some((each) => {
    const parts = each.split('/').filter((part) => part !== '')
    return matchFrom(segments, parts, surplus) || (alsoAt !== null && alsoAt.replace(/^\//, '') === parts.join('/'))
  })
}

/** Whether a page answers some address that begins so; what stands behind the last slash may go on. */
function mayMatch({ settings }: Unit<PageSettings>, path: string, exact: boolean): boolean {
  const parts = path
    .slice(0, path.lastIndexOf('/'))
    .split('/')
    .filter((part) => part !== '')
  return begins(settings.route.segments, parts, maxSurplus(settings, exact) ?? Number.POSITIVE_INFINITY)
}

function begins(segments: readonly RouteSegment[], parts: readonly string[], surplus: number): boolean {
  if (parts.length === 0) return true
  const [segment, ...rest] = segments
  if (segment === undefined) return surplus > 0 && parts.length <= surplus
  switch (segment.kind) {
    case 'static': {
      const fixed = segment.text.split('/').filter((part) => part !== '')
      const isSame = fixed.every((part, at) => at >= parts.length || parts[at] === part)
      return isSame && begins(rest, parts.slice(fixed.length), surplus)
    }
    case 'param':
      return begins(rest, parts.slice(1), surplus)
    case 'splat':
      return true
    case 'optional':
      return begins(rest, parts, surplus) || begins([...segment.segments, ...rest], parts, surplus)
  }
}

/** Whether a route takes the parts of a path but for the last ones, of which it may leave over `surplus`. */
function matchFrom(segments: readonly RouteSegment[], parts: readonly string[], surplus: number): boolean {
  const [segment, ...rest] = segments
  if (segment === undefined) return parts.length <= surplus
  switch (segment.kind) {
    case 'static': {
      // A fixed part may hold slashes of its own.
      const fixed = segment.text.split('/').filter((part) => part !== '')
      return fixed.every((part, at) => parts[at] === part) && matchFrom(rest, parts.slice(fixed.length), surplus)
    }
    case 'param':
      return parts.length > 0 && matchFrom(rest, parts.slice(1), surplus)
    case 'splat':
      return parts.length > 0
    case 'optional':
      return matchFrom(rest, parts, surplus) || matchFrom([...segment.segments, ...rest], parts, surplus)
  }
}

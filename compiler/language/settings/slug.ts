/** Slugs: the pattern of a page's address, what it means to the server, and which of two patterns is tried first. */
import type { Route, RouteSegment } from '../../core/model/settings.ts'

export type ParsedSlug =
  | { readonly ok: true; readonly segments: readonly RouteSegment[] }
  /** `start` and `end` are offsets into the slug; the problem is a part of a sentence. */
  | { readonly ok: false; readonly problem: string; readonly start: number; readonly end: number }

/** Names that the server gives a meaning of its own. */
const RESERVED_NAMES: ReadonlySet<string> = new Set(['action', 'controller'])

/**
 * Reads `a/:id(/:x)/*rest`: fixed parts, named ones, the rest of the path, and optional groups. A slash at the beginning and
 * at the end says nothing.
 */
export function parseSlug(slug: string): ParsedSlug {
  const reader: SlugReader = { slug, offset: 0, names: new Set() }
  try {
    const segments = readSegments(reader, false)
    return { ok: true, segments }
  } catch (error) {
    if (!(error instanceof SlugError)) throw error
    return { ok: false, problem: error.message, start: error.start, end: error.end }
  }
}

interface SlugReader {
  readonly slug: string
  offset: number
  readonly names: Set<string>
}

class SlugError extends Error {
  readonly start: number
  readonly end: number
  constructor(message: string, start: number, end: number) {
    super(message)
    this.start = start
    this.end = Math.max(end, start + 1)
  }
}

function readSegments(reader: SlugReader, inGroup: boolean): RouteSegment[] {
  const { slug } = reader
  const segments: RouteSegment[] = []
  const opened = reader.offset - 1
  for (;;) {
    if (slug[reader.offset] === '/') {
      reader.offset++
      if (slug[reader.offset] === '/')
        throw new SlugError('two slashes follow each other', reader.offset - 1, reader.offset + 1)
    }
    const next = slug[reader.offset]
    if (next === undefined) {
      if (inGroup) throw new SlugError('a `(` is never closed', opened, opened + 1)
      return segments
    }
    if (next === ')') {
      if (!inGroup) throw new SlugError('a `)` closes nothing', reader.offset, reader.offset + 1)
      if (segments.length === 0) throw new SlugError('the group in brackets is empty', opened, reader.offset + 1)
      reader.offset++
      return segments
    }
    const start = reader.offset
    if (segments.at(-1)?.kind === 'splat')
      throw new SlugError('nothing can follow a part that takes the rest of the path', start, slug.length)
    if (next === '(') {
      reader.offset++
      segments.push({ kind: 'optional', segments: readSegments(reader, true) })
    } else if (next === ':' || next === '*') segments.push(readName(reader, next))
    else segments.push({ kind: 'static', text: readStatic(reader) })
    const after = slug[reader.offset]
    if (after !== undefined && !'/()'.includes(after) && segments.at(-1)?.kind !== 'optional')
      throw new SlugError('a part between slashes is either a fixed text or one name', start, partEnd(slug, start))
  }
}

function readName(reader: SlugReader, sign: ':' | '*'): RouteSegment {
  const start = reader.offset
  const name = /^[A-Za-z_][A-Za-z0-9_]*/.exec(reader.slug.slice(start + 1))?.[0]
  if (name === undefined)
    throw new SlugError(`a name is missing behind the \`${sign}\``, start, partEnd(reader.slug, start))
  reader.offset = start + 1 + name.length
  if (RESERVED_NAMES.has(name))
    throw new SlugError(`the server keeps the name \`${name}\` for itself`, start, reader.offset)
  if (reader.names.has(name)) throw new SlugError(`two parts are named \`${name}\``, start, reader.offset)
  reader.names.add(name)
  return { kind: sign === ':' ? 'param' : 'splat', name }
}

function readStatic(reader: SlugReader): string {
  const start = reader.offset
  const text = /^[^/():*]+/.exec(reader.slug.slice(start))?.[0] ?? ''
  reader.offset += text.length
  const wrong = /[?#\s]/.exec(text)
  if (wrong !== null) {
    const at = start + wrong.index
    const what = wrong[0].trim() === '' ? 'white space' : `\`${wrong[0]}\``
    throw new SlugError(`${what} cannot stand in a path`, at, at + 1)
  }
  return text
}

function partEnd(slug: string, from: number): number {
  const end = slug.slice(from).search(/[/()]/)
  return end < 0 ? slug.length : from + end
}

/** The slug that the path of a page tells: `a/b/index` is `a/b`, also asked as `a/b/index`; `index` and `home` are `/`. */
export function slugFromName(name: string, module: string | null): { slug: string; alsoAt: string | null } {
  const prefix = module === null ? '' : `modules/${module}/`
  const path = name.startsWith(prefix) ? name.slice(prefix.length) : name
  if (path === 'index' || path === 'home') return { slug: '/', alsoAt: path === 'index' ? 'index' : null }
  return path.endsWith('/index')
    ? { slug: path.slice(0, -'/index'.length), alsoAt: path }
    : { slug: path, alsoAt: null }
}

/** The slug without slashes at its ends; the home page is `/`. */
export function bareSlug(slug: string): string {
  const bare = slug.replace(/^\/+|\/+$/g, '')
  return bare === '' ? '/' : bare
}

/** The route of a slug that was read. */
export function route(
  slug: string,
  segments: readonly RouteSegment[],
  format: string,
  alsoAt: string | null = null,
): Route {
  const bare = bareSlug(slug)
  return { slug: bare, segments, alsoAt, precedence: precedence(bare, segments, format) }
}

/** The order in which routes are tried, smaller first: fixed parts weigh more than names, and names more than optional ones. */
export function precedence(slug: string, segments: readonly RouteSegment[], format: string): number {
  const last = slug.slice(slug.lastIndexOf('/') + 1)
  return (
    -100 * (weigh(segments, false) || 1) +
    (slug === '/' ? 1 : 0) +
    (format === 'html' ? 1 : 0) -
    (/\.[A-Za-z0-9]+$/.test(last) ? 1 : 0)
  )
}

function weigh(segments: readonly RouteSegment[], optional: boolean): number {
  let weight = 0
  for (const segment of segments) {
    if (segment.kind === 'optional') weight += weigh(segment.segments, true)
    else weight += optional ? 1 : segment.kind === 'static' ? 100 : 10
  }
  return weight
}

/** Addresses that the server answers itself, as patterns over the fixed beginning of a slug. */
const RESERVED: readonly RegExp[] = [
  /^auth\/failure$/,
  /^maintenance(?:\/|$)/,
  /^_maintenance(?:\/new)?$/,
  /^api\/graph$/,
  /^api\/(?:app_builder|marketplace_builder|authentications|customizations|models|users|sessions|instance_backups|private)(?:\/|$)/,
  /^api\/user\/(?:custom_attachments|custom_images|customizations|models|transactables)(?:\/|$)/,
  /^_version$/,
  /^__instance_id$/,
  /^assets\//,
  /^websocket$/,
  /^(?:serviceworker(?:-[^/]+)?|sw)\.js$/,
]

/** Whether the server answers this address itself, so that a page with it is never asked. */
export function isReserved(segments: readonly RouteSegment[]): boolean {
  const fixed: string[] = []
  for (const segment of segments) {
    if (segment.kind !== 'static') break
    fixed.push(segment.text)
  }
  const [first, second, third] = segments
  if (isFixed(first, 'auth') && second?.kind === 'param' && isFixed(third, 'callback')) return true
  const path = fixed.join('/')
  const more = fixed.length < segments.length ? '/' : ''
  return RESERVED.some((pattern) => pattern.test(path + more))
}

function isFixed(segment: RouteSegment | undefined, text: string): boolean {
  return segment?.kind === 'static' && segment.text === text
}

/** Parses slugs (the route pattern of a page) and computes their precedence. */
import type { Route, RouteSegment } from '../../core/model/settings.ts'

export type ParsedSlug =
  | { readonly ok: true; readonly segments: readonly RouteSegment[] }
  /** `start` and `end` are offsets in the slug. The problem is a phrase. */
  | { readonly ok: false; readonly problem: string; readonly start: number; readonly end: number }

/** Names with a special meaning on the server. */
const RESERVED_NAMES: ReadonlySet<string> = new Set(['action', 'controller'])

/**
 * Parses a slug such as `a/:id(/:x)/*rest`: fixed segments, named segments, the rest of the path, and optional groups. Leading and trailing
 * slashes are ignored.
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
  const groupStart = reader.offset - 1
  for (;;) {
    if (slug[reader.offset] === '/') {
      reader.offset++
      if (slug[reader.offset] === '/')
        throw new SlugError('it has two slashes in a row', reader.offset - 1, reader.offset + 1)
    }
    const next = slug[reader.offset]
    if (next === undefined) {
      if (inGroup) throw new SlugError('a `(` is never closed', groupStart, groupStart + 1)
      return segments
    }
    if (next === ')') {
      if (!inGroup) throw new SlugError('a `)` has no matching `(`', reader.offset, reader.offset + 1)
      if (segments.length === 0) throw new SlugError('a group in parentheses is empty', groupStart, reader.offset + 1)
      reader.offset++
      return segments
    }
    const start = reader.offset
    if (segments.at(-1)?.kind === 'splat')
      throw new SlugError(
        'nothing can follow a segment with `*`, which matches the rest of the path',
        start,
        slug.length,
      )
    if (next === '(') {
      reader.offset++
      segments.push({ kind: 'optional', segments: readSegments(reader, true) })
    } else if (next === ':' || next === '*') segments.push(readName(reader, next))
    else segments.push({ kind: 'static', text: readStatic(reader) })
    const textAfter = slug[reader.offset]
    if (textAfter !== undefined && !'/()'.includes(textAfter) && segments.at(-1)?.kind !== 'optional')
      throw new SlugError('a segment must be either fixed text or one name', start, segmentEnd(slug, start))
  }
}

function readName(reader: SlugReader, sign: ':' | '*'): RouteSegment {
  const start = reader.offset
  const name = /^[A-Za-z_][A-Za-z0-9_]*/.exec(reader.slug.slice(start + 1))?.[0]
  if (name === undefined)
    throw new SlugError(`a name is missing after \`${sign}\``, start, segmentEnd(reader.slug, start))
  reader.offset = start + 1 + name.length
  if (RESERVED_NAMES.has(name)) throw new SlugError(`the name \`${name}\` is reserved`, start, reader.offset)
  if (reader.names.has(name)) throw new SlugError(`two segments are named \`${name}\``, start, reader.offset)
  reader.names.add(name)
  return { kind: sign === ':' ? 'param' : 'splat', name }
}

function readStatic(reader: SlugReader): string {
  const start = reader.offset
  const text = /^[^/():*]+/.exec(reader.slug.slice(start))?.[0] ?? ''
  reader.offset += text.length
  const invalidCharacter = /[?#\s]/.exec(text)
  if (invalidCharacter !== null) {
    const at = start + invalidCharacter.index
    const description = invalidCharacter[0].trim() === '' ? 'white space' : `\`${invalidCharacter[0]}\``
    throw new SlugError(`${description} is not allowed in a path`, at, at + 1)
  }
  return text
}

function segmentEnd(slug: string, from: number): number {
  const end = slug.slice(from).search(/[/()]/)
  return end < 0 ? slug.length : from + end
}

/** Returns the slug for the path of a page: `a/b/index` becomes `a/b` (also served at `a/b/index`), and `index` and `home` become `/`. */
export function slugFromName(name: string, module: string | null): { slug: string; alsoAt: string | null } {
  const prefix = module === null ? '' : `modules/${module}/`
  const path = name.startsWith(prefix) ? name.slice(prefix.length) : name
  if (path === 'index' || path === 'home') return { slug: '/', alsoAt: path === 'index' ? 'index' : null }
  return path.endsWith('/index')
    ? { slug: path.slice(0, -'/index'.length), alsoAt: path }
    : { slug: path, alsoAt: null }
}

/** Returns the slug without leading and trailing slashes; `/` for the home page. */
export function bareSlug(slug: string): string {
  const trimmed = slug.replace(/^\/+|\/+$/g, '')
  return trimmed === '' ? '/' : trimmed
}

/** Creates the route of a parsed slug. */
export function route(
  slug: string,
  segments: readonly RouteSegment[],
  format: string,
  alsoAt: string | null = null,
): Route {
  const trimmedSlug = bareSlug(slug)
  return { slug: trimmedSlug, segments, alsoAt, precedence: precedence(trimmedSlug, segments, format) }
}

/**
 * Returns the precedence of a route; smaller ones are tried first. Fixed segments come before named ones, and those before optional
 * ones.
 * @internal Exported for tests.
 */
export function precedence(slug: string, segments: readonly RouteSegment[], format: string): number {
  const last = slug.slice(slug.lastIndexOf('/') + 1)
  return (
    -100 * (computeWeight(segments, false) || 1) +
    (slug === '/' ? 1 : 0) +
    (format === 'html' ? 1 : 0) -
    (/\.[A-Za-z0-9]+$/.test(last) ? 1 : 0)
  )
}

function computeWeight(segments: readonly RouteSegment[], optional: boolean): number {
  let weight = 0
  for (const segment of segments) {
    if (segment.kind === 'optional') weight += computeWeight(segment.segments, true)
    else weight += optional ? 1 : segment.kind === 'static' ? 100 : 10
  }
  return weight
}

/**
 * Routes that the server handles itself, as patterns for the fixed beginning of a slug. Those of sign-in providers (`auth/<name>`) are not
 * among them, because the settings of the server decide which providers there are, and pages answer for all others.
 */
const RESERVED: readonly RegExp[] = [
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

/** Returns whether the server handles this route itself, so that the page would never be shown. */
export function isReserved(segments: readonly RouteSegment[]): boolean {
  const fixedSegments: string[] = []
  for (const segment of segments) {
    if (segment.kind !== 'static') break
    fixedSegments.push(segment.text)
  }
  const path = fixedSegments.join('/')
  const suffix = fixedSegments.length < segments.length ? '/' : ''
  return RESERVED.some((pattern) => pattern.test(path + suffix))
}

/** Pages: the address, what answers it, and how the answer is wrapped. */
import { z } from 'zod'
import { reservedRoute } from '../diagnostics/codes/reserved-route.ts'
import { slugSyntax } from '../diagnostics/codes/slug-syntax.ts'
import type { PageFormat, PageSettings, Route, SettingTree } from '../model/settings.ts'
import type { SourceFile } from '../source/file.ts'
import { FORMATS } from '../source/kinds.ts'
import type { Span } from '../source/span.ts'
import { entryOf } from '../source/yaml.ts'
import { checkHeaders } from './headers.ts'
import { liquidText, placeIn } from './liquid-text.ts'
import {
  anything,
  type Entries,
  flag,
  liquid,
  mapping,
  names,
  settings,
  text,
  textOrMapping,
  top,
  wholeNumber,
  word,
} from './setting.ts'
import { bareSlug, isReserved, parseSlug, route, slugFromName } from './slug.ts'

const formats = FORMATS as readonly PageFormat[]

const keys = {
  slug: { schema: text },
  method: { schema: word('get', 'post', 'put', 'patch', 'delete', 'options') },
  // `false` means the default, as a missing key does.
  layout: { schema: z.union([text, z.literal(false)], { error: 'the name of a layout' }) },
  layout_name: { schema: text, deprecated: 'layout' },
  metadata: { schema: mapping },
  converter: { schema: word('markdown') },
  handler: { schema: word('liquid', 'markdown'), deprecated: 'converter' },
  // A policy that is not read would leave the door open.
  authorization_policies: { schema: names, refused: true },
  format: { schema: word(...formats) },
  redirect_to: { schema: liquid },
  redirect_url: { schema: liquid, deprecated: 'redirect_to' },
  redirect_code: { schema: word('301', '302', '307') },
  max_deep_level: { schema: wholeNumber },
  response_headers: { schema: textOrMapping },
  dynamic_cache: {
    schema: z.strictObject(
      { key: liquid.nullish(), expire: wholeNumber.nullish(), layout: flag.nullish() },
      { error: 'a mapping of `key`, `expire` and `layout`' },
    ),
  },
  static_cache: {
    schema: z.strictObject({ expire: wholeNumber.nullish() }, { error: 'a mapping with `expire`, in seconds' }),
  },
  cache_for: { schema: wholeNumber, deprecated: 'static_cache' },
  searchable: { schema: flag },
  subdomain: { schema: text },
  path: { schema: text, deprecated: 'slug' },
  metadata_title: { schema: liquid, deprecated: 'metadata' },
  metadata_meta_description: { schema: liquid, deprecated: 'metadata' },
  metadata_canonical_url: { schema: liquid, deprecated: 'metadata' },
  name: { schema: anything },
  enable_profiler: { schema: flag },
  require_verified_user: { schema: anything },
  admin_page: { schema: anything },
  default_layout: { schema: anything },
} as const

type From = Entries<typeof keys>

export const page = settings<typeof keys, PageSettings>({
  noun: 'page',
  keys,
  read(from, file) {
    const format = from.value('format') ?? knownFormat(file.format) ?? 'html'
    const { slug, slugSpan, route } = address(from, file, format)
    const code = from.value('redirect_code')
    const layout = from.value('layout') ?? from.value('layout_name')
    checkHeaders(from.node('response_headers'), from.report)
    return {
      kind: 'page',
      slug,
      slugSpan,
      route,
      method: from.value('method') ?? 'get',
      format,
      layout: typeof layout === 'string' ? layout.trim() : null,
      layoutSpan: from.span('layout') ?? from.span('layout_name'),
      metadata: metadata(from),
      converter: from.value('converter') ?? (from.value('handler') === 'markdown' ? 'markdown' : null),
      authorizationPolicies: from.names('authorization_policies'),
      redirectTo: from.liquid('redirect_to', 'redirect_url'),
      redirectCode: code === '301' ? 301 : code === '307' ? 307 : 302,
      responseHeaders: from.tree('response_headers'),
      dynamicCache: dynamicCache(from),
      staticCache: from.value('static_cache')?.expire ?? from.value('cache_for') ?? null,
      searchable: from.value('searchable') ?? false,
      subdomain: from.value('subdomain') ?? null,
    }
  },
})

function address(
  from: From,
  file: SourceFile,
  format: PageFormat,
): { readonly slug: string | null; readonly slugSpan: Span; readonly route: Route } {
  const written = from.liquid('slug', 'path')
  const slug = written?.text.trim() ?? null
  const told = slugFromName(file.name, file.module)
  const slugSpan = written?.span ?? top(file)
  const parsed = parseSlug(slug ?? told.slug)
  if (!parsed.ok) {
    const at = written === null || written.text !== slug ? slugSpan : placeIn(written, parsed.start, parsed.end)
    from.report.add(slugSyntax(at, slug ?? told.slug, parsed.problem))
    // The page keeps an address that nothing else has.
    const text = bareSlug(slug ?? told.slug)
    return { slug, slugSpan, route: route(text, [{ kind: 'static', text }], format) }
  }
  if (isReserved(parsed.segments)) from.report.add(reservedRoute(slugSpan, slug ?? told.slug))
  return {
    slug,
    slugSpan,
    route: route(slug ?? told.slug, parsed.segments, format, slug === null ? told.alsoAt : null),
  }
}

/** The map below `metadata`, with what the short forms add to it. */
function metadata(from: From): SettingTree {
  const map = from.map('metadata')
  const short = [
    ['title', from.tree('metadata_title')],
    ['meta_description', from.tree('metadata_meta_description')],
    ['canonical_url', from.tree('metadata_canonical_url')],
  ] as const
  if (map.kind !== 'map' || short.every(([, value]) => value === null)) return map
  const entries = new Map(map.entries)
  for (const [name, value] of short) if (value !== null && !entries.has(name)) entries.set(name, value)
  return { kind: 'map', entries }
}

function dynamicCache(from: From): PageSettings['dynamicCache'] {
  const cache = from.value('dynamic_cache')
  if (cache === undefined) return null
  const key = entryOf(from.node('dynamic_cache'), 'key')?.value
  return {
    key: key?.kind === 'scalar' && key.value !== null ? liquidText(key) : null,
    expire: cache.expire ?? null,
    layout: cache.layout ?? false,
  }
}

function knownFormat(format: string | null): PageFormat | undefined {
  return formats.find((each) => each === format)
}

/** Settings of pages: the route, the response and the layout. */
import * as z from 'zod'
import { replaceWith } from '../../core/diagnostics/change.ts'
import { reservedRoute } from '../../core/diagnostics/codes/site/reserved-route.ts'
import { settingValue } from '../../core/diagnostics/codes/settings/setting-value.ts'
import { slugSyntax } from '../../core/diagnostics/codes/settings/slug-syntax.ts'
import type { PageFormat, PageSettings, Route, SettingTree } from '../../core/model/settings.ts'
import type { SourceFile } from '../../core/source/file.ts'
import { FORMATS } from '../../core/source/file.ts'
import type { Span } from '../../core/source/span.ts'
import { entryOf } from '../../core/source/yaml.ts'
import { checkHeaders } from './headers.ts'
import { hasLiquid, liquidText, spanIn } from './liquid-text.ts'
import {
  type Entries,
  flag,
  liquid,
  names,
  section,
  settings,
  text,
  textOrMapping,
  top,
  wholeNumber,
  word,
  customValues,
  unread,
} from './setting.ts'
import { bareSlug, isReserved, parseSlug, route, slugFromName } from './slug.ts'

const formats: readonly PageFormat[] = [...FORMATS, 'md']

const dynamicCacheKeys = {
  key: { schema: liquid, description: 'The key of the cache entry.', otherwise: 'the full URL' },
  expire: {
    schema: wholeNumber,
    description: 'The lifetime of the cache entry, in seconds.',
    otherwise: 'until the page changes',
  },
  layout: { schema: flag, description: 'Whether the layout is cached too.', default: false },
} as const

const staticCacheKeys = {
  expire: { schema: wholeNumber, description: 'How long the response may be cached, in seconds.' },
} as const

const keys = {
  slug: {
    schema: text,
    description:
      'The route: fixed segments, `:name` for one segment, `*name` for the rest of the path, and optional groups in parentheses.',
    otherwise: 'the path of the file; `index` is the root of its folder',
  },
  method: {
    schema: word('get', 'post', 'put', 'patch', 'delete', 'options'),
    description: 'The HTTP method of the requests that the page handles.',
    default: 'get',
  },
  // `false` means the default, like a missing key.
  layout: {
    schema: z.union([text, z.literal(false)], { error: 'the name of a layout' }),
    description: 'The layout around the page. An empty text means no layout. The name may contain Liquid.',
    otherwise: '`default_layout` of `app/config.yml`; none for formats other than `html`',
    see: 'layout',
  },
  layout_name: { schema: text, deprecated: 'layout', description: 'Older name of `layout`.' },
  metadata: customValues('Custom values, available as `context.page.metadata`. Texts may contain Liquid.'),
  converter: { schema: word('markdown'), description: 'Converts the Markdown output of the file to HTML.' },
  handler: { schema: word('liquid', 'markdown'), deprecated: 'converter', description: 'Older name of `converter`.' },
  // If a policy were ignored, the page would be open to everyone.
  authorization_policies: {
    schema: names,
    refused: true,
    description:
      'The policies that run before the page, in this order. The first one that rejects the visitor ends the request.',
    default: [],
    see: 'authorization_policy',
  },
  format: {
    schema: word(...formats),
    description: 'The format of the response. It defines the media type and the extension of the URL.',
    otherwise: 'the extension in the file name, or `html`',
  },
  redirect_to: { schema: liquid, description: 'Redirects to this URL instead of showing the page.' },
  redirect_url: { schema: liquid, deprecated: 'redirect_to', description: 'Older name of `redirect_to`.' },
  redirect_code: { schema: word('301', '302', '307'), description: 'The status of the redirect.', default: '302' },
  max_deep_level: {
    schema: wholeNumber,
    description:
      'How many segments a URL may have after the slug, if `slug_exact_match` in `app/config.yml` is off: 1 allows none, 2 allows one, and 3 or more allows any number.',
    default: 3,
  },
  response_headers: {
    schema: textOrMapping,
    description:
      'Additional response headers, as a mapping or as JSON text. Only the server sets `Set-Cookie` and caching headers.',
  },
  dynamic_cache: {
    schema: section(dynamicCacheKeys),
    below: dynamicCacheKeys,
    description: 'Caches the output of the page. The policies still run for each request.',
  },
  static_cache: {
    schema: section(staticCacheKeys, 'a mapping with `expire`, in seconds'),
    below: staticCacheKeys,
    description: 'Lets browsers and proxies cache the response.',
  },
  cache_for: { schema: wholeNumber, deprecated: 'static_cache', description: 'Older name of `static_cache.expire`.' },
  searchable: {
    schema: flag,
    description: 'Whether the text of the page is indexed, so that the query `pages` can find it by content.',
    default: false,
  },
  subdomain: { schema: text, description: 'Handles only requests whose host begins with this text.' },
  path: { schema: text, deprecated: 'slug', description: 'Another name of `slug`.' },
  metadata_title: { schema: liquid, deprecated: 'metadata', description: 'Older name of `metadata.title`.' },
  metadata_meta_description: {
    schema: liquid,
    deprecated: 'metadata',
    description: 'Older name of `metadata.meta_description`.',
  },
  metadata_canonical_url: {
    schema: liquid,
    deprecated: 'metadata',
    description: 'Older name of `metadata.canonical_url`.',
  },
  name: unread('Ignored. A label for readers of the file.'),
  enable_profiler: {
    schema: flag,
    description: 'Ignored. On the platform, it shows a profile of the queries next to the page.',
    unread: true,
  },
  require_verified_user: unread('Ignored. A restriction of older sites; use a policy instead.'),
  admin_page: unread('Ignored. Older sites set it.'),
  default_layout: unread('Ignored. `app/config.yml` sets the default layout.'),
} as const

type PageEntries = Entries<typeof keys>

export const page = settings<typeof keys, PageSettings>({
  noun: 'page',
  description: 'The response for a URL: front matter with the route and settings, and a template.',
  keys,
  read(from, file) {
    const format = from.value('format') ?? knownFormat(file.format) ?? 'html'
    const { slug, slugSpan, route } = routeOfPage(from, file, format)
    const code = from.value('redirect_code')
    const layout = from.value('layout') ?? from.value('layout_name')
    const layoutText = from.liquid('layout', 'layout_name')
    const computedLayout = layoutText !== null && hasLiquid(layoutText.text) ? layoutText : null
    checkHeaders(from.node('response_headers'), from.report)
    return {
      kind: 'page',
      slug,
      slugSpan,
      route,
      maxDeepLevel: from.value('max_deep_level'),
      method: from.value('method'),
      format,
      layout: typeof layout === 'string' && computedLayout === null ? layout.trim() : null,
      computedLayout,
      layoutSpan: from.span('layout') ?? from.span('layout_name'),
      metadata: metadata(from),
      converter: from.value('converter') ?? (from.value('handler') === 'markdown' ? 'markdown' : null),
      authorizationPolicies: from.names('authorization_policies'),
      redirectTo: from.liquid('redirect_to', 'redirect_url'),
      redirectCode: code === '301' ? 301 : code === '307' ? 307 : 302,
      responseHeaders: from.tree('response_headers'),
      dynamicCache: dynamicCache(from),
      plainSettings: {
        staticCache: from.value('static_cache')?.expire ?? from.value('cache_for') ?? null,
        subdomain: from.value('subdomain') ?? null,
        searchable: from.value('searchable'),
      },
    }
  },
})

function routeOfPage(
  from: PageEntries,
  file: SourceFile,
  format: PageFormat,
): { readonly slug: string | null; readonly slugSpan: Span; readonly route: Route } {
  const slugText = from.liquid('slug', 'path')
  const slug = slugText?.text.trim() ?? null
  const pathSlug = slugFromName(file.name, file.module)
  const slugSpan = slugText?.span ?? top(file)
  const parsed = parseSlug(slug ?? pathSlug.slug)
  if (!parsed.ok) {
    const span = slugText === null || slugText.text !== slug ? slugSpan : spanIn(slugText, parsed.start, parsed.end)
    from.report.add(slugSyntax(span, slug ?? pathSlug.slug, parsed.problem))
    // The slug stays as fixed text, so that no other page gets its requests.
    const text = bareSlug(slug ?? pathSlug.slug)
    return { slug, slugSpan, route: route(text, [{ kind: 'static', text }], format) }
  }
  const convertedSlug = (slug ?? '').replace(
    /\{(\w+)\}|<(?:\w+:)?(\w+)>|\[(\w+)\]/g,
    (_, ...names: (string | undefined)[]) => `:${names.find((name) => name !== undefined)}`,
  )
  if (slug !== null && convertedSlug !== slug)
    from.report.add(
      settingValue(slugSpan, 'slug', 'names of segments such as `:id`', slug, {
        ...replaceWith(convertedSlug),
        hint: `Write \`slug: ${convertedSlug}\`.`,
      }),
    )
  if (isReserved(parsed.segments)) from.report.add(reservedRoute(slugSpan, slug ?? pathSlug.slug))
  return {
    slug,
    slugSpan,
    route: route(slug ?? pathSlug.slug, parsed.segments, format, slug === null ? pathSlug.alsoAt : null),
  }
}

/** Returns the mapping below `metadata`, with the values of the older keys. */
function metadata(from: PageEntries): SettingTree {
  const map = from.map('metadata')
  const olderKeys = [
    ['title', from.tree('metadata_title')],
    ['meta_description', from.tree('metadata_meta_description')],
    ['canonical_url', from.tree('metadata_canonical_url')],
  ] as const
  if (map.kind !== 'map' || olderKeys.every(([, value]) => value === null)) return map
  const entries = new Map(map.entries)
  for (const [name, value] of olderKeys) if (value !== null && !entries.has(name)) entries.set(name, value)
  return { kind: 'map', entries }
}

function dynamicCache(from: PageEntries): PageSettings['dynamicCache'] {
  const cache = from.value('dynamic_cache')
  if (cache === undefined) return null
  const key = entryOf(from.node('dynamic_cache'), 'key')?.value
  return {
    key: key?.kind === 'scalar' && key.value !== null ? liquidText(key) : null,
    expire: cache.expire ?? null,
    layout: cache.layout ?? dynamicCacheKeys.layout.default,
  }
}

function knownFormat(format: string | null): PageFormat | undefined {
  return formats.find((each) => each === format)
}

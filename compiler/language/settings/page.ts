/** Pages: the address, what answers it, and how the answer is wrapped. */
import * as z from 'zod'
import { reservedRoute } from '../../core/diagnostics/codes/site/reserved-route.ts'
import { settingValue } from '../../core/diagnostics/codes/settings/setting-value.ts'
import { slugSyntax } from '../../core/diagnostics/codes/settings/slug-syntax.ts'
import type { PageFormat, PageSettings, Route, SettingTree } from '../../core/model/settings.ts'
import type { SourceFile } from '../../core/source/file.ts'
import { FORMATS } from '../../core/source/kinds.ts'
import type { Span } from '../../core/source/span.ts'
import { entryOf } from '../../core/source/yaml.ts'
import { checkHeaders } from './headers.ts'
import { hasLiquid, liquidText, spanIn } from './liquid-text.ts'
import {
  anything,
  type Entries,
  flag,
  liquid,
  mapping,
  names,
  section,
  settings,
  text,
  textOrMapping,
  top,
  wholeNumber,
  word,
} from './setting.ts'
import { bareSlug, isReserved, parseSlug, route, slugFromName } from './slug.ts'

const formats: readonly PageFormat[] = [...FORMATS, 'md']

const dynamicCacheKeys = {
  key: { schema: liquid, says: 'Tells apart what is kept.', otherwise: 'the whole address' },
  expire: { schema: wholeNumber, says: 'How many seconds it is kept.', otherwise: 'until the page changes' },
  layout: { schema: flag, says: 'Whether the layout is kept with it.', default: false },
} as const

const staticCacheKeys = {
  expire: { schema: wholeNumber, says: 'How many seconds it may be kept.' },
} as const

const keys = {
  slug: {
    schema: text,
    says: 'The address: fixed parts, `:name` for one part, `*name` for the rest, and groups in brackets that may be left out.',
    otherwise: 'the path of the file; `index` is the home of its folder',
  },
  method: {
    schema: word('get', 'post', 'put', 'patch', 'delete', 'options'),
    says: 'The method of the requests that it answers.',
    default: 'get',
  },
  // `false` means the default, as a missing key does.
  layout: {
    schema: z.union([text, z.literal(false)], { error: 'the name of a layout' }),
    says: 'The layout around it; an empty text for none. Liquid may compute its name.',
    otherwise: '`default_layout` of `app/config.yml`; none for other formats than `html`',
    see: 'layout',
  },
  layout_name: { schema: text, deprecated: 'layout', says: 'Older name of `layout`.' },
  metadata: {
    schema: mapping,
    says: 'Free values, read as `context.page.metadata`, with Liquid in their texts.',
    default: {},
  },
  converter: { schema: word('markdown'), says: 'Makes HTML of the Markdown that the file prints.' },
  handler: { schema: word('liquid', 'markdown'), deprecated: 'converter', says: 'Older name of `converter`.' },
  // A policy that is not read would leave the door open.
  authorization_policies: {
    schema: names,
    refused: true,
    says: 'Policies that run before the page, in this order; the first that turns a visitor away ends the request.',
    default: [],
    see: 'authorization_policy',
  },
  format: {
    schema: word(...formats),
    says: 'What the page is: its media type, and the ending of its address.',
    otherwise: 'the ending in the name of the file, else `html`',
  },
  redirect_to: { schema: liquid, says: 'Answers with a redirect to this address in the place of the page.' },
  redirect_url: { schema: liquid, deprecated: 'redirect_to', says: 'Older name of `redirect_to`.' },
  redirect_code: { schema: word('301', '302', '307'), says: 'The status of the redirect.', default: '302' },
  max_deep_level: {
    schema: wholeNumber,
    says: 'Where addresses may go on behind slugs (`slug_exact_match` of `app/config.yml`), how far they may: 1 is the slug alone, 2 one part more, 3 and more any number.',
    default: 3,
  },
  response_headers: {
    schema: textOrMapping,
    says: 'Further headers of the answer, as a mapping or as the text of a JSON object; `Set-Cookie` and those of caches are kept by the server.',
  },
  dynamic_cache: {
    schema: section(dynamicCacheKeys),
    below: dynamicCacheKeys,
    says: 'Keeps what the page prints and answers with it, once its policies have let the visitor in.',
  },
  static_cache: {
    schema: section(staticCacheKeys, 'a mapping with `expire`, in seconds'),
    below: staticCacheKeys,
    says: 'Lets browsers and caches on the way keep the answer.',
  },
  cache_for: { schema: wholeNumber, deprecated: 'static_cache', says: 'Older name of `static_cache.expire`.' },
  searchable: {
    schema: flag,
    says: 'Whether its text is kept for searches: the query `pages` finds it by its content.',
    default: false,
  },
  subdomain: { schema: text, says: 'Answers only where the host begins with this.' },
  path: { schema: text, deprecated: 'slug', says: 'Another name of `slug`.' },
  metadata_title: { schema: liquid, deprecated: 'metadata', says: 'Older name of `metadata.title`.' },
  metadata_meta_description: {
    schema: liquid,
    deprecated: 'metadata',
    says: 'Older name of `metadata.meta_description`.',
  },
  metadata_canonical_url: { schema: liquid, deprecated: 'metadata', says: 'Older name of `metadata.canonical_url`.' },
  name: { schema: anything, says: 'A label for whoever reads the file.', unread: true },
  enable_profiler: { schema: flag, says: 'A profile of queries beside the page.', unread: true },
  require_verified_user: {
    schema: anything,
    says: 'A restriction of old sites: a policy takes its place.',
    unread: true,
  },
  admin_page: { schema: anything, says: 'A mark of old sites.', unread: true },
  default_layout: {
    schema: anything,
    says: 'A mark of old sites: `app/config.yml` names the default layout.',
    unread: true,
  },
} as const

type PageEntries = Entries<typeof keys>

export const page = settings<typeof keys, PageSettings>({
  noun: 'page',
  says: 'What an address answers: front matter that says which address and how, and a template.',
  keys,
  read(from, file) {
    const format = from.value('format') ?? knownFormat(file.format) ?? 'html'
    const { slug, slugSpan, route } = address(from, file, format)
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
      plain: {
        staticCache: from.value('static_cache')?.expire ?? from.value('cache_for') ?? null,
        subdomain: from.value('subdomain') ?? null,
        searchable: from.value('searchable'),
      },
    }
  },
})

function address(
  from: PageEntries,
  file: SourceFile,
  format: PageFormat,
): { readonly slug: string | null; readonly slugSpan: Span; readonly route: Route } {
  const written = from.liquid('slug', 'path')
  const slug = written?.text.trim() ?? null
  const fromPath = slugFromName(file.name, file.module)
  const slugSpan = written?.span ?? top(file)
  const parsed = parseSlug(slug ?? fromPath.slug)
  if (!parsed.ok) {
    const span = written === null || written.text !== slug ? slugSpan : spanIn(written, parsed.start, parsed.end)
    from.report.add(slugSyntax(span, slug ?? fromPath.slug, parsed.problem))
    // The page keeps its address as a fixed text, so that no other page is taken for it.
    const text = bareSlug(slug ?? fromPath.slug)
    return { slug, slugSpan, route: route(text, [{ kind: 'static', text }], format) }
  }
  const converted = (slug ?? '').replace(
    /\{(\w+)\}|<(?:\w+:)?(\w+)>|\[(\w+)\]/g,
    (_, ...names: (string | undefined)[]) => `:${names.find((name) => name !== undefined)}`,
  )
  if (slug !== null && converted !== slug)
    from.report.add(settingValue(slugSpan, 'slug', 'names of parts as `:id`', slug, `Write \`slug: ${converted}\`.`))
  if (isReserved(parsed.segments)) from.report.add(reservedRoute(slugSpan, slug ?? fromPath.slug))
  return {
    slug,
    slugSpan,
    route: route(slug ?? fromPath.slug, parsed.segments, format, slug === null ? fromPath.alsoAt : null),
  }
}

/** The map below `metadata`, with what the short forms add to it. */
function metadata(from: PageEntries): SettingTree {
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

/**
 * The data of `admin_*` queries: the compiled site as lists of plain items. File times are read once per loaded site.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import type { SiteFacts, SiteItem } from '../../../../runtime/data/query/site-facts.ts'
import type { Page } from '../../../../runtime/data/query/schema.generated.ts'
import { LiquidFault } from '../../../../runtime/page/fault.ts'
import type { Render } from '../../../../runtime/page/render.ts'
import type { PageEntry, PolicyEntry, Setting } from '../../../../runtime/page/site.ts'
import { mediaType } from '../../http/media-types.ts'
import type { Markdown } from '../../../core/contracts/markdown.ts'
import { cutFrontMatter } from '../../site/front-matter.ts'
import { INSTANCE_ID } from '../../site/identity.ts'
import type { LoadedSite } from '../../site/load.ts'
import {
  type DeployedDependencies,
  type ItemOf,
  layoutItems,
  operationItems,
  profileSchemaItems,
  schemaItem,
  FormAndNotificationItems,
} from './deployed.ts'
import { propertyItems } from './property-items.ts'
import { evaluateSetting, settingValue } from '../../site/setting.ts'
import { stableId } from '../../site/stable-id.ts'
import { translationItems } from './translation-items.ts'

export interface FactSource {
  readonly loadedSite: LoadedSite
  /** Creates a render outside of any request, for settings that contain Liquid. */
  readonly render: () => Render
  readonly markdown: Markdown
  /**
   * Renders a page for an anonymous visitor. Null when pages are not rendered.
   * @throws LiquidFault
   */
  readonly renderPage: ((page: PageEntry) => Promise<string>) | null
  readonly sql: Sql
  /** Table ids by table name. */
  readonly tableIds: ReadonlyMap<string, number>
  readonly assetUrl: (path: string) => string
  /** Whether properties are listed in the order of their files, as in the studio. By default, they are sorted by name. */
  readonly inFileOrder?: boolean
  /** What the server knows about the running site. */
  readonly running?: Pick<SiteFacts, 'requests' | 'plan' | 'problems' | 'releases'> | undefined
}

/** Creates the lists of site items. Each list is computed on first use. */
export function createSiteFacts(source: FactSource): SiteFacts {
  const { loadedSite, sql, tableIds, render, running, inFileOrder = false } = source
  const { site } = loadedSite
  const fileTimes = lazily(() => readFileTimes(source))
  const pages = lazily(async () => {
    const times = await fileTimes()
    // A page that is routed under two paths has two entries. Of entries with the same file, the map keeps the last one. Both lists are
    // reversed, so that it keeps the first one, which has the page's own slug.
    const entries = [...new Map(site.pages.toReversed().map((page) => [page.file, page])).values()].toReversed()
    return buildItems(entries, times, render, (page, { at }) => pageItem(page, at, times, source))
  })
  const partials = lazily(async () =>
    buildItems(site.partialFiles, await fileTimes(), render, ({ file, name, format }) => ({
      path: name,
      format: format ?? 'html',
      body: () => readTemplateBody(loadedSite, file),
    })),
  )
  const assets = lazily(async () => {
    const entries = Object.entries(site.assets).map(([name, { file, size }]) => {
      return { file, name, size, metadata: NO_METADATA }
    })
    return buildItems(entries, await fileTimes(), render, ({ name, file, size }) => ({
      name,
      url: source.assetUrl(name),
      content_type: mediaType(file),
      file_size: size,
    }))
  })

  const listed: typeof propertyItems = (properties, id, type, file) =>
    propertyItems(properties, id, type, file, inFileOrder)

  const deployedDependencies = async (): Promise<DeployedDependencies> => {
    const times = await fileTimes()
    const data = async (setting: Setting | null): Promise<unknown> =>
      setting === null ? null : evaluateSetting(setting, render)
    return {
      site,
      source: (file) => loadedSite.source(file),
      body: (file) => readTemplateBody(loadedSite, file),
      fileItem: (file) => fileItem(file, times),
      metadata: (setting) => createMetadata(setting, render),
      policy: (name) => {
        const policy = Object.hasOwn(site.policies, name) ? site.policies[name] : undefined
        return policy === undefined ? [] : [policyItem(policy, times, loadedSite, data)]
      },
      properties: listed,
    }
  }

  return {
    pages,
    partials,
    assets,
    async policies() {
      const { policy } = await deployedDependencies()
      return Object.keys(site.policies).flatMap(policy)
    },
    layouts: async () => layoutItems(await deployedDependencies()),
    operations: async () => operationItems(await deployedDependencies()),
    profileSchemas: async () => profileSchemaItems(await deployedDependencies()),
    formsAndNotifications: async (kind) => new FormAndNotificationItems(await deployedDependencies())[kind](),
    async tables() {
      const times = await fileTimes()
      // The first request for a count reads the counts of all tables with one query.
      const counts = lazily(async () => {
        const rows = await sql<{ id: number; count: string }[]>`
          select table_id as id, count(*) as count from ingot.records where deleted_at is null group by table_id`
        return new Map(rows.map(({ id, count }) => [Number(id), Number(count)]))
      })
      return site.data.tables.map((table) => {
        const id = tableIds.get(table.name) ?? 0
        const fileFields = fileItem(table.file, times)
        return {
          ...fileFields,
          ...schemaItem(table, listed(table.properties, String(id), 'Table', fileFields)),
          id: String(id),
          records_count_rc: async () => (await counts()).get(id) ?? 0,
        }
      })
    },
    userSchema() {
      const buildTime = builtAt(loadedSite)
      const sharedFields = {
        created_at: buildTime,
        updated_at: buildTime,
        physical_file_path: null,
        manually_managed: false,
      }
      return listed(site.data.user, '1', 'User', sharedFields)
    },
    translations: () => translationItems(site.translations, sql),
    ...running,
    instance() {
      const buildTime = builtAt(loadedSite)
      return {
        id: String(INSTANCE_ID),
        name: loadedSite.name,
        feature_flags: {},
        created_at: buildTime,
        updated_at: buildTime,
      }
    },
  }
}

/** The modification time of a file as ISO 8601 text. */
interface FileTimes {
  readonly at: string
}

/** A site entry that comes from a file. */
interface SiteFile {
  readonly file: string
  readonly metadata: Setting
}

const NO_METADATA: Setting = { kind: 'plain', value: {} }

function buildItems<E extends SiteFile>(
  entries: readonly E[],
  times: ReadonlyMap<string, FileTimes>,
  render: () => Render,
  buildFields: (entry: E, times: FileTimes) => Record<string, unknown>,
): readonly SiteItem[] {
  return entries.map((entry) => ({
    ...fileItem(entry.file, times),
    metadata: createMetadata(entry.metadata, render),
    ...buildFields(entry, times.get(entry.file) ?? UNKNOWN_TIMES),
  }))
}

/**
 * Returns a function that creates new metadata with each call, so that a template that changes it does not affect
 * others.
 */
function createMetadata(setting: Setting, render: () => Render): () => unknown {
  if (!holdsLiquid(setting)) return () => settingValue(setting, render) ?? {}
  return async () => (await evaluateSetting(setting, render)) ?? {}
}

const UNKNOWN_TIMES: FileTimes = { at: new Date(0).toISOString() }

function holdsLiquid(setting: Setting): boolean {
  switch (setting.kind) {
    case 'plain':
      return false
    case 'liquid':
      return true
    case 'list':
      return setting.items.some(holdsLiquid)
    case 'map':
      return Object.values(setting.entries).some(holdsLiquid)
  }
}

function fileItem(file: string, times: ReadonlyMap<string, FileTimes>): Record<string, unknown> {
  const { at } = times.get(file) ?? UNKNOWN_TIMES
  return {
    id: stableId(file),
    created_at: at,
    updated_at: at,
    deleted_at: null,
    physical_file_path: file,
    manually_managed: false,
  }
}

/**
 * Returns the item of a page.
 * @param at modification time of the file
 */
function pageItem(
  page: PageEntry,
  at: string,
  times: ReadonlyMap<string, FileTimes>,
  source: FactSource,
): Record<string, unknown> {
  const { loadedSite } = source
  const { policies } = loadedSite.site
  const content = (): string | null => readTemplateBody(loadedSite, page.file)
  const html = createHtmlReader(page, content, source)
  const data = async (setting: Setting | null): Promise<unknown> =>
    setting === null ? null : evaluateSetting(setting, source.render)
  return {
    slug: page.slug,
    format: page.format,
    request_method: page.method,
    handler: page.markdown ? 'markdown' : 'liquid',
    layout: page.layout,
    layout_name: page.layout,
    content,
    content_updated_at: at,
    html_content: html,
    searchable: page.searchable,
    searched: async () => (page.searchable ? html() : null),
    max_deep_level: page.surplus === null ? 3 : page.surplus + 1,
    redirect_to: () => data(page.redirect?.target ?? null),
    redirect_code: page.redirect?.code ?? null,
    subdomain: page.subdomain,
    static_cache_expire: page.staticCache,
    dynamic_cache_key: () => data(page.dynamicCache?.key ?? null),
    dynamic_cache_expire: page.dynamicCache?.expire ?? null,
    dynamic_cache_layout: page.dynamicCache?.layout ?? null,
    response_headers: async () => parseHeaders(await data(page.responseHeaders)),
    policies: page.policies,
    authorization_policies: () =>
      page.policies.flatMap((name) => {
        const policy = policies[name]
        return policy === undefined ? [] : [policyItem(policy, times, loadedSite, data)]
      }),
  } satisfies ItemOf<Page, 'policies' | 'searched'>
}

/**
 * Returns a function for the HTML of a page. A searchable page is rendered once per build. For other pages it is their
 * template, converted from Markdown if needed, because rendering them could have side effects or reveal what their
 * policies protect.
 */
function createHtmlReader(
  page: PageEntry,
  content: () => string | null,
  { renderPage, markdown }: FactSource,
): () => Promise<string | null> {
  const template = async (): Promise<string | null> => {
    const text = content()
    return text === null || !page.markdown ? text : markdown.html(text)
  }
  if (renderPage === null || !page.searchable || page.method !== 'get' || page.policies.length > 0) return template
  const printed = lazily(() => renderPage(page))
  return async () => {
    try {
      return await printed()
    } catch (error) {
      // A page that fails without a visitor can still be found by its template.
      if (error instanceof LiquidFault) return template()
      throw error
    }
  }
}

function policyItem(
  policy: PolicyEntry,
  times: ReadonlyMap<string, FileTimes>,
  loadedSite: LoadedSite,
  data: (setting: Setting | null) => Promise<unknown>,
): SiteItem {
  return {
    ...fileItem(policy.file, times),
    name: policy.name,
    metadata: {},
    // The schema requires a text, but a build may lack the template's source.
    content: () => readTemplateBody(loadedSite, policy.file) ?? '',
    flash_alert: () => data(policy.flashAlert),
    redirect_to: () => data(policy.redirectTo),
    http_status: policy.status,
    authorization_policy_associations: [],
  }
}

// Parses response headers, which are written as a map or as JSON text.
function parseHeaders(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return null
  }
}

/** Returns the body of a template after its front matter, or null when the build lacks the source. */
function readTemplateBody(loadedSite: LoadedSite, file: string): string | null {
  const text = loadedSite.source(file)
  return text === null ? null : text.slice(cutFrontMatter(text).bodyStart)
}

/**
 * Returns the modification times of the site's files. In a build without live reloading, all files have the time of the
 * build.
 */
async function readFileTimes({ loadedSite }: FactSource): Promise<ReadonlyMap<string, FileTimes>> {
  const { site, root } = loadedSite
  const files = [
    ...[
      ...[...site.pages, ...site.partialFiles, ...site.data.tables, ...site.data.profiles],
      ...[site.policies, site.layouts, site.operations, site.forms, site.emails, site.smses, site.apiCalls].flatMap(
        (entries): readonly { readonly file: string }[] => Object.values(entries),
      ),
    ].map(({ file }) => file),
    ...Object.values(site.assets).map(({ file }) => file),
  ]
  const built = await builtAt(loadedSite)
  const times = new Map<string, FileTimes>()
  if (!loadedSite.live) return new Map(files.map((file) => [file, { at: built }]))
  // Files are read in batches, because a site may have more files than a process may open.
  for (let at = 0; at < files.length; at += 64) {
    await Promise.all(
      files.slice(at, at + 64).map(async (file) => {
        // An unreadable file gets the time of the build.
        const stats = await stat(join(root, file)).catch(() => null)
        times.set(file, { at: stats?.mtime.toISOString() ?? built })
      }),
    )
  }
  return times
}

/** Returns the time of the build as ISO 8601 text. */
async function builtAt({ folder }: LoadedSite): Promise<string> {
  const stats = await stat(folder).catch(() => null)
  return (stats?.mtime ?? new Date(0)).toISOString()
}

/** Returns a function that computes a value on first use. A failure is not cached. */
function lazily<T>(compute: () => Promise<T>): () => Promise<T> {
  let cached: Promise<T> | null = null
  return () => {
    cached ??= compute().catch((error: unknown) => {
      cached = null
      throw error
    })
    return cached
  }
}

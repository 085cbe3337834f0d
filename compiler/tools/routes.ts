/** Lists the addresses of a site, with their policies. */
import type { PageSettings } from '../core/model/settings.ts'
import type { Site } from '../core/model/site.ts'
import type { Unit } from '../core/model/unit.ts'

/** An address of a page. */
interface SiteRoute {
  readonly method: string
  /** With a leading slash, and with the extension of a format other than html. */
  readonly slug: string
  /** Second address of a page that is named `index`, which shows the same; null without one. */
  readonly alias: string | null
  /** File of the page. */
  readonly page: string
  readonly format: string
  readonly policies: readonly string[]
  /** File of the layout; null for a page without one. */
  readonly layout: string | null
}

const HEAD = ['METHOD', 'ADDRESS', 'FORMAT', 'POLICIES', 'LAYOUT', 'PAGE'] as const
const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'options']

/** Returns the addresses of a site, sorted by address and method. Pages with equal addresses are in matching order. */
export function routesOf({ pages, pageLayouts }: Pick<Site, 'pages' | 'pageLayouts'>): readonly SiteRoute[] {
  const routes = pages.map((page) => ({
    route: routeOf(page, pageLayouts.get(page.file.path)?.file.path ?? null),
    rank: page.settings.route.precedence,
  }))
  return routes
    .toSorted(
      (a, b) =>
        (a.route.slug < b.route.slug ? -1 : Number(a.route.slug > b.route.slug)) ||
        METHODS.indexOf(a.route.method) - METHODS.indexOf(b.route.method) ||
        a.rank - b.rank,
    )
    .map(({ route }) => route)
}

function routeOf({ file, settings }: Unit<PageSettings>, layout: string | null): SiteRoute {
  const { method, format, route, authorizationPolicies } = settings
  return {
    method,
    slug: addressOf(route.slug, format),
    alias: route.alsoAt === null ? null : addressOf(route.alsoAt, format),
    page: file.path,
    format,
    policies: authorizationPolicies.map(({ name }) => name),
    layout,
  }
}

function addressOf(slug: string, format: string): string {
  return slug === '/' ? slug : `/${slug}${extensionOf(slug, format)}`
}

/** Returns the extension that an address needs for its format. Returns an empty text if the slug has an extension or an open end. */
function extensionOf(slug: string, format: string): string {
  return format === 'html' || /\.[^/]*$|[)*]$/.test(slug) ? '' : `.${format}`
}

/** Formats the addresses as a table. */
export function routesTable(routes: readonly SiteRoute[]): string {
  if (routes.length === 0) return ''
  const rows = routes.map(({ method, slug, alias, format, policies, layout, page }) => [
    method.toUpperCase(),
    alias === null ? slug : `${slug} (alias ${alias})`,
    format,
    policies.length === 0 ? '-' : policies.join(', '),
    layout ?? '-',
    page,
  ])
  const all: readonly (readonly string[])[] = [HEAD, ...rows]
  const widths = HEAD.map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)))
  const lines = all.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return `${lines.join('\n')}\n`
}

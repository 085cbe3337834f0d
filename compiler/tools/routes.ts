/** Lists the addresses of a site, with their policies. */
import type { PageSettings } from '../core/model/settings.ts'
import type { Site } from '../core/model/site.ts'
import type { Unit } from '../core/model/unit.ts'

/** An address of a page. */
interface SiteRoute {
  readonly method: string
  /** With a leading slash, and with the extension of a format other than html. */
  readonly slug: string
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
  const routes = pages.flatMap((page) => {
    const layout = pageLayouts.get(page.file.path)?.file.path ?? null
    return addressesOf(page).map((slug) => ({
      route: routeOf(page, slug, layout),
      rank: page.settings.route.precedence,
    }))
  })
  return routes
    .toSorted(
      (a, b) =>
        (a.route.slug < b.route.slug ? -1 : Number(a.route.slug > b.route.slug)) ||
        METHODS.indexOf(a.route.method) - METHODS.indexOf(b.route.method) ||
        a.rank - b.rank,
    )
    .map(({ route }) => route)
}

function addressesOf({ settings: { route } }: Unit<PageSettings>): readonly string[] {
  return route.alsoAt === null ? [route.slug] : [route.slug, route.alsoAt]
}

function routeOf({ file, settings }: Unit<PageSettings>, slug: string, layout: string | null): SiteRoute {
  return {
    method: settings.method,
    slug: slug === '/' ? slug : `/${slug}${extensionOf(slug, settings.format)}`,
    page: file.path,
    format: settings.format,
    policies: settings.authorizationPolicies.map(({ name }) => name),
    layout,
  }
}

/** Returns the extension that an address needs for its format. Returns an empty text if the slug has an extension or an open end. */
function extensionOf(slug: string, format: string): string {
  return format === 'html' || /\.[^/]*$|[)*]$/.test(slug) ? '' : `.${format}`
}

/** Formats the addresses as a table. */
export function routesTable(routes: readonly SiteRoute[]): string {
  if (routes.length === 0) return ''
  const rows = routes.map(({ method, slug, format, policies, layout, page }) => [
    method.toUpperCase(),
    slug,
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

/** `ingot routes`: lists the addresses of a site, with their policies. */
import { parseArgs } from 'node:util'
import { linkedSite } from '../analysis.ts'
import type { PageSettings } from '../core/model/settings.ts'
import type { Site } from '../core/model/site.ts'
import type { Unit } from '../core/model/unit.ts'
import { readFolder } from './read-folder.ts'
import { UsageError } from '../core/usage-error.ts'

/** An address of a page. */
export interface SiteRoute {
  readonly method: string
  /** With a leading slash. */
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

/**
 * Runs the command. @param args arguments after `routes` @returns the exit code: 1 if no address matches the filter @throws UsageError
 */
export async function routesCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { json: { type: 'boolean', default: false }, grep: { type: 'string' } },
    allowPositionals: true,
  })
  const [dir = '.', extra] = positionals
  if (extra !== undefined) throw new UsageError(`\`ingot routes\` takes one folder: leave out '${extra}'.`)
  const { files } = await readFolder(dir)
  const all = routesOf(linkedSite(files, { dialect: 'platform', syntax: 'lax', openEntries: false }))
  const { grep = '' } = values
  const shown = all.filter(({ slug, page }) => slug.includes(grep) || page.includes(grep))
  process.stdout.write(values.json ? `${JSON.stringify(shown, null, 2)}\n` : routesTable(shown))
  if (shown.length > 0) return 0
  process.stderr.write(all.length === 0 ? 'The site has no pages yet.\n' : `No address or page contains '${grep}'.\n`)
  return all.length === 0 ? 0 : 1
}

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
    slug: slug === '/' ? slug : `/${slug}`,
    page: file.path,
    format: settings.format,
    policies: settings.authorizationPolicies.map(({ name }) => name),
    layout,
  }
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

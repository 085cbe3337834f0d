/** The routes of pages: whether several pages answer the same requests. */
import { duplicateRoute } from '../../../core/diagnostics/codes/site/duplicate-route.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { PageSettings, RouteSegment } from '../../../core/model/settings.ts'
import type { Site } from '../../../core/model/site.ts'

/** Pages that answer the same requests: the names of parts in a slug tell nothing apart. */
export function checkRoutes(site: Site): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  const first = new Map<string, PageSettings>()
  for (const { settings } of site.pages) {
    const key = `${settings.method} ${settings.format} ${settings.plain.subdomain ?? ''} ${routeShape(settings.route.segments)}`
    const known = first.get(key)
    if (known === undefined) first.set(key, settings)
    else
      diagnostics.push(
        duplicateRoute(
          settings.slugSpan,
          settings.method,
          `/${settings.route.slug.replace(/^\//, '')}`,
          known.slugSpan,
        ),
      )
  }
  return diagnostics
}

function routeShape(segments: readonly RouteSegment[]): string {
  return segments
    .map((segment) =>
      segment.kind === 'static'
        ? `/${segment.text}`
        : segment.kind === 'optional'
          ? `(${routeShape(segment.segments)})`
          : segment.kind === 'param'
            ? '/:'
            : '/*',
    )
    .join('')
}

/** Checks the routes of pages: several pages must not handle the same requests. */
import { duplicateRoute } from '../rules/site/duplicate-route.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { derivedFromFrame } from '../../../core/model/derived.ts'
import type { PageSettings, RouteSegment } from '../../../core/model/settings.ts'
import type { Site } from '../../../core/model/site.ts'

/** Reports pages that handle the same requests. The names of parameters in a slug do not distinguish routes. */
export function checkRoutes({ site }: { readonly site: Site }): readonly Diagnostic[] {
  return duplicateRoutes(site)
}

const duplicateRoutes = derivedFromFrame(findDuplicateRoutes)

function findDuplicateRoutes(site: Site): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  const firstPages = new Map<string, PageSettings>()
  for (const { settings } of site.pages) {
    const key = `${settings.method} ${settings.format} ${settings.plainSettings.subdomain ?? ''} ${routeShape(settings.route.segments)}`
    const firstPage = firstPages.get(key)
    if (firstPage === undefined) firstPages.set(key, settings)
    else
      diagnostics.push(
        duplicateRoute(
          settings.slugSpan,
          settings.method,
          `/${settings.route.slug.replace(/^\//, '')}`,
          firstPage.slugSpan,
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

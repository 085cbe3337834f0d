/** `duplicate-route`: two pages with the same slug, method and format. The first one handles the requests. */
import type { Span } from '../../../../core/source/span.ts'
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { PageSettings, RouteSegment } from '../../../../core/model/settings.ts'
import { ofFrame } from '../../site/site-rule.ts'

export const duplicateRoute = message(
  'duplicate-route',
  'warning',
  'WS17',
  (method: string, slug: string, otherSpan: Span) => ({
    subject: { kind: 'route', name: `${method.toUpperCase()} ${slug}` },
    text: `Another page already handles ${quote(`${method.toUpperCase()} ${slug}`)}.`,
    hint: 'Give one of the pages another slug, method or format.',
    related: [{ span: otherSpan, message: 'the other page is here' }],
  }),
  {
    wrong: {
      'app/views/pages/b.liquid': `---
slug: x/:name
---
b`,
    },
    right: {
      'app/views/pages/b.liquid': `---
slug: y/:name
---
b`,
    },
    both: {
      'app/views/pages/a.liquid': `---
slug: x/:id
---
a`,
    },
  },
)

/** Reports pages that handle the same requests. The names of parameters in a slug do not distinguish routes. */
export const checkRoutes = ofFrame(({ pages }) => {
  const diagnostics: Diagnostic[] = []
  const firstPages = new Map<string, PageSettings>()
  for (const { settings } of pages) {
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
})

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

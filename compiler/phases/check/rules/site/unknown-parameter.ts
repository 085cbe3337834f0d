/** `unknown-parameter`: a page reads a parameter that its route does not have and that no link or form sends. */
import { suggestReplacement } from '../../../../core/diagnostics/change.ts'
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const unknownParameter = message(
  'unknown-parameter',
  'error',
  'UnknownParameter',
  /** `route` and `slug`: of the page; null if another file reads the parameter, or the route has no parameters. */
  (name: string, route: string | null, suggestion: string | null, slug: Span | null) => ({
    subject: { kind: 'parameter', name, of: route },
    text:
      route === null
        ? `No link or form of this site sends a parameter ${quote(name)}.`
        : `The route ${quote(route)} has no parameter ${quote(name)}, and no link or form of this site sends it.`,
    ...(suggestReplacement(name, suggestion) ?? {
      hint: `Add ${quote(`:${name}`)} to the slug, or remove this parameter.`,
    }),
    related: slug === null ? [] : [{ span: slug, message: 'the route of this page' }],
  }),
  {
    wrong: { 'app/views/pages/index.liquid': '---\nslug: posts/:post_id\n---\n{{ context.params.post_di }}' },
    right: { 'app/views/pages/index.liquid': '---\nslug: posts/:post_id\n---\n{{ context.params.post_id }}' },
  },
)

/** `unknown-parameter`: a page reads a parameter that its route does not have, and nothing else of the site supplies. */
import { meant as meantMend } from '../../change.ts'
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const unknownParameter = message(
  'unknown-parameter',
  'error',
  'UnknownParameter',
  /** `route` and `slug`: of the page; null where the read stands in another file, or the page's route has no parameters. */
  (name: string, route: string | null, meant: string | null, slug: Span | null) => ({
    text:
      route === null
        ? `Nothing of this site sends a parameter ${quoted(name)}.`
        : `The route ${quoted(route)} has no ${quoted(name)}, and nothing of this site sends one.`,
    ...(meantMend(name, meant) ?? { hint: `Add ${quoted(`:${name}`)} to the slug, or leave the read out.` }),
    related: slug === null ? [] : [{ span: slug, message: 'the route of this page' }],
  }),
  {
    wrong: { 'app/views/pages/index.liquid': '---\nslug: posts/:post_id\n---\n{{ context.params.post_di }}' },
    right: { 'app/views/pages/index.liquid': '---\nslug: posts/:post_id\n---\n{{ context.params.post_id }}' },
  },
)

/** `missing-page`: a link or form whose address no page handles. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const missingPage = message(
  'missing-page',
  'warning',
  'MissingPage',
  /** `any`: whether a page matches through a parameter in its slug. */
  (method: string, path: string, knownNames: Iterable<string>, any = false) => ({
    subject: { kind: 'route', name: `${method.toUpperCase()} ${path}` },
    text: any
      ? `${quote(`${method.toUpperCase()} ${path}`)} only matches a page through a parameter in its slug.`
      : `No page handles ${quote(`${method.toUpperCase()} ${path}`)}.`,
    ...(suggestName(path, knownNames) ?? { hint: `Add a page with \`slug: ${path.replace(/^\/(?=.)/, '')}\`.` }),
  }),
  {
    wrong: { 'app/views/pages/index.liquid': '<a href="/nowhere">x</a>' },
    right: { 'app/views/pages/index.liquid': '<a href="/about">x</a>', 'app/views/pages/about.liquid': 'y' },
  },
)

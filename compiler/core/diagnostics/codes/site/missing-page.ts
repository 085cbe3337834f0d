/** `missing-page`: a link or a form that leads to no page. */
import { meantName } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const missingPage = message(
  'missing-page',
  'warning',
  'MissingPage',
  /** `any`: a page answers that takes any word there. */
  (method: string, path: string, known: Iterable<string>, any = false) => ({
    text: any
      ? `Only a page that takes any word there answers ${quoted(`${method.toUpperCase()} ${path}`)}.`
      : `No page answers ${quoted(`${method.toUpperCase()} ${path}`)}.`,
    ...(meantName(path, known) ?? { hint: `Add a page with \`slug: ${path.replace(/^\/(?=.)/, '')}\`.` }),
  }),
  {
    wrong: { 'app/views/pages/index.liquid': '<a href="/nowhere">x</a>' },
    right: { 'app/views/pages/index.liquid': '<a href="/about">x</a>', 'app/views/pages/about.liquid': 'y' },
  },
)

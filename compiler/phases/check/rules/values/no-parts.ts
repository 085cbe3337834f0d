/** `no-parts`: a field that is read from an array, text or a number. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { withArticle, quote } from '../../../../core/diagnostics/words.ts'

export const noParts = message(
  'no-parts',
  'warning',
  'UnknownProperty',
  (owner: string, key: string, what: string) => ({
    subject: { kind: 'field', name: key, of: owner, type: what },
    text:
      what === 'nil'
        ? `${quote(owner)} is nil here, so its field ${quote(key)} is nil too.`
        : `${quote(owner)} is ${withArticle(what)}, which has no field ${quote(key)}, so this is always nil.`,
    hint:
      what === 'nil'
        ? `Give ${quote(owner)} a value first.`
        : what.startsWith('array')
          ? 'Get an element first: use `| first`, `[0]` or a loop.'
          : `Remove ${quote(key)}.`,
  }),
  {
    wrong: "{% assign names = 'a,b' | split: ',' %}{{ names.title }}",
    right: "{% assign names = 'a,b' | split: ',' %}{{ names.first }}",
  },
)

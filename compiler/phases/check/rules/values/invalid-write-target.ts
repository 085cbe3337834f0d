/** `invalid-write-target`: a write into a value that cannot hold it. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { withArticle, quote } from '../../../../core/diagnostics/words.ts'

export const invalidWriteTarget = message(
  'invalid-write-target',
  'error',
  'InvalidWriteTarget',
  (target: string, expected: string, found: string) => ({
    subject: { kind: 'variable', name: target, type: found },
    text: `${quote(target)} is ${withArticle(found)} here, but this assignment needs ${withArticle(expected)}.`,
  }),
  {
    wrong: `{% assign n = 1 %}{% assign n['k'] = 2 %}{{ n }}`,
    right: `{% assign n = {} %}{% assign n['k'] = 2 %}{{ n }}`,
  },
)

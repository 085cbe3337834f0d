/** `invalid-write-target`: a write into a value that cannot hold it. */
import { message } from '../../diagnostic.ts'
import { a, quoted } from '../../words.ts'

export const invalidWriteTarget = message(
  'invalid-write-target',
  'error',
  'InvalidWriteTarget',
  (target: string, expected: string, found: string) => ({
    text: `${quoted(target)} is ${a(found)} here, and this write needs ${a(expected)}.`,
  }),
  {
    wrong: `{% assign n = 1 %}{% assign n['k'] = 2 %}{{ n }}`,
    right: `{% assign n = {} %}{% assign n['k'] = 2 %}{{ n }}`,
  },
)

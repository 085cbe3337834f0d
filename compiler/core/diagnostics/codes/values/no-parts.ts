/** `no-parts`: a part by name of a list, a text or a number. */
import { message } from '../../diagnostic.ts'
import { a, quoted } from '../../words.ts'

export const noParts = message(
  'no-parts',
  'warning',
  'UnknownProperty',
  (owner: string, key: string, what: string) => ({
    text:
      what === 'nil'
        ? `${quoted(owner)} is nil here, and so is ${quoted(key)} of it.`
        : `${quoted(owner)} is ${a(what)}, which has no ${quoted(key)}: this is always nil.`,
    hint:
      what === 'nil'
        ? `Give ${quoted(owner)} a value first.`
        : what.startsWith('array')
          ? 'Take an element first: `| first`, `[0]`, or a loop.'
          : `Leave ${quoted(key)} out.`,
  }),
  {
    wrong: "{% assign names = 'a,b' | split: ',' %}{{ names.title }}",
    right: "{% assign names = 'a,b' | split: ',' %}{{ names.first }}",
  },
)

/** `impossible-comparison`: two values that can never be equal. */
import { type Mend, message } from '../../diagnostic.ts'
import { a, upper } from '../../words.ts'

/** A number without its quotes, or in quotes. */
function otherType(written: string): Mend {
  const bare = /^(["'])(.*)\1$/.exec(written)?.[2]
  return bare === undefined
    ? { hint: `Write \`'${written}'\`, in quotes.`, change: { edits: [{ part: written, text: `'${written}'` }] } }
    : { hint: `Write \`${bare}\`, without quotes.`, change: { edits: [{ part: written, text: bare }] } }
}

export const impossibleComparison = message(
  'impossible-comparison',
  'warning',
  'WS19',
  /** `written`: a number or a text that is written out, and could be of the other type. */
  (left: string, right: string, written: string | null = null) => ({
    text: `${upper(a(left))} never equals ${a(right)}.`,
    ...(written === null
      ? { hint: 'Bring both to one type before: `plus: 0` makes a number of a text.' }
      : otherType(written)),
  }),
  {
    wrong: `{% assign n = 'x' | size %}{% if n == '1' %}yes{% endif %}`,
    right: `{% assign n = 'x' | size %}{% if n == 1 %}yes{% endif %}`,
  },
)

/** `impossible-comparison`: two values that can never be equal. */
import { type Fix, message } from '../../../../core/diagnostics/diagnostic.ts'
import { withArticle, capitalize } from '../../../../core/diagnostics/words.ts'

/** Returns the fix: adds quotes to a number, or removes them. */
function changeType(writtenText: string): Fix {
  const unquoted = /^(["'])(.*)\1$/.exec(writtenText)?.[2]
  return unquoted === undefined
    ? {
        hint: `Write \`'${writtenText}'\`, in quotes.`,
        change: { edits: [{ part: writtenText, text: `'${writtenText}'` }] },
      }
    : { hint: `Write \`${unquoted}\`, without quotes.`, change: { edits: [{ part: writtenText, text: unquoted }] } }
}

export const impossibleComparison = message(
  'impossible-comparison',
  'warning',
  'WS19',
  /** `written`: the literal number or string that can be changed to the other type. */
  (left: string, right: string, writtenText: string | null = null) => ({
    text: `${capitalize(withArticle(left))} is never equal to ${withArticle(right)}.`,
    ...(writtenText === null
      ? { hint: 'Convert both to the same type first: `plus: 0` converts text to a number.' }
      : changeType(writtenText)),
  }),
  {
    wrong: `{% assign n = 'x' | size %}{% if n == '1' %}yes{% endif %}`,
    right: `{% assign n = 'x' | size %}{% if n == 1 %}yes{% endif %}`,
  },
)

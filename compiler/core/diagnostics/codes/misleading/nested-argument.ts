/**
 * `nested-argument`: `a: key: value` in a tag that calls a partial, which passes the variable `key`. Reported by `noteDiagnostic`
 * (phases/parse/notes.ts).
 */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

/** Returns the hash literal that was probably meant, with strings in double quotes. */
function formatHash(key: string, writtenText: string): string {
  const value = writtenText.slice(writtenText.indexOf(':') + 1).trim()
  return `{ "${key}": ${/^'[^"]*'$/.test(value) ? `"${value.slice(1, -1)}"` : value} }`
}

export const nestedArgument = message(
  'nested-argument',
  'warning',
  'LiquidHTMLSyntaxError',
  (key: string, writtenText: string) => ({
    text: `${quote(writtenText)} passes only the variable ${quote(key)}; the rest is ignored.`,
    hint: 'To pass a hash, write `{ "key": value }`.',
    change: { edits: [{ text: formatHash(key, writtenText) }] },
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': "{% assign size = 1 %}{% render 'box', as: size: 'big' %}{{ size }}",
      'app/views/partials/box.liquid': '{{ as }}',
    },
    right: {
      'app/views/pages/index.liquid': `{% render 'box', as: { "size": "big" } %}`,
      'app/views/partials/box.liquid': '{{ as.size }}',
    },
  },
)

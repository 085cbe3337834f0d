/** `nested-argument`: `a: key: value` in a tag that calls a partial, which passes the variable `key`. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

/** The hash that was meant, whose texts stand in double quotes. */
function hashOf(key: string, written: string): string {
  const value = written.slice(written.indexOf(':') + 1).trim()
  return `{ "${key}": ${/^'[^"]*'$/.test(value) ? `"${value.slice(1, -1)}"` : value} }`
}

export const nestedArgument = message(
  'nested-argument',
  'warning',
  'LiquidHTMLSyntaxError',
  (key: string, written: string) => ({
    text: `Of ${quoted(written)} the variable ${quoted(key)} is passed, and nothing else.`,
    hint: 'For a hash, write `{ "key": value }`.',
    change: { edits: [{ text: hashOf(key, written) }] },
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

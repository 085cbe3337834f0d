/** `single-quoted-braces`: `{{ }}` with a value of the template inside a text in single quotes, where it stays as it is written. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const singleQuotedBraces = message(
  'single-quoted-braces',
  'warning',
  'LiquidHTMLSyntaxError',
  (braces: string, on: boolean) => ({
    text: `${quoted(braces)} stays as it is written: a text in single quotes takes no values.`,
    hint: on
      ? 'Use double quotes.'
      : 'Use the filter `append`; or double quotes, with `string_interpolation: true` in `app/config.yml`.',
    change: on ? { edits: [{ match: `^'([^"]*)'$`, text: '"$1"' }] } : undefined,
  }),
  {
    wrong: `{% assign id = context.params.id %}{% log 'chat {{ id }}' %}`,
    right: {
      'app/config.yml': `string_interpolation: true
`,
      'app/views/pages/index.liquid': `{% assign id = context.params.id %}{% log "chat {{ id }}" %}`,
    },
  },
)

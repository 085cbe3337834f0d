/** `single-quoted-braces`: `{{ }}` inside a string in single quotes, where it is not replaced by a value. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const singleQuotedBraces = message(
  'single-quoted-braces',
  'warning',
  'LiquidHTMLSyntaxError',
  (braces: string, on: boolean) => ({
    text: `${quote(braces)} is not replaced by a value, because the string is in single quotes.`,
    hint: on
      ? 'Use double quotes.'
      : 'Use the filter `append`, or use double quotes and set `string_interpolation: true` in `app/config.yml`.',
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

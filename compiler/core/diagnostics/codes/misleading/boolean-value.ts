/** `boolean-value`: a comparison as the value of `assign`, which older runtimes read differently. */
import { message } from '../../diagnostic.ts'

export const booleanValue = message(
  'boolean-value',
  'info',
  'LiquidHTMLSyntaxError',
  () => ({
    text: 'This stores true or false; older runtimes store the left value instead.',
    hint: 'Use `if` and two `assign` tags where the template must run there too.',
  }),
  {
    wrong: `{% assign same = context.params.a == 'x' %}{{ same }}`,
    right: `{% assign same = false %}{% if context.params.a == 'x' %}{% assign same = true %}{% endif %}{{ same }}`,
  },
)

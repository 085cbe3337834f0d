/** `cache-variable`: a variable that is set inside `cache` and read after it. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const cacheVariable = message(
  'cache-variable',
  'warning',
  'WS23',
  (name: string, cache: Span) => ({
    text: `${quote(name)} is set inside \`cache\`, whose body does not run if its output is cached.`,
    hint: 'Set the variable before the `cache` tag.',
    related: [{ span: cache, message: 'the cached part begins here' }],
  }),
  {
    wrong: `{% cache 'k' %}{% assign x = 1 %}{{ x }}{% endcache %}{{ x }}`,
    right: `{% assign x = 1 %}{% cache 'k' %}{{ x }}{% endcache %}{{ x }}`,
  },
)

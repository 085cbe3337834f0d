/** `cache-variable`: a variable that is set inside `cache` and read after it. */
import type { Variable } from '../../walk/state.ts'
import type { Walk } from '../../walk/walk.ts'
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

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

/** Reports the first read of a variable outside of the `cache` tag in which it was set. */
export function checkCacheVariable({ flow, findings }: Walk, name: string, variable: Variable, span: Span): void {
  if (variable.cache === null || flow.isInside(variable.cache)) return
  findings.report(cacheVariable(span, name, variable.cache))
  flow.set(name, { ...variable, cache: null })
}

/** `cached-visitor`: a value of one visitor or request that is read inside a `cache` with a key shared by all of them. */
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

function describeSharing(part: string): string {
  if (part === 'language') return 'every language'
  return part === 'params' ? 'all parameters' : 'every visitor'
}

export const cachedVisitor = message(
  'cached-visitor',
  'warning',
  'WS24',
  (part: string, cache: Span, read: Span | null) => ({
    text: `${quote(`context.${part}`)} is read inside a \`cache\` whose key is the same for ${describeSharing(part)}, so they all get the first cached result.`,
    hint:
      part === 'current_user'
        ? 'Add `context.current_user.id` to the key, or read it outside of `cache`.'
        : `Add the values read from ${quote(`context.${part}`)} to the key, or read them outside of \`cache\`.`,
    related: [
      { span: cache, message: 'the cached part begins here' },
      ...(read === null ? [] : [{ span: read, message: 'it is read here' }]),
    ],
  }),
  {
    wrong: `{% cache 'menu' %}{{ context.current_user.email }}{% endcache %}`,
    right: `{% assign key = 'menu' | append: context.current_user.id %}{% cache key %}{{ context.current_user.email }}{% endcache %}`,
  },
)

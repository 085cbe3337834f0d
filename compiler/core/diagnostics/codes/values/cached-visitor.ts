/** `cached-visitor`: what belongs to one visitor or request, read inside a `cache` whose key is the same for all of them. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

function whom(part: string): string {
  if (part === 'language') return 'in every language'
  return part === 'params' ? 'whatever is asked for' : 'for every visitor'
}

export const cachedVisitor = message(
  'cached-visitor',
  'warning',
  'WS24',
  (part: string, cache: Span, read: Span | null) => ({
    text: `${quoted(`context.${part}`)} is read inside a \`cache\` whose key is the same ${whom(part)}: all see what was kept for the first.`,
    hint:
      part === 'current_user'
        ? 'Put `context.current_user.id` into the key, or read it outside of `cache`.'
        : `Put what is read of ${quoted(`context.${part}`)} into the key, or read it outside of \`cache\`.`,
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

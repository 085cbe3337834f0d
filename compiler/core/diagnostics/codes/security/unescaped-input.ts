/** `unescaped-input`: a text from outside is printed as HTML. `words` name it as the author does; `how` is what prints it. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'

export const unescapedInput = message(
  'unescaped-input',
  'warning',
  'WS25',
  (words: string, how: 'output' | 'print', source: Span | null) => ({
    text: `${words} comes from outside and is printed here without being escaped: whoever sends it can add scripts to the page.`,
    hint:
      how === 'print'
        ? 'Print it with `{{ }}`, which escapes it.'
        : 'Leave out `html_safe`, which also decodes what was escaped before; `sanitize` allows harmless HTML.',
    change: {
      edits: [
        how === 'print'
          ? { reach: 'markup', match: '^\\{%(-?)\\s*print\\s+([^]*?)\\s*(-?)%\\}$', text: '{{$1 $2 $3}}' }
          : { reach: 'markup', match: '\\s*\\|\\s*html_safe\\b(?!\\s*:)', text: '' },
      ],
    },
    related: source === null ? [] : [{ span: source, message: 'it is read here' }],
  }),
  {
    wrong: '<p>{% print context.params.q %}</p>',
    right: '<p>{{ context.params.q }}</p>',
  },
)

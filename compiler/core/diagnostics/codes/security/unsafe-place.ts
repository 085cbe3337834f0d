/**
 * `unsafe-place`: a text from outside is printed where escaping for HTML does not keep it a text. `words` name it as the author does.
 */
import type { Span } from '../../../source/span.ts'
import { type ChangeText, message } from '../../diagnostic.ts'

/** Such a place. */
export type UnsafePlace = 'unquoted' | 'tag' | 'url' | 'handler' | 'script' | 'script text' | 'style' | 'document'

const WORDS: Readonly<Record<UnsafePlace, { readonly place: string; readonly hint: string }>> = {
  unquoted: {
    place: 'as the value of an attribute without quotes, which a space ends',
    hint: 'Put quotes around the value.',
  },
  tag: {
    place: 'inside of a tag, where it can be any attribute',
    hint: 'Print it as the value of an attribute, in quotes.',
  },
  url: {
    place: 'at the beginning of an address, where it can be `javascript:…`',
    hint: "Write the beginning yourself (`/search?q={{ q | url_encode }}`), or check it first: `assign ok = url | start_with: '/'`.",
  },
  handler: {
    place: 'in the code of an attribute, which a browser decodes before it runs it',
    hint: 'Put it into a `data-` attribute that the code reads, or write `escape_javascript` in a text of the code.',
  },
  script: {
    place: 'in a script, as code',
    hint: 'Write `{{ value | json }}`.',
  },
  'script text': {
    place: 'in a text of a script, which it can end',
    hint: 'Write `{{ value | json }}` without quotes around it.',
  },
  style: {
    place: 'in a style, to which it can add rules',
    hint: 'Choose among values that the template names.',
  },
  document: {
    place: 'in `srcdoc`, whose value a browser reads as HTML',
    hint: 'Give the frame the address of a page that prints it.',
  },
}

const CHANGES: Partial<Readonly<Record<UnsafePlace, ChangeText>>> = {
  unquoted: { edits: [{ match: '^(\\{\\{[^]*\\}\\})$', text: '"$1"' }] },
  'script text': {
    edits: [{ reach: 'quoted markup', match: '^.(\\{\\{[^]*?)\\s*(-?\\}\\}).$', text: '$1 | json $2' }],
  },
  script: { edits: [{ match: '\\s*-?\\}\\}$', text: ' | json }}' }] },
}

export const unsafePlace = message(
  'unsafe-place',
  'warning',
  'WS26',
  (words: string, place: UnsafePlace, source: Span | null) => ({
    text: `${words} comes from outside and is printed ${WORDS[place].place}.`,
    hint: WORDS[place].hint,
    change: CHANGES[place],
    related: source === null ? [] : [{ span: source, message: 'it is read here' }],
  }),
  {
    wrong: `<script>var q = "{{ context.params.q }}"</script>`,
    right: `<script>var q = {{ context.params.q | json }}</script>`,
  },
)

/**
 * `unsafe-place`: user input that is printed where HTML escaping does not make it safe. `words`: how the author names the value.
 */
import type { Span } from '../../../../core/source/span.ts'
import { type ChangeText, type Diagnostic, message, relatedAt } from '../../../../core/diagnostics/diagnostic.ts'
import { HAZARD } from '../../../analyze/domains/taint/changes.ts'
import { type PrintedInput, type ReachedSink, inputOf, sourceElsewhere } from '../../site/taint.ts'

/** A place where HTML escaping is not enough. */
export type UnsafePlace = 'unquoted' | 'tag' | 'url' | 'handler' | 'script' | 'script text' | 'style' | 'document'

const TEXTS: Readonly<Record<UnsafePlace, { readonly place: string; readonly hint: string }>> = {
  unquoted: {
    place: 'as an attribute value without quotes, so a space in it can add more attributes',
    hint: 'Put quotes around the value.',
  },
  tag: {
    place: 'inside an HTML tag, where it can add any attribute',
    hint: 'Print the input as the value of an attribute, in quotes.',
  },
  url: {
    place: 'at the beginning of a URL, so it can be a `javascript:…` URL',
    hint: "Begin the URL with fixed text (`/search?q={{ q | url_encode }}`), or check it first: `assign ok = url | start_with: '/'`.",
  },
  handler: {
    place: 'in an event handler attribute, which the browser decodes before it runs the code',
    hint: 'Put the input into a `data-` attribute that the code reads, or use `escape_javascript` inside a JavaScript string.',
  },
  script: {
    place: 'in a script, where it runs as code',
    hint: 'Write `{{ value | json }}`.',
  },
  'script text': {
    place: 'in a JavaScript string, which it can end',
    hint: 'Write `{{ value | json }}` without quotes around it.',
  },
  style: {
    place: 'in a style, so it can add CSS rules',
    hint: 'Print only fixed values that the template chooses from.',
  },
  document: {
    place: 'in `srcdoc`, which the browser parses as HTML',
    hint: 'Use `src` with the URL of a page that prints it.',
  },
}

const CHANGES: Partial<Readonly<Record<UnsafePlace, ChangeText>>> = {
  unquoted: { edits: [{ match: '^(\\{\\{[^]*\\}\\})$', text: '"$1"' }] },
  'script text': {
    edits: [{ target: 'quoted markup', match: '^.(\\{\\{[^]*?)\\s*(-?\\}\\}).$', text: '$1 | json $2' }],
  },
  script: { edits: [{ match: '\\s*-?\\}\\}$', text: ' | json }}' }] },
}

export const unsafePlace = message(
  'unsafe-place',
  'warning',
  'WS26',
  (words: string, place: UnsafePlace, source: Span | null) => ({
    text: `${words} is user input and is printed ${TEXTS[place].place}.`,
    hint: TEXTS[place].hint,
    change: CHANGES[place],
    related: relatedAt(source, 'the input is read here'),
  }),
  {
    wrong: `<script>var q = "{{ context.params.q }}"</script>`,
    right: `<script>var q = {{ context.params.q | json }}</script>`,
  },
)

/** Reports user input at a place where escaping does not make it safe. */
export function checkUnsafePlace(reached: ReachedSink): Diagnostic | null {
  const input = inputOf(reached)
  const place = input === null ? null : placeOf(input)
  return input === null || place === null
    ? null
    : unsafePlace(reached.sink.span, input.source.words, place, sourceElsewhere(reached, input.source))
}

/** Returns the place where escaping is not enough; null if it is enough there. */
function placeOf({ danger: { kind, endingHazards }, onlyEnds }: PrintedInput): UnsafePlace | null {
  if (onlyEnds) return endingHazards === HAZARD.space ? 'unquoted' : null
  return kind === 'html' || kind === 'attribute' ? null : kind
}

/** A marked span names a place by its words, and finds the place again. */
import { expect, it } from 'vitest'
import { BRACE, markedSpan, unmarkedSpan } from '../../../../compiler/core/source/mark.ts'
import { earliest, type Span } from '../../../../compiler/core/source/span.ts'

const TEXTS: readonly string[] = [
  `{{ a }}{% assign x = { "a": { "b": 1 }, "aa": {} } %}{{{ c: a }}}{% if aa %}{{ a }}{% endif %}`,
  'query { a { b } aa { b { a } } }\n',
  '\n\n',
]

function spansOf(text: string): readonly Span[] {
  const offsets = [...Array.from({ length: text.length + 1 }).keys()]
  return offsets.flatMap((start) => offsets.slice(start).map((end) => ({ file: 'a', start, end })))
}

it.each(TEXTS)('every span of %j is found again', (text) => {
  for (const span of spansOf(text))
    for (const words of [null, BRACE, 'none']) expect(unmarkedSpan(markedSpan(span, text, words), text)).toEqual(span)
})

it('a line above does not change a marked span', () => {
  const [text = ''] = TEXTS
  const line = '{% comment %}text{% endcomment %}\n'
  const moved = line + text
  for (const [start, end] of [
    [text.indexOf('{ "a"'), text.indexOf(' %}{{{')],
    [text.indexOf('{ "b"'), text.indexOf(', "aa"')],
    [text.indexOf('a }}'), text.indexOf(' }}')],
  ] as const) {
    const marked = markedSpan({ file: 'a', start, end }, text, BRACE)
    const movedSpan = { file: 'a', start: start + line.length, end: end + line.length }
    expect(markedSpan(movedSpan, moved, BRACE)).toEqual(marked)
    expect(unmarkedSpan(marked, moved)).toEqual(movedSpan)
  }
})

it('parts of words and braces of tags do not count', () => {
  const text = '{{ title }} subtitle { title }'
  const span = { file: 'a', start: text.lastIndexOf('title'), end: text.lastIndexOf('title') + 5 }
  expect(markedSpan(span, text).mark).toEqual({ words: 'title', nth: 1 })
  const brace = text.lastIndexOf('{')
  expect(markedSpan({ file: 'a', start: brace, end: brace + 9 }, text, BRACE).mark).toEqual({ words: '{', nth: 0 })
})

it('a place whose words are gone is the start of the file', () => {
  expect(unmarkedSpan(markedSpan({ file: 'a', start: 2, end: 5 }, 'a word'), 'none')).toEqual({
    file: 'a',
    start: 0,
    end: 0,
  })
})

it('marked spans have the order of their places', () => {
  const [, text = ''] = TEXTS
  const places = [...text.matchAll(/\w+ \{/g)].map(({ index }) =>
    markedSpan({ file: 'a', start: index, end: index + 1 }, text, BRACE),
  )
  for (const [at, place] of places.entries())
    for (const later of places.slice(at))
      expect([earliest(place, later), earliest(later, place)]).toEqual([place, place])
})

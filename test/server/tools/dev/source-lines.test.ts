/** The lines of a template that printed elements, found by comparing what it printed with its source. */
import { expect, test } from 'vitest'
import { sourceLines } from '../../../../server/tools/dev/source-lines.ts'

const linesOf = (source: string, text: string): readonly number[] =>
  sourceLines(source, { text, elements: [...text.matchAll(/<[a-z]/gi)].map(({ index }) => index) })

test('equal elements are told apart by what is around them, also in branches and loops', () => {
  const source = `{% if new %}
  <p class="note">New</p>
{% else %}
  <p class="note">Old</p>
{% endif %}
{% for item in items %}
  <p class="note">{{ item }}</p>
{% endfor %}
<p class="note">End</p>
`
  const old = '\n  <p class="note">Old</p>\n\n'
  const items = '\n  <p class="note">one</p>\n\n  <p class="note">two</p>\n'
  expect(linesOf(source, `${old}${items}\n<p class="note">End</p>\n`)).toEqual([4, 7, 7, 9])
  expect(linesOf(source, `${old.replace('Old', 'New')}\n<p class="note">End</p>\n`)).toEqual([2, 9])
})

test('elements that a tag or an output printed have its line', () => {
  const source = `<div>
  {% comment %} <form> {% endcomment %}
  {% form 'sent' %}
    <input name="a">
    {{ text | markdown }}
  {% endform %}
</div>
`
  const text = '<div>\n<form method="post">\n<input name="a">\n<em>One</em>, <strong>two</strong>\n</form></div>'
  expect(linesOf(source, text)).toEqual([1, 3, 4, 5, 5])
})

test('names with outputs, removed white space, and repeated lines', () => {
  const source = `<h{{ level }}>{{ title }}</h{{ level }}>
{%- if a -%}
  <br>
  <br>
{%- endif -%}
<i>{{ b }}</i>`
  expect(linesOf(source, '<h2>Title</h2><br>\n  <br><i>x</i>')).toEqual([1, 3, 4, 6])
})

test('long texts are not compared', () => {
  expect(linesOf('<b>', `<b>${'x'.repeat(3_000_000)}`)).toEqual([1])
  const many = Array.from({ length: 2_000 }, (_, n) => `<i>${n}</i>`).join('\n')
  const startedAt = performance.now()
  expect(linesOf('{% for n in list %}\n<i>{{ n }}</i>\n{% endfor %}', many)).toEqual(Array(2_000).fill(2))
  expect(performance.now() - startedAt).toBeLessThan(5_000)
})

/** The shapes of values stay known after branches, blocks, writes and calls that do not change them. */
import { describe } from 'vitest'
import { type Files, partial, site, table } from '../../../support/compiler/check.ts'

const BOOKS = {
  'app/schema/book.yml': 'name: book\nproperties:\n  - name: title\n    type: string\n',
  'app/graphql/books.graphql':
    'query {\n  books: records(per_page: 5, filter: { table: { value: "book" } }) { results { id title: property(name: "title") } }\n}\n',
}

/** Returns a site with a page that runs the query `books`. The first book is `book`. */
function books(page: string, ...files: readonly Files[]): Files {
  return Object.assign(site(page), BOOKS, ...files) as Files
}

const FIRST = `{% graphql g = 'books' %}{% assign book = g.books.results.first %}`

describe('blocks', () => {
  table([
    [
      'a query in a branch',
      books(`{% if context.params.a %}{% graphql g = 'books' %}{% endif %}{{ g.bookz }}`),
      ['unknown-field 1:67'],
    ],
    [
      'a query in a try',
      books(`{% try %}{% graphql g = 'books' %}{% catch e %}{{ e }}{% endtry %}{{ g.bookz }}`),
      ['unknown-field 1:72'],
    ],
    [
      'a query in a transaction',
      books(`{% transaction %}{% graphql g = 'books' %}{% endtransaction %}{{ g.bookz }}`),
      ['unknown-field 1:68'],
    ],
    [
      'of all that a block sets any may be there',
      site(
        `{% try %}{% assign h = { "a": 1 } %}{% log h %}{% assign h = { "b": 1 } %}{% catch e %}{{ e }}{% endtry %}{{ h.a }}{{ h.b }}`,
      ),
      [],
    ],
    [
      'what a later turn of a loop finds may be set by one before',
      site(`{% for i in (1..3) %}{% if h %}{{ h.a }}{% endif %}{% assign h = { "a": i } %}{% endfor %}`),
      [],
    ],
  ])
})

describe('writes', () => {
  table([
    [
      'into a hash of which nothing is known',
      books(`${FIRST}{% assign o = context.params.o %}{% assign o["id"] = book.id %}{{ book.titel }}{{ o.id }}`),
      ['unknown-field 1:138'],
    ],
    [
      'the key that was written may be one of the other value',
      books(
        `${FIRST}{% assign o = context.params.o | default: book %}{% assign o["more"] = 1 %}{{ book.more }}{{ o.id }}`,
      ),
      [],
    ],
    [
      'under computed keys',
      site(
        `{% liquid
  assign h = {}
  assign names = ["title", "text"]
  for name in names
    assign key = name | append: '_en'
    assign h[key] = context.params[key]
  endfor
  echo h.title_en
  echo h.title_de
%}`,
      ),
      ['unknown-property 9:10'],
    ],
    [
      'under a key that may be any',
      site(`{% assign h = { "a": 1 } %}{% assign k = context.params.k %}{% assign h[k] = 2 %}{{ h.b }}`),
      [],
    ],
    [
      'into parts that others hold',
      site(
        `{% assign part = { "a": 1 } %}{% assign h = {} %}{% assign h["part"] = part %}{% assign h["part"]["b"] = 2 %}{{ part.b }}`,
      ),
      [],
    ],
    [
      'through the other name of a part',
      site(
        `{% assign part = { "a": 1 } %}{% assign h = {} %}{% assign h["part"] = part %}{% assign part["b"] = 2 %}{{ h.part.b }}`,
      ),
      [],
    ],
    [
      'into an element of a list that others hold',
      site(
        `{% assign part = { "a": 1 } %}{% assign l = [] %}{% assign l << part %}{% assign l[0]["b"] = 2 %}{{ part.b }}{{ l.first.b }}`,
      ),
      [],
    ],
  ])
})

describe('calls', () => {
  table([
    [
      'a partial that writes a key',
      books(
        `${FIRST}{% render 'p', data: book %}{{ book.k }}{{ book.titel }}`,
        partial('p', `{% assign data["k"] = 1 %}{{ data.k }}{{ data.title }}`),
      ),
      ['unknown-field 1:115'],
    ],
    [
      'the partial itself still knows what it was given',
      books(
        `${FIRST}{% render 'p', data: book %}`,
        partial('p', `{% assign data["k"] = 1 %}{{ data.k }}{{ data.titel }}`),
      ),
      ['unknown-field p.liquid 1:47'],
    ],
    [
      'and hands it on',
      books(
        `${FIRST}{% function b = 'p', data: book %}{{ b.k }}{{ b.titel }}`,
        partial('p', `{% assign data["k"] = 1 %}{% return data %}`),
      ),
      ['unknown-field 1:115'],
    ],
  ])
})

describe('keys that are asked for', () => {
  table([
    [
      'a hash may lack one',
      site(
        `{% function r = 'p' %}{% if r.wrong %}x{% endif %}{{ r.total }}`,
        partial('p', `{% return { "total": 1 } %}`),
      ),
      [],
    ],
    [
      'but no other spelling of it',
      site(`{% function r = 'p' %}{% if r.totl > 2 %}x{% endif %}`, partial('p', `{% return { "total": 1 } %}`)),
      ['unknown-property 1:31'],
    ],
    [
      'names of their own that look alike',
      site(
        `{% function r = 'p' %}{{ r.name_de | default: r.name_en }}{{ r.line_2 | default: r.line_1 }}`,
        partial('p', `{% return { "name_en": "a", "line_1": "b" } %}`),
      ),
      [],
    ],
    [
      'one and many',
      site(
        `{% function r = 'p' %}{% if r.error %}{{ r.error }}{% endif %}{{ r.errors }}`.replace('{{ r.error }}', 'x'),
        partial('p', `{% return { "errors": [] } %}`),
      ),
      [],
    ],
  ])
})

describe('values that many functions pass on', () => {
  const count = 20
  const numbers = Array.from({ length: count }, (_, at) => at + 1)
  const calls = numbers.map((at) => `{% function r${at} = 'pass_${at}', x: r${at - 1} %}`)
  const page = `{% assign r0 = { "a": 1 } %}\n${calls.join('')}\n{{ r${count}.b }}`
  const functions = numbers.map((at) => partial(`pass_${at}`, '{% return x %}'))
  table([
    ['each result is known after another turn', Object.assign(site(page), ...functions), ['unknown-property 3:8']],
  ])
})

/** Use of query results in templates: reads of fields, loops, and undeclared properties. */
import { describe, expect, it } from 'vitest'
import { lineStarts, position } from '../../../../compiler/core/source/file.ts'
import { Memory } from '../../../../compiler/core/model/memo.ts'
import { checkFiles, type Files, problems } from '../../../support/compiler/check.ts'
import { found, SCHEMA, withBooks } from '../../../support/compiler/queries.ts'

describe('a result', () => {
  // `§` marks the place of the diagnostic.
  it.each([
    ['{{ g.§recordz }}', 'unknown-field'],
    ['{{ g.records.§result }}', 'unknown-field'],
    ['{% for b in g.records.results %}{{ b.§titel }}{% endfor %}', 'unknown-field'],
    ['{% for b in g.records.results %}{{ b§["titel"] }}{% endfor %}', 'unknown-field'],
    ['{{ g.records.results.first.§titel }}', 'unknown-field'],
    ['{{ g.records.results[0].§titel }}', 'unknown-field'],
    ['{% assign r = g.records.results | first %}{{ r.§titel }}', 'unknown-field'],
    ["{% assign t = g.records.results | map: §'titel' %}{{ t }}", 'unknown-field'],
    ["{% assign t = g.records.results | map: 'title' | first %}{{ t.§x }}", 'no-parts'],
    ["{% assign t = g.records.results | array_sort_by: §'titel' %}{{ t }}", 'unknown-field'],
    ["{% assign t = g.records.results | array_sort_by: 'title' | last %}{{ t.§titel }}", 'unknown-field'],
    ["{% assign t = g.records.results | array_detect: §titel: 'a' %}{{ t }}", 'unknown-field'],
    ["{% assign t = g.records.results | array_detect: title: 'a' %}{{ t.§titel }}", 'unknown-field'],
    ["{% assign t = g.records.results | where: §'titel', 'a' %}{{ t }}", 'unknown-field'],
    ["{% assign t = g.records.results | where: 'title', 'a' | reverse | first %}{{ t.§titel }}", 'unknown-field'],
    ["{% assign t = g.records.results | array_group_by: §'titel' %}{{ t }}", 'unknown-field'],
    ["{% assign t = g.records.results | array_group_by: 'title' %}{{ t['a'].first.§titel }}", 'unknown-field'],
    ["{% assign t = g.records.results | map: 'writers' | array_flatten | first %}{{ t.§nam }}", 'unknown-field'],
    ["{% assign t = g | hash_dig: 'records', §'result' %}{{ t }}", 'unknown-field'],
    ["{% assign t = g | hash_dig: 'records', 'results' | first %}{{ t.§titel }}", 'unknown-field'],
    ["{% assign t = g | hash_dig: 'records', 'results', §'title' %}{{ t }}", 'list-as-object'],
    ['{{ g.records.results.§title }}', 'list-as-object'],
    ['{% for b in §g.records %}{{ b }}{% endfor %}', 'object-as-list'],
    ['{% tablerow b in §g.records %}{{ b }}{% endtablerow %}', 'object-as-list'],
    ["{% for b in §g['records'] limit: 2 %}{{ b }}{% endfor %}", 'object-as-list'],
    ['{% assign r = g.records %}{% for b in §r %}{{ b }}{% endfor %}', 'object-as-list'],
    ['{% for x in (1..3) %}{{ x }}{% for b in §g.records %}{{ b }}{% endfor %}{% endfor %}', 'object-as-list'],
    ['{% if g.records %}{% for b in §g.records %}{{ b }}{% endfor %}{% endif %}', 'object-as-list'],
    ['{% for b in g.records.results %}{% for p in b.properties %}{{ p[0] }}{% endfor %}{% endfor %}', null],
    ['{% for b in g.records.results %}{% for field in b %}{{ field[0] }}{% endfor %}{% endfor %}', null],
    ['{% for field in g %}{{ field[0] }}{% endfor %}', null],
    ['{% assign h = { "results": [1] } %}{% for p in h %}{{ p }}{% endfor %}{{ g }}', null],
    // The variable may contain the list itself.
    [
      '{% assign l = g.records %}{% if l.total_entries > 1 %}{% assign l = l.results %}{% endif %}{% for b in l %}{{ b }}{% endfor %}',
      null,
    ],
    ["{% function h = 'opaque', given: g %}{{ h }}{% for b in g.records %}{{ b }}{% endfor %}", null],
    ['{% for b in g.records.results %}{% for w in b.writers %}{{ w.§nam }}{% endfor %}{% endfor %}', 'unknown-field'],
    ['{% for b in g.records.results %}{{ b.properties.§titel }}{% endfor %}', 'unknown-field'],
    [
      '{% for b in g.records.results %}{{ b.properties.title }}{{ b.tags.first }}{{ b.pages | plus: 1 }}{% endfor %}',
      null,
    ],
    [
      '{% if g.errors %}{{ g.errors.first.message }}{{ g.errors[0].extensions.x }}{% endif %}{{ g.§error }}',
      'unknown-field',
    ],
    // A test of a missing field is useless, but it is not an error.
    ['{% if g.records.§nothing %}x{% endif %}', 'unknown-field'],
    ["{% assign n = g.records.§nothing | default: 'x' %}{{ n }}", 'unknown-field'],
    ['{% if g.records %}{{ g.records.total_entries }}{% endif %}', null],
    ["{% function h = 'opaque', given: g %}{{ h }}{{ g.records.nothing }}", null],
  ])('%s', (rest, code) => {
    const page = withBooks(rest)
    const opaque = { 'app/lib/opaque.liquid': `{% assign given['records'] = 1 %}{% return given %}` }
    const expected = code === null ? [] : [`${code} 1:${page.indexOf('§') + 1}`]
    expect(found(page.replace('§', ''), rest.includes('opaque') ? opaque : {})).toEqual(expected)
  })

  it('says what the query selects, and where', () => {
    const page = withBooks('{% for b in g.records.results %}{{ b.titel }}{% endfor %}')
    const { diagnostics } = checkFiles({ ...SCHEMA, 'app/views/pages/index.liquid': page })
    const [one] = diagnostics.filter(({ code }) => code === 'unknown-field')
    // The field reads as nil, so this is only a warning.
    expect(one?.severity).toBe('warning')
    expect(one?.hint).toContain('title')
    const place = one?.related[0]?.span
    expect(place?.file).toBe('app/graphql/books/all.graphql')
    expect(position(lineStarts(SCHEMA['app/graphql/books/all.graphql'] ?? ''), place?.start ?? 0).line).toBe(12)
  })

  it('says where the list is that a loop was meant to go over', () => {
    const page = withBooks("{% render 'shelf', shelf: g.records %}")
    const { diagnostics } = checkFiles({
      ...SCHEMA,
      'app/views/pages/index.liquid': page,
      'app/views/partials/shelf.liquid': '{% for book in shelf %}{{ book }}{% endfor %}',
    })
    const [one, ...more] = diagnostics.filter(({ code }) => code === 'object-as-list')
    expect(more).toEqual([])
    expect(one?.severity).toBe('warning')
    expect(one?.hint).toContain('`shelf.results`')
    const place = one?.related[0]?.span
    expect(place?.file).toBe('app/graphql/books/all.graphql')
    expect(position(lineStarts(SCHEMA['app/graphql/books/all.graphql'] ?? ''), place?.start ?? 0).line).toBe(2)
  })

  it('is known behind partials and functions', () => {
    const page = withBooks(
      `{% for b in g.records.results %}{% render 'card', book: b %}{% endfor %}{% function o = 'one', id: 1 %}{{ o.titel }}`,
    )
    expect(
      found(page, {
        'app/views/partials/card.liquid': '{{ book.titel }}',
        'app/lib/one.liquid': `{% graphql g = 'books/one', id: id %}{% return g.records.results.first %}`,
      }),
    ).toEqual(['unknown-field 1:138', 'unknown-field card.liquid 1:9'])
  })

  it('is known however many partials hand it on, in lists that may not be there', () => {
    const page = withBooks("{% render 'shelf', books: g.records.results %}")
    const hand = (name: string, argument: string) => `{% render '${name}', books: ${argument} %}`
    expect(
      found(page, {
        'app/views/partials/shelf.liquid': hand('board', 'books'),
        'app/views/partials/board.liquid': hand('row', 'books'),
        'app/views/partials/row.liquid': "{% render 'card' for books as book %}",
        'app/views/partials/card.liquid': '{{ book.title }}{{ book.titel }}',
      }),
    ).toEqual(['unknown-field card.liquid 1:25'])
  })

  it('stays known when texts of it are given to what changes its own arguments', () => {
    const page = withBooks(
      `{% assign l = 'a' | split: ',' %}{% function x = 'grow', list: l, added: g.records.total_entries %}{{ x }}{{ g.recordz }}`,
    )
    expect(found(page, { 'app/lib/grow.liquid': `{% assign list << added %}{% return list %}` })).toEqual([
      `unknown-field 1:${page.indexOf('recordz') + 1}`,
    ])
  })

  describe('of several queries in one place', () => {
    const page =
      `{% graphql one = 'books/one', id: 1 %}{% for b in one.records.results %}{% render 'card', book: b %}{% endfor %}` +
      `{% graphql all = 'books/all' %}{% for b in all.records.results %}{% render 'card', book: b %}{% endfor %}`
    const card = (text: string) => found(page, { 'app/views/partials/card.liquid': text })

    it('a field that some of them select', () => {
      expect(card('{{ book.title }}{{ book.pages }}')).toEqual(['field-not-selected card.liquid 1:25'])
    })

    it('one that the template tests for', () => {
      expect(card('{% if book.pages %}{{ book.pages }}{% endif %}')).toEqual([])
      expect(card("{{ book.pages | default: '?' }}")).toEqual([])
    })

    it('one that none of them selects', () => {
      expect(card('{{ book.page_count }}')).toEqual(['unknown-field card.liquid 1:9'])
    })
  })
})

describe('a query in a loop', () => {
  it('is told, also through partials and functions, with the way', () => {
    const files = {
      ...SCHEMA,
      'app/views/pages/index.liquid': withBooks(
        `{% for b in g.records.results %}\n{% render 'card', id: b.id %}{% endfor %}`,
      ),
      'app/views/partials/card.liquid': `{% function book = 'find', id: id %}{{ book.title }}`,
      'app/lib/find.liquid': `\n{% graphql g = 'books/one', id: id %}{% return g.records.results.first %}`,
    }
    const nested = checkFiles(files).diagnostics.filter(({ code }) => code === 'nested-query')
    expect(nested.map(({ span }) => span.file)).toEqual(['app/views/pages/index.liquid'])
    expect(nested[0]?.message).toContain('books/one')
    expect(nested[0]?.message).toContain('up to 20 times')
    expect(nested[0]?.related.map(({ span }) => span.file)).toEqual([
      'app/views/partials/card.liquid',
      'app/lib/find.liquid',
    ])
  })

  it.each([
    [`{% for i in (1..3) %}{% graphql g = 'books/one', id: i %}{{ g.records }}{% endfor %}`, ['nested-query 1:22']],
    [
      `{% for i in (1..3) %}{% if i == 2 %}{% graphql g = 'books/one', id: i %}{{ g.records }}{% endif %}{% endfor %}`,
      ['nested-query 1:37'],
    ],
    [
      `{% for i in (1..3) %}{% cache i %}{% graphql g = 'books/one', id: i %}{{ g.records }}{% endcache %}{% endfor %}`,
      [],
    ],
    [`{% assign l = 'a,b' | split: ',' %}{% render 'p' for l as id %}`, ['nested-query 1:46']],
    [`{% for i in (1..3) %}{% background j = 'p', id: i %}{% endfor %}`, []],
    [`{% graphql g = 'books/one', id: 1 %}{% for b in g.records.results %}{{ b.id }}{% endfor %}`, []],
  ])('%s', (page, expected) => {
    const p = { 'app/views/partials/p.liquid': `{% graphql g = 'books/one', id: id %}{{ g.records }}` }
    expect(found(page, p).filter((each) => !/not-offered|unused-/.test(each))).toEqual(expected)
  })
})

describe('a stored query', () => {
  it('that nothing runs is told, unless a computed name may mean it or it is a module’s', () => {
    const page = (text: string, more: Files = {}) =>
      problems({ ...SCHEMA, 'app/views/pages/index.liquid': text, ...more }).filter((each) =>
        each.startsWith('unused-query'),
      )
    expect(page(`{% graphql g = 'books/one', id: 1 %}{{ g.records }}`)).toEqual(['unused-query all.graphql 1:1'])
    expect(page(`{% graphql g = context.params.q %}{{ g }}`)).toEqual([])
    const module = { 'modules/m/public/graphql/x.graphql': 'query { records(per_page: 1) { results { id } } }' }
    expect(
      page(`{% graphql g = 'books/one', id: 1 %}{% graphql h = 'books/all' %}{{ g.records }}{{ h.records }}`, module),
    ).toEqual([])
  })
})

describe('a property that no table declares', () => {
  const read =
    'query { records(per_page: 1, filter: { table: { value: "book" } }) { results { x: property(name: "extra") } } }'
  const filter =
    'query { records(per_page: 1, filter: { table: { value: "book" }, properties: [{ name: "extra", value: "a" }] }) { results { id } } }'
  const sort =
    'query { records(per_page: 1, filter: { table: { value: "book" } }, sort: [{ properties: [{ name: "extra", order: ASC }] }]) { results { id } } }'
  const join =
    'query { records(per_page: 1, filter: { table: { value: "book" } }) { results { related_records(table: "writer", join_on_property: "extra", foreign_property: "id") { id } } } }'
  const literal =
    'mutation { record_create(record: { table: "book", properties: [{ name: "extra", value: "a" }] }) { id } }'
  const set =
    'mutation($v: String) { record_create(record: { table: "book", properties: [{ name: "extra", value: $v }] }) { id } }'
  const other =
    'mutation($id: ID!, $v: String) { record_update(id: $id, record: { properties: [{ name: "extra", value: $v }] }) { id } }'
  const any = 'mutation($r: RecordInputType!) { record_create(record: $r) { id } }'
  const named =
    'mutation($n: String!) { record_create(record: { table: "book", properties: [{ name: $n, value: "x" }] }) { id } }'

  const severities = (queries: readonly string[], files: Files = SCHEMA): readonly string[] =>
    checkFiles({
      ...files,
      ...Object.fromEntries(queries.map((query, at) => [`app/graphql/q${at}.graphql`, query])),
    })
      .diagnostics.filter(({ code, span }) => code === 'unknown-table-property' && span.file.endsWith('q0.graphql'))
      .map(({ severity }) => severity)

  it.each([
    ['read', read, 'warning', 'warning'],
    ['filtered by', filter, 'warning', 'warning'],
    ['sorted by', sort, 'warning', 'warning'],
    ['joined by', join, 'error', 'warning'],
    ['written by a literal', literal, 'error', 'warning'],
    ['written from a variable', set, 'warning', 'warning'],
  ])('is %s', (_what, query, alone, writable) => {
    expect(severities([query])).toEqual([alone])
    for (const writes of [set, any, named]) expect(severities([query, writes])).toEqual([writable])
  })

  it('may be written by whoever updates a record without saying of which table', () => {
    expect(severities([sort, other])).toEqual(['warning'])
  })

  it('is of no interest where the name comes from a variable, or the site declares no table', () => {
    expect(severities([named])).toEqual([])
    const users = 'query { users(per_page: 1) { results { x: property(name: "extra") } } }'
    expect(severities([users], {})).toEqual([])
    expect(severities([users])).toEqual([])
    expect(severities([users], { ...SCHEMA, 'app/user.yml': 'properties:\n  - name: phone\n' })).toEqual(['warning'])
  })
})

describe('what was found before', () => {
  it('is found again only where the document or a table changed', () => {
    const memo = new Memory()
    const files: Files = {
      ...SCHEMA,
      'app/views/pages/index.liquid': withBooks('{% for b in g.records.results %}{{ b.title }}{% endfor %}'),
    }
    const codes = (given: Files) =>
      checkFiles(given, { memo })
        .diagnostics.filter(({ severity }) => severity !== 'info')
        .map(({ code }) => code)
    expect(codes(files)).toEqual([])
    const renamed = {
      ...files,
      'app/graphql/books/all.graphql':
        files['app/graphql/books/all.graphql']?.replace('title: property', 'name: property') ?? '',
    }
    expect(codes(renamed)).toEqual(['unknown-field'])
    expect(codes(files)).toEqual([])
    const table = {
      ...files,
      'app/schema/book.yml': files['app/schema/book.yml']?.replace('name: pages', 'name: length') ?? '',
    }
    expect(codes(table)).toEqual(['unknown-table-property'])
    expect(codes(files)).toEqual([])
  })
})

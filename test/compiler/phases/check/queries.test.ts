/** Queries in templates: mistakes in documents, names and variables. */
import { describe, expect, it } from 'vitest'
import { lineStarts, position } from '../../../../compiler/core/source/file.ts'
import { Memory } from '../../../../compiler/core/model/memo.ts'
import { checkFiles, type Files, problems } from '../../../support/compiler/check.ts'
import { found, SCHEMA, withBooks } from '../../../support/compiler/queries.ts'

const QUERY = 'query { records(per_page: 20, filter: { table: { value: "book" } }) { results { id } } }'

describe('a document', () => {
  const broken = (query: string) => found(`{% graphql g = 'q' %}{{ g }}`, { 'app/graphql/q.graphql': query })

  it.each([
    ['query {', 'graphql-syntax q.graphql 1:7'],
    ['query { recordz(per_page: 1) { results { id } } }', 'graphql-invalid q.graphql 1:9'],
    ['query { records(per_page: 1) { results { idd } } }', 'graphql-invalid q.graphql 1:42'],
    ['query { records { results { id } } }', 'graphql-invalid q.graphql 1:9'],
    // A misspelled name is not also reported as missing.
    ['query { records(per_pge: 1) { results { id } } }', 'graphql-invalid q.graphql 1:17'],
    [
      'query { records(per_page: 1, filter: { table: { value: "bok" } }) { results { id } } }',
      'unknown-table q.graphql 1:56',
    ],
    [
      'query { records(per_page: 1, filter: { table: { value: "book" } }) { results { x: property(name: "titel") } } }',
      'unknown-table-property q.graphql 1:98',
    ],
    [
      'query { records(per_page: 1, filter: { table: { value: "book" }, properties: [{ name: "titel", value: "a" }] }) { results { id } } }',
      'unknown-table-property q.graphql 1:87',
    ],
    ['query ($n: String! = "1") { records(per_page: $n) { results { id } } }', 'query-variable-type q.graphql 1:8'],
  ])('%s', (query, expected) => expect(broken(query)).toEqual([expected]))

  it('lacks an argument that nothing near it was meant to be', () => {
    expect(broken('query { records(sorted: 1) { results { id } } }')).toEqual([
      'graphql-invalid q.graphql 1:9',
      'graphql-invalid q.graphql 1:17',
    ])
    expect(broken('query { a: records { results { id } } b: records(per_pge: 1) { results { id } } }')).toEqual([
      'graphql-invalid q.graphql 1:12',
      'graphql-invalid q.graphql 1:50',
    ])
  })

  it('that ends too early is told so', () => {
    const { diagnostics } = checkFiles({ 'app/graphql/q.graphql': 'query { records(per_page: 1) { results { id }' })
    const found = diagnostics.find(({ code }) => code === 'graphql-syntax')
    expect(found?.message).toBe('This query has a syntax error: The `{` of line 1 is never closed.')
    expect(found?.hint).toBe('Close it: a `}` is missing.')
  })

  it('that stands in a template is looked at where it stands', () => {
    expect(
      found(
        `<p>\n{% graphql g %}\n  query { records(per_page: 1, filter: { table: { value: "bok" } }) { results { id } } }\n{% endgraphql %}{{ g.records }}`,
      ),
    ).toEqual(['unknown-table 3:58'])
    expect(found(`{%- graphql g -%}\n  query { recordz { id } }\n{%- endgraphql -%}{{ g }}`)).toEqual([
      'graphql-invalid 2:11',
    ])
  })

  it('that Liquid makes is not looked at', () => {
    expect(
      found(`{% assign t = 'x' %}{% graphql g %}query { {{ t }} { id } }{% endgraphql %}{{ g.anything.at.all }}`),
    ).toEqual([])
  })

  it('is told the type of a variable where it has another one, or none', () => {
    const hints = (query: string) =>
      checkFiles({
        ...SCHEMA,
        'app/views/pages/index.liquid': `{% graphql g = 'q' %}{{ g }}`,
        'app/graphql/q.graphql': query,
      })
        .diagnostics.filter(({ code }) => code.startsWith('graphql-'))
        .map(({ hint }) => hint)
    const sorted = (variable: string) =>
      `query q(${variable}) { records(per_page: 1, filter: { table: { value: "book" } }, sort: $sort) { results { id } } }`
    const told = 'Declare `$sort` as `[RecordsSortInput!]`.'
    for (const variable of ['$sort: Sort', '$sort: [SortInput]', '$sort: RecordsSort', '$sort'])
      expect(hints(sorted(variable)), variable).toContain(told)
    expect(hints(sorted('$sort: [RecordsSortInpt!]'))).toEqual(['Did you mean `RecordsSortInput`?'])
  })

  it('is told the tables where none has a name like the one it asks for', () => {
    const hints = (name: string) =>
      checkFiles({
        ...SCHEMA,
        'app/views/pages/index.liquid': `{% graphql g = 'q' %}{{ g }}`,
        'app/graphql/q.graphql': `query { records(per_page: 1, filter: { table: { value: "${name}" } }) { results { id } } }`,
      })
        .diagnostics.filter(({ code }) => code === 'unknown-table')
        .map(({ hint }) => hint)
    expect(hints('bok')).toEqual([expect.stringContaining('`book`?')])
    expect(hints('invoice')).toEqual([expect.stringContaining('`book` and `writer`')])
  })

  it('is told the properties where none has a name like the one it asks for', () => {
    const hints = (query: string, more: Files = {}) =>
      checkFiles({
        ...SCHEMA,
        ...more,
        'app/views/pages/index.liquid': `{% graphql g = 'q' %}{{ g }}`,
        'app/graphql/q.graphql': query,
      })
        .diagnostics.filter(({ code }) => code === 'unknown-table-property')
        .map(({ hint }) => hint)
    const read = (table: string, name: string) =>
      `query { records(per_page: 1, filter: { table: { value: "${table}" } }) { results { x: property(name: "${name}") } } }`
    const names = Array.from({ length: 11 }, (_, at) => `column_${String.fromCharCode(97 + at)}`)
    const wide = names.map((name) => `  - name: ${name}\n    type: string\n`).join('')
    expect(hints(read('book', 'publisher'))).toEqual(['The properties are `title`, `pages` and `tags`.'])
    expect(hints(read('book', 'titel'))).toEqual([expect.stringContaining('`title`?')])
    expect(hints(read('wide', 'x'), { 'app/schema/wide.yml': `name: wide\nproperties:\n${wide}` })).toEqual([
      `The properties are ${names
        .slice(0, 8)
        .map((name) => `\`${name}\``)
        .join(', ')} and 3 more.`,
    ])
    expect(hints(read('bare', 'x'), { 'app/schema/bare.yml': 'name: bare\n' })).toEqual([undefined])
    expect(
      hints('mutation { record_create(record: { table: "writer", properties: [{ name: "x", value: "1" }] }) { id } }'),
    ).toEqual(['The properties are `book_id` and `name`.'])
    // For users, the message lists the properties of users, even if a table has the name `user`.
    expect(
      hints('query { users(per_page: 1) { results { x: property(name: "publisher") } } }', {
        'app/user.yml': 'properties:\n  - name: phone\n    type: string\n',
        'app/schema/user.yml': 'name: user\nproperties:\n  - name: nick\n    type: string\n',
      }),
    ).toEqual(['The properties are `phone`.'])
  })

  it('is told the type that the place of a variable takes', () => {
    const hints = (query: string) =>
      checkFiles({
        ...SCHEMA,
        'app/views/pages/index.liquid': `{% graphql g = 'q' %}{{ g }}`,
        'app/graphql/q.graphql': query,
      })
        .diagnostics.filter(({ code }) => code === 'query-variable-type')
        .map(({ hint }) => hint)
    const paged = (type: string) =>
      hints(`query ($page: ${type}) { records(per_page: 1, page: $page) { results { id } } }`)
    expect(paged('String')).toEqual(['Declare `$page` as `Int`.'])
    expect(paged('[Int!]!')).toEqual(['Declare `$page` as `Int!`.'])
    expect(paged('Int')).toEqual([])
    expect(
      hints('query ($ids: [Int]) { records(per_page: 1, filter: { id: { value_in: $ids } }) { results { id } } }'),
    ).toEqual([expect.stringMatching(/^Declare `\$ids` as `\[ID!?\]`\.$/)])
    expect(hints('query ($n: Int) { records(per_page: $n) { results { id } } }')).toEqual(['Declare `$n` as `Int!`.'])
  })

  it('is not blamed for a table whose file cannot be read', () => {
    const files = {
      ...SCHEMA,
      'app/schema/book.yml': `${SCHEMA['app/schema/book.yml']}  - name: [isbn\n`,
      'app/views/pages/index.liquid': withBooks('{{ g.records }}'),
    }
    const errors = checkFiles(files).diagnostics.filter(({ severity }) => severity === 'error')
    expect(errors.map(({ code, span }) => `${code} ${span.file}`)).toEqual(['yaml-syntax app/schema/book.yml'])
  })

  it('leads to the table that lacks a property', () => {
    const files = {
      ...SCHEMA,
      'app/views/pages/index.liquid': `{% graphql g = 'q' %}{{ g }}`,
      'app/graphql/q.graphql':
        'query { records(per_page: 1, filter: { table: { value: "book" } }) { results { x: property(name: "titel") } } }',
    }
    const [one] = checkFiles(files).diagnostics.filter(({ code }) => code === 'unknown-table-property')
    expect(one?.hint).toContain('title')
    expect(
      one?.related.map(({ span }) => [span.file, position(lineStarts(SCHEMA[span.file] ?? ''), span.start).line]),
    ).toEqual([['app/schema/book.yml', 3]])
  })

  it.each([
    ['Int!', '1.5', ['The variable `n` of the query `q` is `Int!`, but this is the number 1.5.']],
    ['Int!', '2.0', []],
    ['Float!', '1.5', []],
    ['String!', '1.5', []],
  ])('with a variable of the type %s and the literal %s', (type, literal, expected) => {
    const document =
      type === 'Int!'
        ? 'query ($n: Int!) { records(per_page: $n) { results { id } } }'
        : type === 'Float!'
          ? 'mutation ($n: Float!) { record_create(record: { table: "book", properties: [{ name: "price", value_float: $n }] }) { id } }'
          : 'query ($n: String!) { records(per_page: 1, filter: { properties: [{ name: "title", value: $n }], table: { value: "book" } }) { results { id } } }'
    const { diagnostics } = checkFiles({
      ...SCHEMA,
      'app/views/pages/index.liquid': `---\nmethod: post\n---\n{% graphql g = 'q', n: ${literal} %}{{ g }}`,
      'app/graphql/q.graphql': document,
    })
    expect(diagnostics.filter(({ code }) => code === 'variable-type').map(({ message }) => message)).toEqual(expected)
  })

  it('may have variables that do not fit where the site says so', () => {
    const query = { 'app/graphql/q.graphql': 'query ($n: String! = "1") { records(per_page: $n) { results { id } } }' }
    const severities = (mode: string) =>
      checkFiles({
        'app/config.yml': `graphql_argument_type_mismatch_mode: ${mode}\n`,
        'app/views/pages/index.liquid': `{% graphql g = 'q', n: true %}{{ g }}{% graphql h = 'b', n: true %}{{ h }}`,
        ...query,
        'app/graphql/b.graphql': 'query ($n: Int!) { records(per_page: $n) { results { id } } }',
      })
        .diagnostics.filter(({ code }) => code.endsWith('variable-type'))
        .map(({ code, severity }) => `${code} ${severity}`)
        .toSorted()
    expect(severities('error')).toEqual(['query-variable-type error', 'variable-type error'])
    expect(severities('warning')).toEqual(['query-variable-type warning', 'variable-type warning'])
    expect(severities('ignore')).toEqual([])
  })

  it('that deletes a record of any table is warned of, unless the site allows it', () => {
    const told = (config: string, args: string) =>
      checkFiles({
        ...SCHEMA,
        'app/config.yml': config,
        'app/views/pages/index.liquid': `{% graphql g = 'q', id: context.params.id %}{{ g }}`,
        'app/graphql/q.graphql': `mutation ($id: ID!) { record_delete(id: $id${args}) { id } }`,
      })
        .diagnostics.filter(({ code }) => code.startsWith('graphql-'))
        .map(({ code, severity, span }) => `${severity} ${code} ${span.file} ${span.start}`)
    expect(told('', '')).toEqual(['warning graphql-invalid app/graphql/q.graphql 22'])
    expect(told('', ', table: "book"')).toEqual([])
    expect(told('require_table_for_record_delete_mutation: false\n', '')).toEqual([])
  })

  it('may be one value in the place of a list, unless the site says otherwise', () => {
    const filter = (condition: string) =>
      `filter: { table: { value: "book" }, properties: [{ name: "title", ${condition} }] }`
    const severities = (config: string, variable: string) =>
      checkFiles({
        ...SCHEMA,
        'app/config.yml': config,
        'app/views/pages/index.liquid': `{% graphql g = 'q', t: context.params.t %}{{ g }}`,
        'app/graphql/q.graphql': `query (${variable}) { records(per_page: 1, ${filter('value_in: $t')}) { results { id } } }`,
      })
        .diagnostics.filter(({ code }) => code === 'query-variable-type')
        .map(({ severity }) => severity)
    expect(severities('', '$t: String')).toEqual(['warning'])
    expect(severities('', '$t: Int')).toEqual(['error'])
    expect(severities('', '$t: [String!]')).toEqual([])
    const mode = (word: string) => `graphql_argument_type_mismatch_mode: ${word}\n`
    expect(severities(mode('error'), '$t: String')).toEqual(['error'])
    expect(severities(mode('warning'), '$t: String')).toEqual(['warning'])
    expect(severities(mode('ignore'), '$t: String')).toEqual([])
  })
})

describe('a name', () => {
  it.each([
    [`{% graphql g = 'books/al' %}{{ g.records }}`, ['missing-query 1:16']],
    [`{% assign n = 'books/al' %}{% graphql g = n %}{{ g.records }}`, ['missing-query 1:43']],
    [`{% assign n = 'books/all' %}{% graphql g = n %}{{ g.recordz }}`, ['unknown-field 1:53']],
    [`{% graphql g = context.params.q %}{{ g.anything }}`, []],
  ])('%s', (page, expected) => expect(found(page)).toEqual(expected))

  it('without its folders runs the only query whose file is called so', () => {
    const [one, ...others] = checkFiles({
      ...SCHEMA,
      'app/views/pages/index.liquid': `{% graphql g = 'all' %}{{ g.recordz }}`,
    }).diagnostics.filter(({ severity }) => severity !== 'info')
    expect(one).toMatchObject({
      code: 'bare-query-name',
      severity: 'warning',
      hint: 'Write its full name: `books/all`.',
    })
    expect(others.map(({ code }) => code)).toEqual(['unknown-field'])
  })

  it.each([
    ['two files are called so', { 'app/graphql/shops/all.graphql': QUERY }, 'all'],
    ['it lies in a module, and the name does not', { 'modules/shop/public/graphql/a/only.graphql': QUERY }, 'only'],
    [
      'the name is of another module',
      { 'modules/shop/public/graphql/a/only.graphql': QUERY, 'modules/till/public/graphql/b.graphql': QUERY },
      'modules/till/only',
    ],
    ['a folder is named, but not all', { 'app/graphql/a/b/only.graphql': QUERY }, 'b/only'],
  ])('without its folders means nothing where %s', (_, more, name) => {
    const { diagnostics } = checkFiles({
      ...SCHEMA,
      ...more,
      'app/views/pages/index.liquid': `{% graphql g = '${name}' %}{{ g }}`,
    })
    expect(diagnostics.map(({ code }) => code)).toContain('missing-query')
  })

  it('without its folders is found in its own module, and a whole name comes first', () => {
    const codesOf = (name: string) =>
      checkFiles({
        ...SCHEMA,
        'modules/shop/public/graphql/a/all.graphql': QUERY,
        'modules/shop/public/graphql/latest.graphql': QUERY,
        'modules/shop/public/graphql/a/latest.graphql': QUERY,
        'app/views/pages/index.liquid': `{% graphql g = '${name}' %}{{ g.records }}`,
      }).diagnostics.flatMap(({ code, hint }) =>
        code.includes('query-name') || code === 'missing-query' ? [`${code} ${hint}`] : [],
      )
    expect(codesOf('modules/shop/all')).toEqual(['bare-query-name Write its full name: `modules/shop/a/all`.'])
    expect(codesOf('all')).toEqual(['bare-query-name Write its full name: `books/all`.'])
    expect(codesOf('modules/shop/latest')).toEqual([])
  })
})

describe('variables', () => {
  it('that a query lacks lead to those it has', () => {
    const [one] = checkFiles({
      ...SCHEMA,
      'app/views/pages/index.liquid': `{% graphql g = 'books/all', limits: 1 %}{{ g.records }}`,
    }).diagnostics.filter(({ code }) => code === 'unknown-variable')
    expect(one?.hint).toContain('`limit`')
    expect(one?.related.map(({ message }) => message)).toEqual([
      'its variables are `limit`, `title`, `ids` and `order`',
    ])
  })

  it.each([
    [`{% graphql g = 'books/one' %}{{ g.records }}`, ['missing-variable 1:1']],
    [`{% graphql g = 'books/one', id: 1 %}{{ g.records }}`, []],
    [`{% graphql g = 'books/one', id: 1, idd: 2 %}{{ g.records }}`, ['unknown-variable 1:36']],
    [`{% graphql g = 'books/one', id: true %}{{ g.records }}`, ['variable-type 1:33']],
    [`{% graphql g = 'books/all', limit: 'ten' %}{{ g.records }}`, ['variable-type 1:36']],
    [`{% graphql g = 'books/all', limit: '10' %}{{ g.records }}`, []],
    [`{% graphql g = 'books/all', limit: '' %}{{ g.records }}`, []],
    [`{% graphql g = 'books/all', limit: context.params.limit %}{{ g.records }}`, []],
    [`{% graphql g = 'books/all', limit: nil %}{{ g.records }}`, []],
    [`{% graphql g = 'books/all', ids: 5 %}{{ g.records }}`, []],
    // A value of any type is converted to text.
    [`{% assign l = 'a,b' | split: ',' %}{% graphql g = 'books/all', ids: l, title: l %}{{ g.records }}`, []],
    [
      `{% assign l = 'a,b' | split: ',' %}{% graphql g = 'books/all', ids: l, limit: l %}{{ g.records }}`,
      ['variable-type 1:79'],
    ],
    [`{% graphql g = 'books/all', order: 'DESC' %}{{ g.records }}`, []],
    [`{% graphql g = 'books/all', limit: '2.5' %}{{ g.records }}`, ['variable-type 1:36']],
    [`{% graphql g = 'books/all', order: 'down' %}{{ g.records }}`, ['variable-type 1:36']],
    [`{% graphql g = 'books/all', order: 'desc', limit: '5.0' %}{{ g.records }}`, []],
    [`{% graphql g = 'books/all', args: 5 %}{{ g.records }}`, ['tag-argument-type 1:35']],
    [
      `{% assign a = '1,2' | split: ',' %}{% graphql g = 'books/all', args: a %}{{ g.records }}`,
      ['tag-argument-type 1:70'],
    ],
    [`{% graphql g = 'books/all', args: '{ "limit": 5 }' %}{{ g.records }}`, []],
    [`{% graphql g = 'books/all', args: nil %}{{ g.records }}`, []],
    [`{% graphql g = 'books/all', args: context.params.args %}{{ g.records }}`, []],
    [`{% assign a = { "limit": 5 } %}{% graphql g = 'books/one', args: a %}{{ g.records }}`, ['missing-variable 1:32']],
    [`{% assign a = { "id": 5, "more": 1 } %}{% graphql g = 'books/one', args: a %}{{ g.records }}`, []],
    [`{% assign a = { "limit": true } %}{% graphql g = 'books/all', args: a %}{{ g.records }}`, ['variable-type 1:69']],
    [`{% graphql g = 'books/one', args: context.params %}{{ g.records }}`, []],
    [
      `{% graphql g, ids: 1 %}query ($id: ID!) { records(per_page: 1, filter: { id: { value: $id } }) { results { id } } }{% endgraphql %}{{ g }}`,
      ['missing-variable 1:15'],
    ],
    [
      `{% graphql g, number: 1 %}query ($id: ID!) { records(per_page: 1, filter: { id: { value: $id } }) { results { id } } }{% endgraphql %}{{ g }}`,
      ['missing-variable 1:1', 'unknown-variable 1:15'],
    ],
  ])('%s', (page, expected) => expect(found(page)).toEqual(expected))

  it('lead to their declaration', () => {
    const [one] = checkFiles({
      ...SCHEMA,
      'app/views/pages/index.liquid': `{% graphql g = 'books/all', titel: 'x' %}{{ g.records }}`,
    }).diagnostics.filter(({ code }) => code === 'unknown-variable')
    expect(one?.hint).toContain('title')
    expect(one?.related[0]?.span).toMatchObject({ file: 'app/graphql/books/all.graphql', start: 7 })
  })
})

describe('a variable that a query cannot do without', () => {
  const files = (names: Readonly<Record<string, string>>): Files =>
    Object.fromEntries(Object.entries(names).map(([name, text]) => [`app/views/partials/${name}.liquid`, text]))
  const ONE = `{% graphql g = 'books/one', id: id %}{{ g.records }}`

  it.each<
    readonly [name: string, page: string, partials: Readonly<Record<string, string>>, expected: readonly string[]]
  >([
    ['is missed at the call that leaves it out', `{% render 'p' %}`, { p: ONE }, ['missing-inferred-argument 1:11']],
    ['is passed', `{% render 'p', id: 1 %}`, { p: ONE }, []],
    [
      'is missed at every call without it, and at no other',
      `{% function e = 'p', id: 1 %}{{ e }}{% function f = 'p' %}{{ f }}{% background j = 'p' %}{{ j }}`,
      { p: `${ONE}{% return g %}` },
      ['missing-inferred-argument 1:53', 'missing-inferred-argument 1:84'],
    ],
    [
      'is missed by a part of it too',
      `{% render 'p' %}`,
      { p: `{% graphql g = 'books/one', id: book.id %}{{ g.records }}` },
      ['missing-inferred-argument 1:11'],
    ],
    [
      'is missed through a partial that hands on what it was not given',
      `{% render 'outer' %}`,
      { outer: `{% render 'p', id: id %}`, p: ONE },
      ['missing-inferred-argument 1:11'],
    ],
    [
      'is missed through three of them, by another name and as what a render is with',
      `{% render 'a' %}`,
      {
        a: `{% render 'b' with book as key %}`,
        b: `{% function r = 'c', number: key.id %}{{ r }}`,
        c: `{% graphql g = 'books/one', id: number %}{% return g %}`,
      },
      ['missing-inferred-argument 1:11'],
    ],
    [
      'is missed through what is included',
      `{% render 'outer' %}`,
      { outer: `{% include 'p' %}`, p: ONE },
      ['missing-inferred-argument 1:11'],
    ],
    ['may be left out where the partial asks for it', `{% render 'p' %}`, { p: `{% if id %}${ONE}{% endif %}` }, []],
    [
      'may be left out where the partial has another one',
      `{% render 'p' %}`,
      { p: `{% assign id = id | default: context.params.id %}${ONE}` },
      [],
    ],
    [
      'may be left out where the query does without',
      `{% render 'p' %}`,
      { p: `{% graphql g = 'books/all', title: title %}{{ g.records }}` },
      [],
    ],
    [
      'may be left out where one of the queries does without, or where nobody knows which it is',
      `{% render 'p' %}{% render 'q' %}`,
      {
        p: `{% assign n = 'books/one' %}{% if context.params.a %}{% assign n = 'books/any' %}{% endif %}{% graphql g = n, id: id %}{{ g.records }}`,
        q: `{% graphql g = context.params.q, id: id %}{{ g.records }}`,
      },
      [],
    ],
    [
      'is missed in a circle of partials once',
      `{% render 'p' %}`,
      {
        p: `${ONE}{% if g.records %}{% render 'q', id: id %}{% endif %}`,
        q: `{% if context.params.a %}{% render 'p', id: id %}{% endif %}`,
      },
      ['missing-inferred-argument 1:11'],
    ],
    ['is not what nil is', `{% graphql g = 'books/one', id: nil %}{{ g.records }}`, {}, ['missing-variable 1:1']],
  ])('%s', (_name, page, partials, expected) => {
    const any = SCHEMA['app/graphql/books/one.graphql']?.replace('ID!', 'ID') ?? ''
    expect(
      found(page, { ...files(partials), 'app/graphql/books/any.graphql': any }).filter(
        (each) => !/^unused-/.test(each),
      ),
    ).toEqual(expected)
  })

  it('is told with the place that needs it, and refuses no site', () => {
    const { diagnostics } = checkFiles({
      ...SCHEMA,
      'app/views/pages/index.liquid': `{% render 'p' %}`,
      ...files({ p: ONE }),
    })
    const [missing] = diagnostics.filter(({ code }) => code === 'missing-inferred-argument')
    expect(missing).toMatchObject({
      severity: 'warning',
      message: 'The partial `p` cannot run a query without `id`, but this call does not pass it.',
      hint: 'Pass `id`.',
      related: [{ span: { file: 'app/views/partials/p.liquid', start: 32 } }],
    })
  })

  it('is asked for again when the query changes', () => {
    const memo = new Memory()
    const given: Files = {
      ...SCHEMA,
      'app/views/pages/index.liquid': `{% render 'outer' %}`,
      ...files({ outer: `{% render 'p', id: id %}`, p: ONE }),
    }
    const codes = (of: Files) => problems(of, { memo }).filter((each) => each.startsWith('missing-'))
    expect(codes(given)).toEqual(['missing-inferred-argument 1:11'])
    const optional = {
      ...given,
      'app/graphql/books/one.graphql': given['app/graphql/books/one.graphql']?.replace('ID!', 'ID') ?? '',
    }
    expect(codes(optional)).toEqual([])
    expect(codes(given)).toEqual(['missing-inferred-argument 1:11'])
  })
})

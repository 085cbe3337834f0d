/** Queries of rows of other sites: their properties, what other sites do not answer, types of results, and open transactions. */
import { describe, expect, it } from 'vitest'
import { problems } from '../../../support/compiler/check.ts'
import { SCHEMA } from '../../../support/compiler/queries.ts'

const ENDPOINT = 'endpoint: { url: "https://far.example/rows.json", token: "t" }'
const books = (fields: string): string =>
  `{ records(per_page: 5, filter: { table: { value: "book" } }) { results { ${fields} } } }`

/** Returns the diagnostics of a page that runs a document. */
function found(document: string, page = '{{ g }}', before = '', after = ''): readonly string[] {
  const files = {
    'app/schema/book.yml': SCHEMA['app/schema/book.yml'] ?? '',
    'app/graphql/far.graphql': document,
    'app/views/pages/index.liquid': `${before}{% graphql g = 'far' %}${after}${page}`,
  }
  return problems(files).filter((each) => !/^(?:unused-query|unserved-query|unread-fields) /.test(each))
}

describe('a query of rows of another site', () => {
  it('is supported, for all rows and at the top', () => {
    expect(found(books(`remote_records(${ENDPOINT}, join_on_property: "tags") { id }`))).toEqual([])
    expect(found(books(`remote_users(${ENDPOINT}, join_on_property: "external_id") { email }`))).toEqual([])
    expect(
      found(
        `{ remote_records(${ENDPOINT}, per_page: 5) { results { id ...R } } } fragment R on RemoteUsersInterface { __typename }`,
      ),
    ).toEqual([])
    expect(
      found(`{ remote_users(${ENDPOINT}, per_page: 5, filter: { email: { value: "a" } }) { total_entries } }`),
    ).toEqual([])
  })

  it('is reported like a relation when its property is not declared', () => {
    const remote = found(books(`remote_records(${ENDPOINT}, join_on_property: "tagz") { id }`))
    const related = found(
      books('related_records(table: "book", foreign_property: "title", join_on_property: "tagz") { id }'),
    )
    expect(remote).toHaveLength(1)
    expect(remote[0]).toMatch(/^unknown-table-property far\.graphql /)
    expect(remote.map((each) => each.replace(/\d+:\d+/g, ''))).toEqual(
      related.map((each) => each.replace(/\d+:\d+/g, '')),
    )
  })

  it('does not ask other sites for credentials, at whatever depth', () => {
    for (const document of [
      books(`remote_users(${ENDPOINT}, join_on_property: "id") { authenticate { password(password: "x") } }`),
      books(
        `remote_records(${ENDPOINT}, join_on_property: "id") { related_user { authenticate { password(password: "x") } } }`,
      ),
      `{ remote_users(${ENDPOINT}, per_page: 1) { results { authenticate { password(password: "x") } } } }`,
    ])
      expect(found(document).join()).toMatch(/^graphql-invalid far\.graphql [\d:]+$/)
  })

  it('has a result whose fields are known', () => {
    const document = books(`far: remote_records(${ENDPOINT}, join_on_property: "id") { name: property(name: "x") }`)
    expect(found(document, '{{ g.records.results[0].far[0].name }}')).toEqual([])
    expect(found(document, '{{ g.records.results[0].far[0].nam }}').join()).toContain('unknown-field')
    expect(found(document, '{{ g.records.results[0].far.name }}').join()).toContain('list-as-object')
  })

  it('is reported within a transaction', () => {
    const documents = [
      books(`remote_records(${ENDPOINT}, join_on_property: "id") { id }`),
      `{ remote_users(${ENDPOINT}, per_page: 1) { total_entries } }`,
    ]
    for (const document of documents) {
      expect(found(document, '{{ g }}', '{% transaction %}', '{% endtransaction %}').join()).toContain(
        'network-in-transaction',
      )
      expect(found(document)).toEqual([])
    }
    expect(found(books('id'), '{{ g }}', '{% transaction %}', '{% endtransaction %}')).toEqual([])
  })
})

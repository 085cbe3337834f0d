/** Uniqueness among many rows: the check of a form uses the index that the compiler derives from its rule. */
import { prefixed, sql } from '../../../../runtime/data/sql/sql.ts'
import { send } from '../../../../server/data/store/send.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { QueryHost } from '../../../../runtime/data/query/host.ts'
import { createIndexSql } from '../../../../runtime/data/query/index.ts'
import { createUniqueness } from '../../../../server/web/forms/unique.ts'
import { checkFiles, type Files } from '../../../support/compiler/check.ts'
import { type QueryDatabase, openQueryDatabase } from '../../../runtime/data/query/rows/run-query.ts'
import { field, form, group, nested, rule } from '../rest/support.ts'

const FILES: Files = {
  'app/schema/book.yml':
    'name: book\nproperties:\n  - name: isbn\n  - name: shelf\n  - { name: pages, type: integer }\n',
  'app/user.yml': 'properties:\n  - name: badge\n',
  'app/user_profile_schemas/seller.yml': 'name: seller\nproperties:\n  - name: shop\n',
  'app/forms/book.liquid': [
    '---\nname: book\nresource: book\nfields:\n  properties:',
    '    isbn:\n      validation:\n        unique: true',
    '    shelf:\n      validation:\n        uniqueness: { scope: [user_id, properties.pages] }\n        length: { maximum: 5 }',
    '    pages:\n---\n',
  ].join('\n'),
  'app/forms/user.liquid': [
    '---\nname: user\nresource: User\nfields:\n  email:\n    validation:\n      unique: true\n  properties:\n    badge:',
    '      validation:\n        unique: { case_sensitive: true }\n  profiles:\n    seller:\n      properties:\n        shop:',
    '          validation:\n            unique: true',
    '  customizations:\n    book:\n      properties:\n        shelf:\n          validation:\n            unique: { if: "{{ true }}" }',
    '        isbn:\n          validation:\n            unique: { case_sensitive: false }\n---\n',
  ].join('\n'),
}

let asker: QueryDatabase

beforeAll(async () => {
  const { operations, diagnostics } = checkFiles(FILES)
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(
    operations.indexes.map(({ table, alive, keys }) => [
      table,
      alive,
      ...keys.map((key) => ('column' in key ? key.column : `${key.property}.${key.as}`)),
    ]),
  ).toEqual([
    ['book', true, 'user_id', 'pages.match', 'shelf.match', 'id'],
    ['book', true, 'isbn.match', 'id'],
    ['book', true, 'shelf.match', 'id'],
    [null, true, 'badge.match', 'id'],
  ])
  asker = await openQueryDatabase(operations.data)
  const book = asker.catalog.tableId('book')
  await asker.run(`insert into ingot.records (table_id, user_id, properties) select ${book}, g % 7,
    jsonb_build_object('isbn', 'isbn ' || g, 'shelf', 'shelf ' || g % 900, 'pages', g % 300) from generate_series(1, 20000) g`)
  await asker.run(`insert into ingot.users (email, slug, properties)
    select g || '@example.com', 'u' || g, jsonb_build_object('badge', 'badge ' || g) from generate_series(1, 20000) g`)
  for (const spec of operations.indexes) await asker.run(createIndexSql(spec, asker.catalog)!.sql.text)
  await asker.run('vacuum analyze ingot.records, ingot.users')
})
afterAll(() => asker.close())

const UNIQUE = rule('unique')
const BOOK = form('book', {
  table: 'book',
  fields: group({ properties: [field('isbn', 'string', UNIQUE), field('shelf', 'string', UNIQUE)] }),
})
const USER = form('user', {
  resource: 'user',
  fields: group({
    properties: [field('badge', 'string', UNIQUE)],
    nested: [{ ...nested('customizations', 'book', BOOK.fields), table: 'book' }],
  }),
})
const QUESTIONS = [
  ['a property', BOOK, 'properties.isbn', 'isbn', 'isbn 7', {}, /ix_\d+_/],
  ['a property with a scope', BOOK, 'properties.shelf', 'shelf', 'shelf 7', { user_id: '3', pages: 7 }, /ix_\d+_/],
  ['a property of a user', USER, 'properties.badge', 'badge', 'badge 7', {}, /ix_u_/],
  ['a nested one', USER, 'customizations.book.properties.isbn', 'isbn', 'isbn 7', {}, /ix_\d+_/],
] as const

it.each(QUESTIONS)('%s is looked up', async (_what, of, path, name, value, scope, index) => {
  const plans: string[] = []
  const host: QueryHost = {
    ...asker.host,
    async run(statement) {
      const rows = await send(asker.sql, prefixed(sql`explain`, statement), { prepare: true }).values()
      plans.push(rows.join('\n'))
      return asker.host.run(statement, { write: false, replica: false, timeout: 10 })
    },
  }
  const { unique } = createUniqueness(host, of, of.table, null)
  const ask = (text: string): Promise<boolean> => unique(path, field(name), text, { caseSensitive: true, scope })
  expect(await ask(value)).toBe(false)
  expect(await ask(`${value} is free`)).toBe(true)
  for (const plan of plans) {
    expect(plan, plan).toMatch(index)
    expect(plan, plan).not.toContain('Seq Scan')
  }
})

/** Documents of search indexes are exported and imported together with tables and users. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { jsonExport, withSnapshot } from '../../../../server/web/transfer/export.ts'
import { DATA, exportJson, type Home, home, importJson } from './support.ts'

let from: Home
let to: Home
beforeAll(async () => {
  ;[from, to] = await Promise.all([home(), home()])
})
afterAll(async () => {
  await Promise.all([from.close(), to.close()])
})
beforeEach(async () => {
  for (const { sql } of [from, to]) await sql`truncate ingot.documents, ingot.document_words`
})

const all = (at: Home) =>
  at.sql`select search_index, id, document, words::text, created_at, updated_at from ingot.documents order by 1, 2`

test('an export gives them all, and an import puts them as they were', async () => {
  expect(JSON.parse(await exportJson(from))).not.toHaveProperty('documents')
  await from.sql`insert into ingot.documents (search_index, id, document, created_at, updated_at)
    select i, 'n' || n, jsonb_build_object('n', n, 'title', 'Ünder "quotes" ' || n), '2020-01-01', '2021-02-03T04:05:06.789Z'
    from unnest(array['books', 'a"b\\']) i, generate_series(1, 1200) n`
  const text = await exportJson(from)
  expect(await importJson(to, text)).toMatchObject({ rowsRead: 2400, added: 2400, changed: 0, refused: 0 })
  expect(await all(to)).toEqual(await all(from))
  expect(await importJson(to, text)).toMatchObject({ added: 0, same: 2400 })
  expect(await to.sql`select from ingot.document_words where word = 'ünder'`).toHaveLength(1)
})

test('an export reads some of them at a time, however many there are', async () => {
  await from.sql`insert into ingot.documents (search_index, id, document)
    select 'books', n::text, '{}' from generate_series(1, 1200) n`
  const told: number[] = []
  const options = { data: DATA, ids: from.ids, tables: [], users: false, documents: true }
  await withSnapshot(from.sql, async (view) => {
    for await (const _ of jsonExport(view, { ...options, progress: (rows) => told.push(rows) }));
  })
  expect(told).toEqual(Array.from({ length: 12 }, (_, index) => (index + 1) * 100))
})

const of = (...documents: readonly unknown[]): unknown => ({ documents: { books: documents } })

test('one that is there is replaced, unless it is newer or the policy says otherwise', async () => {
  await to.sql`insert into ingot.documents (search_index, id, document, updated_at) values ('books', '1', '{"a":1}', '2024-01-01')`
  const older = of({ id: 1, document: { b: 2 }, updated_at: '2023-01-01T00:00:00Z' })
  const stored = async () =>
    (await to.sql`select document from ingot.documents`).map(({ document }) => document as unknown)
  expect(await importJson(to, older)).toMatchObject({ kept: 1, changed: 0 })
  expect(await stored()).toEqual([{ a: 1 }])
  const newer = of({ id: '1', document: { b: 3 }, updated_at: '2025-01-01T00:00:00Z' })
  expect(await importJson(to, newer, { policy: 'only missing' })).toMatchObject({ kept: 1, changed: 0 })
  expect(await importJson(to, newer, { dryRun: true })).toMatchObject({ changed: 1 })
  expect(await stored()).toEqual([{ a: 1 }])
  expect(await importJson(to, newer)).toMatchObject({ changed: 1, kept: 0 })
  expect(await importJson(to, older, { policy: 'replace' })).toMatchObject({ changed: 1 })
  expect(await stored()).toEqual([{ b: 2 }])
})

test('times that the file does not give stay, and what is the same is not touched', async () => {
  await to.sql`insert into ingot.documents (search_index, id, document, created_at, updated_at)
    values ('books', 'a', '{"a":1}', '2020-01-01', '2020-01-02'), ('books', 'b', '{"b":1}', '2020-01-01', '2020-01-02')`
  const done = await importJson(to, of({ id: 'a', document: { a: 1 } }, { id: 'b', document: { b: 2 } }))
  expect(done).toMatchObject({ same: 1, changed: 1, refused: 0 })
  const [same, changed] = await to.sql<{ created: string; fresh: boolean; untouched: boolean }[]>`
    select created_at::date::text as created, updated_at > now() - interval '1 minute' as fresh, updated_at = '2020-01-02' as untouched
    from ingot.documents order by id`
  expect(same).toEqual({ created: '2020-01-01', fresh: false, untouched: true })
  expect(changed).toEqual({ created: '2020-01-01', fresh: true, untouched: false })
})

test('what does not fit is left out and told with its line', async () => {
  const wrong = `{ "documents": { "books": [
    { "id": "a", "document": { "ok": true } },
    { "document": {} },
    { "id": "b", "document": [1] },
    { "id": "c", "document": { "t": "a\\u0000" } },
    { "id": "d", "document": {}, "updated_at": "soon" },
    { "id": "a", "document": {} },
    { "id": "e", "document": {}, "more": 1, "less": 2 },
    "none",
    { "id": '1', "document": {} },
    { "id": "", "document": {} },
    { "id": 1.5, "document": {} },
    { "id": "${'x'.repeat(3000)}", "document": {} },
    { "id": "f", "document": ${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)} },
    { "id": 7 }
  ], "\\u0000": [
    { "id": "a", "document": {} }
  ] } }`
  const done = await importJson(to, wrong)
  expect(done).toMatchObject({ rowsRead: 15, added: 1, refused: 14 })
  expect([...done.faults].sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10))).toEqual([
    '3: books 2 id: it is missing',
    '4: books 3 document: it must be an object',
    '5: books 4 document: it contains NUL, which cannot be stored',
    '6: books 5 updated_at: it is not a time',
    "7: books 6 id: id 'a' is given twice: first in line 2",
    '8: books 7 more: documents have no such column',
    '8: books 7 less: documents have no such column',
    '9: books 8 -: a row must be an object',
    expect.stringMatching(/^10: books 9 -: it is not JSON: /),
    '11: books 10 id: it is empty',
    '12: books 11 id: it must be a text or a whole number',
    '13: books 12 id: it is too long',
    '14: books 13 document: it is nested too deeply',
    '15: books 14 document: it is missing',
    '17: \0 1 -: the name of its index cannot be stored',
  ])
  expect(await all(to)).toMatchObject([{ search_index: 'books', id: 'a', document: { ok: true } }])
})

test('nothing is there of a file that ends too early, nor of a trial', async () => {
  const many = Array.from({ length: 5000 }, (_, n) => `{"id":"${n}","document":{"n":"${'x'.repeat(500)}"}}`).join(',')
  await expect(importJson(to, `{"documents":{"books":[${many},`)).rejects.toThrow('ends too early')
  expect(await importJson(to, `{"documents":{"books":[${many}]}}`, { dryRun: true })).toMatchObject({ added: 5000 })
  expect(await all(to)).toEqual([])
  expect(await to.sql`select from ingot.document_words`).toEqual([])
  await expect(importJson(to, '{"documents":[]}')).rejects.toThrow('`documents` must be an object')
  await expect(importJson(to, '{"documents":{"books":{}}}')).rejects.toThrow(
    'the rows of index `books` must be an array',
  )
})

test('an index and a table of one name do not meet', async () => {
  const both = {
    tables: { category: [{ id: '70', properties: { title: 'Tools' } }] },
    documents: {
      category: [
        { id: '70', document: { title: 'Document' } },
        { id: '70', document: {} },
      ],
    },
  }
  const done = await importJson(to, both)
  expect(done).toMatchObject({ rowsRead: 3, added: 2, refused: 1 })
  expect(await importJson(to, both)).toMatchObject({ same: 2, added: 0 })
})

/** The page about the platform's topics: each topic once, with a reason or a link, and claims that agree with the compiler. */
import { expect, test } from 'vitest'
import { topicsEntry } from '../../../../compiler/tools/docs/topics.ts'
import { referenceFiles } from '../../../../compiler/tools/docs/reference.ts'
import { unsupportedNames, schema } from '../../../../runtime/data/query/index.ts'

const all = topicsEntry().blocks.flatMap((block) =>
  block.kind === 'rows'
    ? block.rows.map(({ name, type, description }) => ({ name, state: type, note: description }))
    : [],
)

test('each topic is listed once, and says where it is or why it is missing', () => {
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  for (const { name, note } of all) expect(note.length, name).toBeGreaterThan(10)
})

test('links lead to pages of the reference', async () => {
  const files = await referenceFiles()
  const index = files.get('index.html') ?? ''
  const links = all.flatMap(({ note }) => [...note.matchAll(/\]\(([^)#]+)(?:#([^)]+))?\)/g)])
  expect(links.length).toBeGreaterThan(30)
  for (const [, page = '', id] of links) {
    expect([...files.keys()]).toContain(page)
    if (id !== undefined && page === 'index.html') expect(index).toContain(`id="${id}"`)
  }
})

test('GraphQL fields that a note names are served, except in topics that are missing', () => {
  const served = [schema().getQueryType(), schema().getMutationType()].flatMap((type) =>
    Object.keys(type?.getFields() ?? {}),
  )
  const [queries, mutations] = [unsupportedNames('RootQuery'), unsupportedNames('RootMutation')].map((names) =>
    names.map(({ name }) => name),
  )
  for (const { state, note } of all.filter(({ state }) => state === 'yes'))
    for (const [, name = ''] of note.matchAll(
      /`(embeddings_rc|documents_\*|activity_\*|feeds|remote_records|remote_users)`/g,
    )) {
      const start = name.replace(/\*$/, '')
      expect(
        served.some((field) => (name.endsWith('*') ? field.startsWith(start) : field === name)),
        `${state} ${name}`,
      ).toBe(true)
    }
  expect(queries?.length).toBeGreaterThan(0)
  expect(mutations?.length).toBeGreaterThan(0)
})

test('the page counts the topics', () => {
  const [, words] = topicsEntry().blocks
  expect(words?.kind === 'words' ? words.text : '').toContain(`Of ${all.length} topics, Ingot has `)
})

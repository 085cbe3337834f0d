/** Queries in an editor: what their names are, the SQL that they run, and their errors while they are edited. */
import { expect, onTestFinished, test } from 'vitest'
import type { Hover, MarkupContent } from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { Workspace } from '../../../../compiler/tools/service/workspace.ts'
import { type Client, clientInProcess } from './client.ts'
import { type Files, folderOf } from './site.ts'

const PAGE = 'app/views/pages/index.liquid'
const QUERY = 'app/graphql/dishes.graphql'
const SITE: Files = {
  [PAGE]: "{% graphql found = 'dishes', page: 1 %}{{ found.records.total_entries }}\n",
  [QUERY]:
    '# All dishes.\nquery dishes($page: Int!, $name: String) {\n  records(page: $page, per_page: 20, filter: { table: { value: "dish" }, properties: [{ name: "name", value: $name }] }) {\n    total_entries\n    results { id created_at name: property(name: "name") }\n  }\n}\n',
  'app/graphql/create.graphql':
    'mutation create($name: String!) { record_create(record: { table: "dish", properties: [{ name: "name", value: $name }] }) { id } }\n',
  'app/schema/dish.yml': 'name: dish\nproperties:\n  - name: name\n    type: string\n',
}

async function client(files: Files = SITE): Promise<Client> {
  const made = await clientInProcess(folderOf(files))
  onTestFinished(() => made.end())
  return made
}

/** Returns the hover text at `‸`. */
async function hovered(path: string, marked: string): Promise<string> {
  const made = await client()
  const offset = marked.indexOf('‸')
  const text = marked.replace('‸', '')
  made.open(path, text)
  const hover = await made.connection.sendRequest<Hover | null>('textDocument/hover', {
    textDocument: { uri: made.uri(path) },
    position: TextDocument.create('', '', 0, text).positionAt(offset),
  })
  return (hover?.contents as MarkupContent | undefined)?.value ?? ''
}

const FILTER = 'filter: { table: { value: "dish" } }'

test.each([
  ['a field', `query x { rec‸ords(per_page: 20, ${FILTER}) { total_entries } }`, ['records(', 'RecordCollection']],
  ['a field of a record', `query x { records(per_page: 20, ${FILTER}) { results { created‸_at } } }`, ['created_at: ']],
  ['an argument', `query x { records(per_‸page: 20, ${FILTER}) { total_entries } }`, ['per_page: Int']],
  [
    'an input field',
    'query x { records(per_page: 20, filter: { ta‸ble: { value: "dish" } }) { total_entries } }',
    ['table: '],
  ],
  [
    'a value',
    `query x { records(per_page: 20, ${FILTER}, sort: [{ id: { order: DE‸SC } }]) { total_entries } }`,
    ['DESC: '],
  ],
  [
    'an alias, which is its field',
    `query x { al‸l: records(per_page: 20, ${FILTER}) { total_entries } }`,
    ['records('],
  ],
  [
    'an alias with the name of a field',
    `query x { records(per_page: 20, ${FILTER}) { results { i‸d: property(name: "name") } } }`,
    ['property(name: String!)'],
  ],
  [
    'a field of a query that does not parse',
    'query x { records(per_page: 20) { total_en‸tries',
    ['total_entries: Int'],
  ],
  ['a name without a meaning', 'query x { not_a_fie‸ld }', []],
  ['a variable', 'query x($pa‸ge: Int) { records(per_page: $page) { total_entries } }', []],
  [
    'a table',
    'query x { records(per_page: 20, filter: { table: { value: "di‸sh" } }) { total_entries } }',
    ['app/schema/dish.yml'],
  ],
])('hover says what %s is', async (_what, marked, expected) => {
  const text = await hovered(QUERY, marked)
  for (const each of expected) expect(text).toContain(each)
  if (expected.length === 0) expect(text).toBe('')
})

test.each([
  ['the head of a query', QUERY, (SITE[QUERY] ?? '').replace('query dishes', 'query di‸shes')],
  ['the name of a query in a template', PAGE, (SITE[PAGE] ?? '').replace("'dishes'", "'di‸shes'")],
])('hover of %s shows its SQL without values', async (_what, path, marked) => {
  const text = await hovered(path, marked)
  expect(text).toContain('reads records')
  const sql = /```sql\n([^]*)\n```/.exec(text)?.[1] ?? ''
  expect(sql).toMatch(/^select/)
  expect(sql).toContain('from ingot.records r1')
  expect(sql).toMatch(/\$1\b/)
  expect(sql.split('\n').length).toBeGreaterThan(5)
})

test('hover of a mutation shows the statement that writes', async () => {
  const text = await hovered(
    'app/graphql/create.graphql',
    (SITE['app/graphql/create.graphql'] ?? '').replace('create(', 'cre‸ate('),
  )
  expect(text).toMatch(/```sql\n[^]*insert into ingot\.records/)
})

test('the SQL that is shown has a bounded length, and a query with errors has none', async () => {
  const fields = Array.from({ length: 400 }, (_, at) => `f${at}: property(name: "name")`).join(' ')
  const made = await client({
    ...SITE,
    [QUERY]: `query dishes { records(per_page: 20, ${FILTER}) { results { ${fields} } } }`,
    'app/graphql/wrong.graphql': 'query wrong { recods { id } }',
  })
  const ask = async (path: string): Promise<string> => {
    const hover = await made.connection.sendRequest<Hover>('textDocument/hover', {
      textDocument: { uri: made.uri(path) },
      position: { line: 0, character: 2 },
    })
    return (hover.contents as MarkupContent).value
  }
  const sql = /```sql\n([^]*)\n```/.exec(await ask(QUERY))?.[1] ?? ''
  expect(sql.length).toBeGreaterThan(1000)
  expect(sql.length).toBeLessThan(4100)
  expect(sql.endsWith('…')).toBe(true)
  expect(await ask('app/graphql/wrong.graphql')).not.toContain('```sql')
})

interface Edited {
  readonly workspace: Workspace
  /** The codes of the diagnostics that are sent for the query at once, before the analysis of the site. */
  edit(text: string): readonly string[]
}

async function edited(files: Files = SITE): Promise<Edited> {
  let codes: readonly string[] = []
  let settled = 0
  const workspace = new Workspace(folderOf(files), {
    diagnosed: (path, diagnostics) => {
      if (path === QUERY) codes = diagnostics.map(({ code }) => code)
    },
    settled: () => void settled++,
  })
  onTestFinished(() => workspace.stop())
  await workspace.settled()
  return {
    workspace,
    edit(text) {
      const before = settled
      workspace.edit(QUERY, text)
      expect(settled).toBe(before)
      return codes
    },
  }
}

test.each([
  ['a field', 'total_entries', 'total_entris', 'graphql-invalid'],
  ['an argument', 'per_page: 20', 'per_pag: 20', 'graphql-invalid'],
  ['a property', 'property(name: "name")', 'property(name: "nam")', 'unknown-table-property'],
  ['a table', 'value: "dish"', 'value: "dis"', 'unknown-table'],
  ['a bracket', 'results {', 'results', 'graphql-syntax'],
  ['a variable', 'value: $name', 'value: $nam', 'graphql-invalid'],
])(
  'a typo in %s of an unsaved query is reported before the site is analysed, and so is its end',
  async (_what, from, to, code) => {
    const { edit } = await edited()
    const text = SITE[QUERY] ?? ''
    expect(edit(`${text}\n`)).not.toContain(code)
    expect(edit(text.replace(from, to))).toContain(code)
    expect(edit(`${text}\n\n`)).not.toContain(code)
  },
)

test('a property that only another query writes is no mistake while a query is edited', async () => {
  const { workspace, edit } = await edited({
    ...SITE,
    'app/graphql/create.graphql':
      'mutation create { record_create(record: { table: "dish", properties: [{ name: "extra", value: "x" }] }) { id } }\n',
  })
  const text = (SITE[QUERY] ?? '').replace('property(name: "name")', 'property(name: "extra")')
  const atOnce = edit(text)
  await workspace.settled()
  expect(edit(`${text}\n`)).toEqual(atOnce)
})

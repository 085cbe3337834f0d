/** The tools for agents, called through an MCP client in this process. */
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { TOOLS } from '../../../../../compiler/tools/docs/tools/index.ts'
import { NEW_SITE } from '../../../../support/new-site.ts'
import { agentServer } from '../../../../../compiler/tools/service/mcp/server.ts'
import { AgentSite } from '../../../../../compiler/tools/service/mcp/agent-site.ts'
import { type Files, folderOf, write } from '../site.ts'

const PAGE = 'app/views/pages/index.liquid'
const CARD = 'app/views/partials/card.liquid'
const QUERY = 'app/graphql/dishes/find.graphql'
const SITE: Files = {
  ...NEW_SITE,
  [CARD]: '{% doc %}\n  @param {string} name - of a dish\n{% enddoc %}\n<b>{{ name }}</b>\n',
  'app/views/pages/card.liquid': "---\nslug: card\n---\n{% render 'card', name: 'Tea' %}\n",
}

interface Agent {
  readonly root: string
  /** Calls a tool and returns its result. An error of the tool is thrown. */
  ask(name: string, given: Record<string, unknown>): Promise<string>
  json(name: string, given: Record<string, unknown>): Promise<Record<string, unknown>>
  readonly client: Client
}

async function agentOf(files: Files): Promise<Agent> {
  const root = folderOf(files)
  const site = new AgentSite(root, [process.execPath, '-e', 'console.error("no data here"); process.exit(1)'])
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'test', version: '1' })
  await Promise.all([agentServer(site).connect(theirs), client.connect(ours)])
  onTestFinished(async () => {
    await client.close()
    await site.close()
  })
  const ask: Agent['ask'] = async (name, given) => {
    const { content, isError } = await client.callTool({ name, arguments: given })
    const text = content.map((each) => (each.type === 'text' ? each.text : '')).join('')
    if (isError === true) throw new Error(text)
    return text
  }
  const json: Agent['json'] = async (name, given) => JSON.parse(await ask(name, given)) as Record<string, unknown>
  return { root, ask, json, client }
}

/** Returns the codes of findings, with their files. */
function codesIn(found: unknown): readonly string[] {
  return (found as readonly { readonly code: string; readonly file: string }[]).map(
    ({ code, file }) => `${code} ${file}`,
  )
}

for (const whole of [true, false]) {
  const way = whole ? 'with the whole site' : 'with the files that use them'

  test(`a change of several files is looked at together, ${way}, and nothing of it stays`, async () => {
    const { json } = await agentOf(SITE)
    const files = [
      {
        path: CARD,
        text: "{% doc %}\n  @param {string} title - of a dish\n{% enddoc %}\n{{ title }}{% render 'new' %}\n",
      },
      { path: 'app/views/partials/new.liquid', text: '{{ 1 | upcas }}\n' },
    ]
    const verdict = await json('validate_change', { files, whole })
    expect(codesIn(verdict['must_mend']).toSorted()).toEqual([
      'missing-argument app/views/pages/card.liquid',
      'unknown-filter app/views/partials/new.liquid',
    ])
    expect(codesIn(verdict['warnings'])).toEqual(['unknown-argument app/views/pages/card.liquid'])
    expect(verdict['ok']).toBe(false)
    const [mended] = (verdict['must_mend'] as { code: string; change?: object }[]).filter(
      ({ code }) => code === 'unknown-filter',
    )
    expect(mended?.change).toEqual([{ line: 1, column: 8, endLine: 1, endColumn: 13, text: 'upcase' }])
    expect(await json('check_site', {})).toMatchObject({ errors: 0, found: [] })
    // The same files without the mistakes.
    const right = [
      {
        path: CARD,
        text: "{% doc %}\n  @param {string} name - of a dish\n{% enddoc %}\n{{ name }}{% render 'new' %}\n",
      },
      { path: 'app/views/partials/new.liquid', text: '{{ 1 | plus: 1 }}\n' },
    ]
    expect(await json('validate_change', { files: right, whole })).toMatchObject({ ok: true, must_mend: [] })
  })

  test(`files that are gone, and tables that lack a property, are told of where they are used, ${way}`, async () => {
    const { json } = await agentOf(SITE)
    const gone = await json('validate_change', { files: [{ path: CARD, text: null }], whole })
    expect(codesIn(gone['must_mend'])).toEqual(['missing-partial app/views/pages/card.liquid'])
    const schema = 'name: dish\nproperties:\n  - name: title\n  - name: price\n    type: integer\n'
    const table = await json('validate_change', { files: [{ path: 'app/schema/dish.yml', text: schema }], whole })
    expect(codesIn(table['warnings'])).toEqual(['unknown-table-property app/graphql/dishes/find.graphql'])
    const lacking = (SITE[QUERY] ?? '').replace('price: property_int(name: "price")', '')
    const query = await json('validate_change', { files: [{ path: QUERY, text: lacking }], whole })
    expect(codesIn(query['warnings'])).toEqual(['unknown-field app/views/pages/dishes/show.liquid'])
  })
}

test('what was wrong before is told apart from what a change makes wrong', async () => {
  const { json } = await agentOf({ ...SITE, [PAGE]: '---\nslug: /\n---\n{{ 1 | upcas }}\n' })
  const text = '---\nslug: /\n---\nx\n{{ 1 | upcas }}\n{{ 1 | downcas }}\n'
  const verdict = await json('validate_change', { files: [{ path: PAGE, text }] })
  expect(codesIn(verdict['must_mend'])).toEqual([`unknown-filter ${PAGE}`])
  expect(codesIn(verdict['wrong_before'])).toEqual([`unknown-filter ${PAGE}`])
})

test('files are seen as they are written, moved and removed by others', async () => {
  const { root, json } = await agentOf(SITE)
  expect(await json('check_site', {})).toMatchObject({ errors: 0 })
  write(root, PAGE, "---\nslug: /\n---\n{% render 'tile' %}\n")
  expect(codesIn((await json('check_site', { errors_only: true }))['found'])).toEqual([`missing-partial ${PAGE}`])
  renameSync(join(root, CARD), join(root, 'app/views/partials/tile.liquid'))
  expect(codesIn((await json('check_site', { errors_only: true }))['found']).toSorted()).toEqual([
    `missing-argument ${PAGE}`,
    'missing-partial app/views/pages/card.liquid',
  ])
  rmSync(join(root, 'app/views/pages/card.liquid'))
  write(root, PAGE, "---\nslug: /\n---\n{% render 'tile', name: 'x' %}\n")
  expect(await json('check_site', {})).toMatchObject({ errors: 0 })
})

test('a path outside of the site, a file that it has no place for, and one that is given twice are refused', async () => {
  const { ask, json } = await agentOf(SITE)
  const refused = (path: string) => ask('validate_change', { files: [{ path, text: '' }] })
  await expect(refused('../x.liquid')).rejects.toThrow('is not a file in the folder of the site')
  await expect(refused('/etc/passwd')).rejects.toThrow('is not a file in the folder of the site')
  expect(await json('validate_change', { files: [{ path: 'notes/x.liquid', text: '' }] })).toMatchObject({
    ok: false,
    no_files_of_the_site: ['notes/x.liquid'],
  })
  const twice = { path: PAGE, text: '' }
  await expect(ask('validate_change', { files: [twice, twice] })).rejects.toThrow('given twice')
})

test('the language and the site are told by their names, and near names are offered', async () => {
  const { ask, json } = await agentOf(SITE)
  expect(await ask('look_up', { name: 'upcase' })).toContain('# upcase')
  expect(await ask('look_up', { name: '{% render %}' })).toContain('# render')
  expect(await ask('look_up', { section: 'objects' })).toMatch(/^context: /m)
  await expect(ask('look_up', { name: 'upcas', section: 'filters' })).rejects.toThrow("did you mean 'upcase'")
  const explained = await ask('explain_diagnostic', { code: 'unknown-filter' })
  expect(explained).toContain('## Wrong')
  expect(explained).toContain('## Right')
  await expect(ask('explain_diagnostic', { code: 'unknow-filter' })).rejects.toThrow("did you mean 'unknown-filter'")
  expect(await json('describe', { kind: 'table', name: 'dish' })).toEqual({
    ...{ table: 'dish', file: 'app/schema/dish.yml', named_by_queries: expect.arrayContaining(['dishes/list']) },
    properties: { name: 'string', price: 'integer' },
  })
  expect(await json('describe', { kind: 'partial', name: 'card' })).toMatchObject({
    takes: [{ name: 'name', type: 'text', required: true }],
    called_by: ['app/views/pages/card.liquid'],
  })
  expect(await json('describe', { kind: 'query', name: 'dishes/find' })).toMatchObject({
    file: QUERY,
    variables: [{ name: 'id' }],
  })
  await expect(ask('describe', { kind: 'query', name: 'dishes/lst' })).rejects.toThrow("did you mean 'dishes/list'")
  expect(await ask('list_routes', { grep: 'dishes' })).toContain('/dishes/:id')
})

test('a process that cannot begin says why, and the next question starts another one', async () => {
  const { ask } = await agentOf(SITE)
  for (let time = 0; time < 2; time++) await expect(ask('run_tests', {})).rejects.toThrow('no data here')
  expect(await ask('list_routes', {})).toContain('/dishes/:id')
})

test('questions that come together are answered each by itself', async () => {
  const { json } = await agentOf(SITE)
  const changes = ['upcas', 'downcas', 'upcase'].map((filter) =>
    json('validate_change', { files: [{ path: PAGE, text: `---\nslug: /\n---\n{{ 1 | ${filter} }}\n` }] }),
  )
  const all = await Promise.all([...changes, json('check_site', {})])
  expect(all.slice(0, 3).map(({ ok }) => ok)).toEqual([false, false, true])
  expect(all[3]).toMatchObject({ errors: 0 })
})

test('the reference has every tool', async () => {
  const { client } = await agentOf(SITE)
  const { tools } = await client.listTools()
  const page = TOOLS.find(({ name }) => name === 'Agents')
  expect(tools.map(({ name }) => name).toSorted()).toEqual(page?.also.map(({ name }) => name).toSorted())
})

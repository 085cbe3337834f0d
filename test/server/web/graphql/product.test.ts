/** The command and several server processes together: tokens, and constants that all of them see. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Product, product, type Server } from '../../../support/product.ts'

let ingot: Product
let site: string
let server: Server

const CONSTANT = '{% liquid\n  assign value = context.constants.SHOWN\n  echo value\n%}\n'

beforeAll(async () => {
  ingot = product()
  site = ingot.folder({
    'app/schema/item.yml': 'name: item\nproperties:\n  - name: title\n    type: string\n',
    'app/graphql/items.graphql':
      'query { records(per_page: 10, filter: { table: { value: "item" } }) { results { title: property(name: "title") } } }\n',
    'app/graphql/set.graphql': 'mutation($value: String!) { constant_set(name: "SHOWN", value: $value) { name } }\n',
    'app/views/pages/index.liquid':
      "{% graphql g = 'items' %}{% for item in g.records.results %}[{{ item.title }}]{% endfor %}",
    'app/views/pages/constant.liquid': `---\nslug: constant\n---\n${CONSTANT}`,
    'app/views/pages/set.liquid': `---\nslug: set\n---\n{% graphql g = 'set', value: context.params.value %}${CONSTANT}`,
  })
  expect(await ingot.run(['build', site])).toMatchObject({ code: 0 })
  server = await ingot.serve(['serve', site], { env: { INGOT_WORKERS: '2', INGOT_SECRET: 'the secret of this test' } })
})
afterAll(() => ingot?.clean())

const text = async (path: string): Promise<string> => {
  // Each request uses a new connection, so that all processes receive requests.
  const answer = await fetch(server.url + path, { headers: { connection: 'close' } })
  expect(answer.status, path).toBe(200)
  return (await answer.text()).trim()
}

async function graph(token: string, query: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${server.url}/api/graph`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Token token=${token}` },
    body: JSON.stringify({ query }),
  })
  return { status: answer.status, text: await answer.text() }
}

describe('tokens', () => {
  test('are made, used and ended while the server runs', async () => {
    const made = await ingot.run(['token', 'create', '--name', 'ci', '--scope', 'write', site], { ownProcess: true })
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^ingot_[\da-f]{64}\n$/) })
    const token = made.out.trim()
    const create =
      'mutation { record_create(record: { table: "item", properties: [{ name: "title", value: "Oak" }] }) { id } }'
    expect(await graph(token, create)).toMatchObject({ status: 200, text: expect.stringMatching(/"id":"\d+"/) })
    expect(await text('/')).toBe('[Oak]')
    await sleep(200)
    const list = await ingot.run(['token', 'list', site])
    const id = /^(\d+) +ci +write +- +\S+ +never +\d{4}-\d\d-\d\d \d\d:\d\d UTC +valid$/m.exec(list.out)?.[1] ?? ''
    expect(id).not.toBe('')
    expect(await ingot.run(['token', 'revoke', id, site])).toMatchObject({ code: 0 })
    expect(await graph(token, create)).toMatchObject({ status: 401 })
    expect(server.output()).not.toContain(token)
  })

  test('a command line that cannot be read ends with 2, one that finds nothing with 1', async () => {
    expect(await ingot.run(['token', 'create', '--scope', 'root', site])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('read, write, deploy, exec, admin'),
    })
    expect(await ingot.run(['token', 'list', '/nowhere/at/all'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('no folder'),
    })
    expect(await ingot.run(['token', 'revoke', '987654', site])).toMatchObject({ code: 1, out: '' })
  })
})

describe('constants', () => {
  test('that one process sets are seen by itself at once, and by all others a moment later', async () => {
    for (const value of ['one', 'two']) {
      expect(await text(`/set?value=${value}`)).toBe(value)
      let seen: string[] = []
      for (let i = 0; i < 50; i++) {
        seen = await Promise.all(Array.from({ length: 24 }, () => text('/constant')))
        if (seen.every((each) => each === value)) break
        await sleep(50)
      }
      expect(new Set(seen)).toEqual(new Set([value]))
    }
  })
})

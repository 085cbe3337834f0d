/** The variables of templates at a fault. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { readVariables } from '../../../../server/tools/dev/variables.ts'

const folder = mkdtempSync(join(tmpdir(), 'ingot-variables-'))
const file = join(folder, 'site.mjs')
writeFileSync(
  file,
  `export function card(r, item) {
  const shown = { name: item.name, price: 12.5 }
  let text = 'a'
  for (const size of [1, 2]) {
    const big = { toString() { return 'x'.repeat(10000) }, toJSON() { throw new Error('no') } }
    if (size === 2) throw new Error('boom')
  }
  return text
}
export async function page(r, fails) {
  await null
  const items = [{ name: 'Vase' }]
  try { card(r, { name: 'caught' }) } catch {}
  if (fails) return card(r, items[0])
}
`,
)
const url = pathToFileURL(file).href
// The module has exactly these functions.
const site = (await import(url)) as { page(r: object, fails: boolean): Promise<unknown> }
const isEmitted = (script: string): boolean => script === url

test('are read at the last exception, with those of the callers that wait for nothing', async () => {
  const [inner, caller] = await readVariables(() => site.page({}, true), isEmitted)
  const byName = Object.fromEntries(inner?.variables.map(({ name, text }) => [name, text]) ?? [])
  expect(byName).toMatchObject({
    shown: '{"name":"Vase","price":12.5}',
    text: '"a"',
    size: '2',
    item: '{"name":"Vase"}',
  })
  expect(byName['big']).toHaveLength(2000)
  expect(caller?.variables).toContainEqual({ name: 'items', text: '[{"name":"Vase"}]' })
})

test('are read for several pages at once, and nothing is read of a page that does not fail', async () => {
  const failing = [1, 2, 3].map(() => readVariables(() => site.page({}, true), isEmitted))
  for (const frames of await Promise.all(failing)) expect(frames).toHaveLength(2)
  expect(await readVariables(async () => undefined, isEmitted)).toEqual([])
  expect(
    await readVariables(
      () => site.page({}, true),
      () => false,
    ),
  ).toEqual([])
})

test('are not waited for when the page does not end', async () => {
  expect(await readVariables(() => new Promise(() => undefined), isEmitted)).toEqual([])
})

/** The diagram of the project's structure is correct. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ARROWS } from './arrows.ts'
import { product, root, roomOf } from './sources.ts'

/** Returns the rooms that a room may import according to the table, or the rooms that a file between rooms imports. */
function below(room: string): readonly string[] {
  const file = product.find(({ path }) => path === room && ARROWS[room] === undefined)
  return file === undefined
    ? (ARROWS[room] ?? [])
    : file.imports.flatMap((target) => [target, roomOf(target)]).map((target) => target.slice('server/'.length))
}

describe('the picture of the house', () => {
  const drawn = readFileSync(join(root, '.github/house-light.svg'), 'utf8')
  const rooms = [...drawn.matchAll(/data-room="([^"]+)"(?: data-layer="(\d+)")?/g)].map(([, room = '', layer]) => ({
    room,
    layer: layer === undefined ? null : Number(layer),
  }))

  it('is the same by day and by night, colours aside', () => {
    const shapes = (svg: string) => svg.replace(/#[\da-f]{6}\b/g, 'a colour')
    const dark = readFileSync(join(root, '.github/house-dark.svg'), 'utf8')
    expect(shapes(dark)).toBe(shapes(drawn))
    expect(dark).not.toBe(drawn)
    expect(drawn).toMatch(/<title id="title">[^<]+<\/title>\s*<desc id="description">[^<]+<\/desc>/)
    for (const scheme of ['light', 'dark'])
      expect(readFileSync(join(root, '.github/CONTRIBUTING.md'), 'utf8')).toContain(`"house-${scheme}.svg"`)
  })

  it('draws arrows that there are, between rooms that there are', () => {
    const arrows = [...drawn.matchAll(/data-from="([^"]+)" data-to="([^"]+)"/g)].map(([, from = '', to = '']) => ({
      from,
      to,
    }))
    expect(arrows.length).toBeGreaterThan(20)
    const imports = (from: string, to: string) =>
      product.some(
        (file) =>
          (file.path === from || file.path.startsWith(`${from}/`)) &&
          file.imports.some((target) => target === to || target.startsWith(`${to}/`)),
      )
    expect(arrows.filter(({ from, to }) => !imports(from, to))).toEqual([])
    const inServer = arrows.filter(({ from }) => from.startsWith('server/'))
    const names = (to: string) => [to, roomOf(to)].map((each) => each.slice('server/'.length))
    expect(inServer.filter(({ from, to }) => !names(to).some((each) => below(from).includes(each)))).toEqual([])
    const known = new Set(product.flatMap(({ path }) => [path, roomOf(path)]))
    expect(rooms.filter(({ room }) => !known.has(room))).toEqual([])
  })

  it('has each room of the server above all that it may import', () => {
    const layers = new Map(rooms.flatMap(({ room, layer }) => (layer === null ? [] : [[room, layer] as const])))
    expect(layers.size).toBeGreaterThan(20)
    const wrong = [...layers].flatMap(([room, layer]) =>
      below(room)
        .filter((name) => (layers.get(`server/${name}`) ?? Number.POSITIVE_INFINITY) <= layer)
        .map((name) => `${room} → ${name}`),
    )
    expect(wrong).toEqual([])
  })

  it('has the phases of the compiler in their order, with what each hands on', () => {
    const readme = readFileSync(join(root, 'compiler/README.md'), 'utf8')
    const told = [...readme.matchAll(/^\| (\w+) \| `(\w+)\/`[^|]*\| (.+) \|$/gm)]
    expect(rooms.map(({ room }) => room.split('/').at(-1)).slice(0, told.length)).toEqual(
      told.map(([, , folder]) => folder),
    )
    const labels = [...drawn.matchAll(/class="label"[^>]*>([\w.]+(?:\[\])?(?:, \w+)?)</g)].map(
      (found) => found[1] ?? '',
    )
    expect(labels.length).toBe(told.length)
    for (const [at, label] of labels.entries())
      for (const name of label.split(', ')) expect(told[at]?.[3]).toContain(`\`${name}\``)
  })
})

/** Tests the allowed directions of imports between the rooms (folders of modules), using the import lines of their files. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ARROWS, FLOORS, IN_CHECK, PHASES, RUNS_RUNTIME } from './arrows.ts'
import { everything, floorOf, product, root, roomOf, type SourceText, wings } from './sources.ts'

describe('floors', () => {
  it.each(['compiler', 'server'] as const)('of the %s import those below them', (wing) => {
    const height = (path: string) => FLOORS[wing].indexOf(floorOf(path).slice(wing.length + 1))
    const wrong = wings[wing].flatMap(({ path, imports }) =>
      imports
        .filter((target) => target.startsWith(`${wing}/`) && height(target) > height(path))
        .map((target) => `${path} imports ${target}`),
    )
    expect(wrong).toEqual([])
    expect(wings[wing].filter(({ path }) => height(path) < 0).map(({ path }) => path)).toEqual([])
  })
})

describe('arrows', () => {
  it('run down only', () => {
    const wrong = [...wings.compiler, ...wings.server].flatMap(({ path, imports }) => {
      const room = roomOf(path)
      const wing = room.split('/')[0] as string
      const allowed = ARROWS[room]?.map((name) => `${wing}/${name}`)
      if (allowed === undefined) return [`${room} has no row in the table of arrows`]
      const others = imports.filter((target) => target.startsWith(`${wing}/`) && roomOf(target) !== room)
      return others.filter((target) => !allowed.includes(roomOf(target))).map((target) => `${path} imports ${target}`)
    })
    expect([...new Set(wrong)]).toEqual([])
  })

  it('lead from the table down to what stands above it', () => {
    const rooms = Object.keys(ARROWS)
    for (const [at, room] of rooms.entries()) {
      const wing = room.split('/')[0] as string
      for (const below of ARROWS[room] as readonly string[])
        expect(rooms.indexOf(`${wing}/${below}`), `${room} → ${below}`).toBeLessThan(at)
    }
  })

  it('never lead from one phase to another', () => {
    for (const phase of PHASES)
      expect(ARROWS[phase]?.filter((below) => PHASES.includes(`compiler/${below}`))).toEqual([])
  })

  it('lead in the check phase from the rounds to the rules, and never back', () => {
    const wrong = wings.compiler.flatMap(({ path, imports }) => {
      const room = path.split('/').slice(0, 4).join('/')
      const allowed = IN_CHECK[room]
      const inside = imports.filter((target) => target.startsWith('compiler/phases/check/'))
      return allowed === undefined
        ? []
        : inside
            .filter((target) => ![`${room}/`, ...allowed].some((other) => target.startsWith(other)))
            .map((target) => `${path} imports ${target}`)
    })
    expect(wrong).toEqual([])
  })

  it('cross from a wing to the runtime only', () => {
    const crossing = (files: readonly SourceText[], others: readonly string[]) =>
      files.flatMap(({ path, imports }) =>
        imports
          .filter((target) => others.some((wing) => target.startsWith(`${wing}/`)))
          .map((target) => `${path} imports ${target}`),
      )
    expect(crossing(wings.compiler, ['server', 'test'])).toEqual([])
    expect(crossing(wings.server, ['compiler', 'test'])).toEqual([])
    expect(crossing(wings.runtime, ['compiler', 'server', 'test'])).toEqual([])
  })

  it('lead to the runtime from few rooms of the compiler', () => {
    const running = wings.compiler
      .filter(({ imports }) => imports.some((target) => target.startsWith('runtime/')))
      .map(({ path }) => path)
    expect(running.filter((path) => !path.startsWith('compiler/tools/engine/')).toSorted()).toEqual(
      RUNS_RUNTIME.toSorted(),
    )
  })

  it('make no circle, not even of types', () => {
    const imports = new Map(everything.map((file) => [file.path, file.imports]))
    expect(circles(imports)).toEqual([])
  })

  it('make no circle of rooms either, at whatever depth they lie', () => {
    const folders = new Set(product.flatMap(({ path }) => foldersAround(path)))
    const found = [...folders].flatMap((folder) => circles(roomsOf(folder)).map((circle) => `${folder}: ${circle}`))
    expect(found).toEqual([])
  })

  it('of the runtime run from data to page, and none back', () => {
    const storeys = new Set(wings.runtime.map(({ path }) => roomOf(path)))
    expect([...storeys].toSorted()).toEqual(['runtime/data', 'runtime/index.ts', 'runtime/page'])
    const wrong = wings.runtime
      .filter(({ path }) => roomOf(path) !== 'runtime/data')
      .flatMap(({ path, imports }) =>
        imports.filter((target) => roomOf(target) === 'runtime/data').map((target) => `${path} imports ${target}`),
      )
    expect(wrong).toEqual([])
  })

  it('never lead to the index of the own room', () => {
    const own = product.flatMap(({ path, imports }) =>
      imports.filter((target) => target === `${dirname(path)}/index.ts`).map(() => path),
    )
    expect(own).toEqual([])
  })

  it('lead to files that are there', () => {
    const known = new Set([...everything.map(({ path }) => path), 'build.mjs'])
    // The list of files has no texts and no data.
    const isThere = (path: string) =>
      known.has(path) || (/\.(?:md|css|html|json)$/.test(path) && existsSync(join(root, path)))
    const missing = product.flatMap(({ path, imports }) =>
      imports.filter((target) => !isThere(target)).map((target) => `${path} imports ${target}`),
    )
    expect(missing).toEqual([])
  })
})

/** Returns the folders around a file below them: `compiler`, `compiler/phases/check`, … */
function foldersAround(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

/** Returns the files and subfolders of a folder. For each, lists the others in this folder that its code imports. */
function roomsOf(folder: string): ReadonlyMap<string, readonly string[]> {
  const rooms = new Map<string, Set<string>>()
  const below = (path: string) => (path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/')[0] : null)
  for (const { path, imports } of product) {
    const room = below(path)
    if (room === null || room === undefined) continue
    const others = rooms.get(room) ?? new Set()
    rooms.set(room, others)
    for (const target of imports.map(below))
      if (target !== null && target !== undefined && target !== room) others.add(target)
  }
  return new Map([...rooms].map(([room, others]) => [room, [...others]]))
}

/** Returns the groups that import each other, directly or through other groups. */
function circles(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const state = new Map<string, 'open' | 'done'>()
  const found: string[] = []
  const walk = (path: string, above: readonly string[]): void => {
    if (state.get(path) === 'done') return
    if (state.get(path) === 'open') {
      found.push([...above.slice(above.indexOf(path)), path].join(' → '))
      return
    }
    state.set(path, 'open')
    for (const target of imports.get(path) ?? []) walk(target, [...above, path])
    state.set(path, 'done')
  }
  for (const path of imports.keys()) walk(path, [])
  return found
}

/** The files of the project, with their imports. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface SourceText {
  /** Relative to the project's root. */
  readonly path: string
  readonly text: string
  /** The paths of the project's files that this file imports, including imports of types. */
  readonly imports: readonly string[]
  /** The packages and built-in modules that this file imports. */
  readonly packages: readonly string[]
}

const IMPORT = /^\s*(?:import|export)\s(?:[^'"`;]*?\sfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'/gm

function read(folder: string): readonly SourceText[] {
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.(?:ts|mjs)$/.test(path),
  )
  return paths.toSorted().map((below) => {
    const path = `${folder}/${below.replaceAll('\\', '/')}`
    const text = readFileSync(join(root, path), 'utf8')
    const named = [...text.matchAll(IMPORT)].map((found) => found[1] ?? found[2] ?? '')
    const inside = named.filter((name) => name.startsWith('.'))
    return {
      path,
      text,
      imports: inside.map((name) => normalize(join(dirname(path), name))),
      packages: named.filter((name) => !name.startsWith('.')),
    }
  })
}

export const wings = { compiler: read('compiler'), runtime: read('runtime'), server: read('server') } as const
export const product = Object.values(wings).flat()
export const everything = [...product, ...read('test')]

/**
 * Returns the room of a file: `compiler/phases/parse`, `runtime/page`. The commands of the compiler or the server are one room. A file
 * between rooms is a room itself.
 */
export function roomOf(path: string): string {
  const [wing, floor, room] = path.split('/')
  return wing === 'runtime' || room === undefined || floor === 'commands'
    ? `${wing}/${floor}`
    : `${wing}/${floor}/${room}`
}

/** Returns the floor of a file: `compiler/phases`. A file between floors is a floor itself. */
export function floorOf(path: string): string {
  return path.split('/').slice(0, 2).join('/')
}

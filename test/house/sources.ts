/** The files of the project, with what they import. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface SourceText {
  /** From the project's root. */
  readonly path: string
  readonly text: string
  /** Paths of the project's files that it imports, types included. */
  readonly imports: readonly string[]
  /** Packages and built-in modules that it imports. */
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

/** `compiler/phases/parse`, `runtime/page`: a room on a floor. The commands of a wing are one room, and so is a file that is on no floor. */
export function roomOf(path: string): string {
  const [wing, floor, room] = path.split('/')
  return wing === 'runtime' || room === undefined || floor === 'commands'
    ? `${wing}/${floor}`
    : `${wing}/${floor}/${room}`
}

/** `compiler/phases`, or a file that is on no floor. */
export function floorOf(path: string): string {
  return path.split('/').slice(0, 2).join('/')
}

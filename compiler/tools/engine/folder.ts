/** A folder as a source of files. It asks for Node's modules when it is used, so that the library runs without them elsewhere. */
import { classify } from '../../core/source/kinds.ts'
import type { TextFolder } from './source.ts'

export interface FolderOptions {
  /** Endings of the files that are templates, without which they are named too; `.liquid` by default. */
  readonly extensions?: readonly string[]
}

/** Most characters of one file. */
const LONGEST = 16 * 1024 * 1024

/**
 * The templates below a folder: `cards/user.liquid` is `cards/user`, and a file of a site has its path. What a link leads to outside of
 * the folder is no part of it.
 * @throws Error where there is no such folder, or outside of Node
 */
export function folder(path: string, { extensions = ['.liquid'] }: FolderOptions = {}): TextFolder {
  const { fs, paths } = nodeModules()
  const root = fs.realpathSync(path)
  /** Files by the names that templates call them by. */
  const files = new Map<string, string>()
  /** Whether the file really lies below the folder. */
  const isInside = (file: string): boolean => {
    const below = paths.relative(root, fs.realpathSync(file))
    return below !== '' && !below.startsWith('..') && !paths.isAbsolute(below)
  }
  const nameOf = (below: string): string | null => {
    const known = classify(below)
    if (known !== null && !('reason' in known)) return known.kind === 'asset' ? null : below
    const ending = extensions.find((each) => below.endsWith(each) && below.length > each.length)
    return ending === undefined ? null : below.slice(0, -ending.length)
  }
  return {
    names() {
      files.clear()
      for (const entry of fs.readdirSync(root, { recursive: true, withFileTypes: true })) {
        if (entry.isDirectory()) continue
        const file = paths.join(entry.parentPath, entry.name)
        const name = nameOf(paths.relative(root, file).split(paths.sep).join('/'))
        if (name !== null) files.set(name, file)
      }
      return [...files.keys()]
    },
    read(name) {
      const known = files.get(name)
      const tried = known === undefined ? ['', ...extensions].map((each) => paths.resolve(root, name + each)) : [known]
      for (const file of tried) {
        try {
          if (isInside(file) && fs.statSync(file).isFile() && fs.statSync(file).size <= LONGEST)
            return fs.readFileSync(file, 'utf8')
        } catch {
          // There is no such file, or it is gone.
        }
      }
      return null
    },
  }
}

function nodeModules(): { readonly fs: typeof import('node:fs'); readonly paths: typeof import('node:path') } {
  const builtin = typeof process === 'undefined' ? undefined : process.getBuiltinModule
  if (builtin === undefined) throw new Error('a folder can be a source of files in Node only')
  return { fs: builtin('node:fs'), paths: builtin('node:path') }
}

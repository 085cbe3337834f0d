/** A folder as a source of files. It loads Node's modules on first use, so that the library also works outside of Node. */
import { classify } from '../../core/source/kinds.ts'
import type { TextFolder } from './source.ts'

export interface FolderOptions {
  /** Extensions of template files, which can be omitted in names; `.liquid` by default. */
  readonly extensions?: readonly string[]
}

/** Maximum length of a file in characters. */
const MAX_LENGTH = 16 * 1024 * 1024

/**
 * Returns the templates below a folder: `cards/user.liquid` is `cards/user`, and files of a site keep their paths. Links that lead outside
 * of the folder are ignored.
 * @throws Error if the folder does not exist, or outside of Node
 */
export function folder(path: string, { extensions = ['.liquid'] }: FolderOptions = {}): TextFolder {
  const { fs, paths } = nodeModules()
  const root = fs.realpathSync(path)
  /** Files by the names that templates use. */
  const files = new Map<string, string>()
  /** Returns true if the file is really below the folder. */
  const isInside = (file: string): boolean => {
    const relativePath = paths.relative(root, fs.realpathSync(file))
    return relativePath !== '' && !relativePath.startsWith('..') && !paths.isAbsolute(relativePath)
  }
  const nameOf = (relativePath: string): string | null => {
    const known = classify(relativePath)
    if (known !== null && !('reason' in known)) return known.kind === 'asset' ? null : relativePath
    const extension = extensions.find((each) => relativePath.endsWith(each) && relativePath.length > each.length)
    return extension === undefined ? null : relativePath.slice(0, -extension.length)
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
      const candidates =
        known === undefined ? ['', ...extensions].map((each) => paths.resolve(root, name + each)) : [known]
      for (const file of candidates) {
        try {
          if (isInside(file) && fs.statSync(file).isFile() && fs.statSync(file).size <= MAX_LENGTH)
            return fs.readFileSync(file, 'utf8')
        } catch {
          // The file does not exist or was removed.
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

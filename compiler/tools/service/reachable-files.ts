/** Selects the part of a site that a text can reach. Compiling that part takes a moment, while the whole site takes seconds. */
import type { FileKind, SourceFile } from '../../core/source/file.ts'

/** Kinds of files that are reached only by name. */
const REACHED_BY_NAME: ReadonlySet<FileKind> = new Set([
  'layout',
  'partial',
  'form',
  'graphql',
  'authorization_policy',
  'email',
  'sms',
  'api_call',
])
/** Kinds of files that a text cannot reach. */
const UNREACHABLE: ReadonlySet<FileKind> = new Set(['page', 'migration'])
/** The tag whose names are resolved with prefixes from the configuration. */
const SEARCH_PATH_TAG = 'theme_render_rc'

/**
 * Returns the files that a text can name, directly or through other files, and global declarations. Any quoted text counts as a
 * name. Computed
 * names are not followed.
 * @returns all files if a name in the text uses the site's search paths
 */
export function selectReachable(text: string, files: readonly SourceFile[]): readonly SourceFile[] {
  const byName = new Map<string, SourceFile[]>()
  for (const file of files) {
    if (!REACHED_BY_NAME.has(file.kind)) continue
    const name = normalizeName(file.kind === 'layout' ? layoutName(file) : file.name)
    // A query in a folder may be named by its last part.
    for (const each of file.kind === 'graphql' ? [name, name.slice(name.lastIndexOf('/') + 1)] : [name])
      byName.set(each, [...(byName.get(each) ?? []), file])
  }
  const reached = new Set<SourceFile>()
  const texts = [text]
  for (let next = texts.pop(); next !== undefined; next = texts.pop()) {
    if (next.includes(SEARCH_PATH_TAG)) return files
    for (const name of new Set([...next.split(/['"]/), ...bareNames(next)].map(normalizeName)))
      for (const file of byName.get(name) ?? []) {
        if (reached.has(file)) continue
        reached.add(file)
        texts.push(file.text)
      }
  }
  return files.filter((file) => reached.has(file) || !(REACHED_BY_NAME.has(file.kind) || UNREACHABLE.has(file.kind)))
}

/** Names of queries may be written without quotes. */
function bareNames(text: string): readonly string[] {
  return [...text.matchAll(/\bgraphql\s+[^=%\n]+=\s*([\w/-]+)/g)].map(([, name = '']) => name)
}

/** As a partial, a file in the layouts folder is named `layouts/…`. */
function layoutName({ name, module }: SourceFile): string {
  const folder = module === null ? '' : `modules/${module}/`
  return `${folder}layouts/${name.slice(folder.length)}`
}

/** Normalizes a name: a file extension and a leading underscore are optional. */
function normalizeName(name: string): string {
  const at = name.lastIndexOf('/') + 1
  const [first = ''] = name.slice(at).replace(/^_/, '').split('.')
  return name.slice(0, at) + first
}

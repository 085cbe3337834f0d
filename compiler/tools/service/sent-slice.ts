/** The part of a site that a text can reach: to compile it alone takes a moment where all of the site takes seconds. */
import type { FileKind, SourceFile } from '../../core/source/file.ts'

/** Kinds of files that are reached by a name alone. */
const NAMED: ReadonlySet<FileKind> = new Set([
  'layout',
  'partial',
  'form',
  'graphql',
  'authorization_policy',
  'email',
  'sms',
  'api_call',
])
/** Kinds of files that nothing of a text reaches. */
const APART: ReadonlySet<FileKind> = new Set(['page', 'migration'])
/** The tag whose names have prefixes that the configuration lists. */
const SEARCHED = 'theme_render_rc'

/**
 * The files that a text can mean, and those that these mean, with the declarations that hold for all: names stand in quotes, and whatever
 * stands between two quotes counts as one. What is computed is not followed.
 * @returns all files where a name of the text goes by the search paths of the site
 */
export function sliceFor(text: string, files: readonly SourceFile[]): readonly SourceFile[] {
  const byName = new Map<string, SourceFile[]>()
  for (const file of files) {
    if (!NAMED.has(file.kind)) continue
    const name = spelled(file.kind === 'layout' ? layoutName(file) : file.name)
    // A query in a folder may be meant by its last name.
    for (const each of file.kind === 'graphql' ? [name, name.slice(name.lastIndexOf('/') + 1)] : [name])
      byName.set(each, [...(byName.get(each) ?? []), file])
  }
  const reached = new Set<SourceFile>()
  const texts = [text]
  for (let next = texts.pop(); next !== undefined; next = texts.pop()) {
    if (next.includes(SEARCHED)) return files
    for (const name of new Set([...next.split(/['"]/), ...bareNames(next)].map(spelled)))
      for (const file of byName.get(name) ?? []) {
        if (reached.has(file)) continue
        reached.add(file)
        texts.push(file.text)
      }
  }
  return files.filter((file) => reached.has(file) || !(NAMED.has(file.kind) || APART.has(file.kind)))
}

/** Names of queries may stand without quotes. */
function bareNames(text: string): readonly string[] {
  return [...text.matchAll(/\bgraphql\s+[^=%\n]+=\s*([\w/-]+)/g)].map(([, name = '']) => name)
}

/** As a partial: what lies beside a layout is called `layouts/…`. */
function layoutName({ name, module }: SourceFile): string {
  const folder = module === null ? '' : `modules/${module}/`
  return `${folder}layouts/${name.slice(folder.length)}`
}

/** One spelling for all that a name may have: a file's ending and an underscore before it are optional. */
function spelled(name: string): string {
  const at = name.lastIndexOf('/') + 1
  const [first = ''] = name.slice(at).replace(/^_/, '').split('.')
  return name.slice(0, at) + first
}

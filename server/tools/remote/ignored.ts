/** `.posignore` in the folder of a site: the files that are not sent to a server, written as git's own list of ignored files is. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../../core/error-code.ts'
import { StartError } from '../../core/start-error.ts'

const FILE = '.posignore'

interface Rule {
  readonly pattern: RegExp
  /** It takes back what a rule above it leaves out. */
  readonly takesBack: boolean
  readonly foldersOnly: boolean
}

/** Whether a file of a site is left out, by its path with slashes. */
export type IsIgnored = (path: string) => boolean

/** Reads the list of a site; nothing is left out where there is none. @throws StartError where it cannot be read */
export async function readIgnored(dir: string): Promise<IsIgnored> {
  try {
    return ignoredBy(await readFile(join(dir, FILE), 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return () => false
    throw new StartError(`'${FILE}' cannot be read (${error instanceof Error ? error.message : String(error)}).`)
  }
}

/** What a list leaves out. What stands in a folder that is left out cannot be taken back. */
export function ignoredBy(text: string): IsIgnored {
  const rules = text.split(/\r?\n/).flatMap(ruleOf)
  const isOut = (path: string, isFolder: boolean): boolean => {
    const rule = rules.findLast((each) => (isFolder || !each.foldersOnly) && each.pattern.test(path))
    return rule !== undefined && !rule.takesBack
  }
  return (path) => {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
      if (isOut(path.slice(0, at), true)) return true
    return isOut(path, false)
  }
}

/** The rule of a line; none for an empty one and for a comment. */
function ruleOf(line: string): readonly Rule[] {
  const trimmed = line.replace(/(?<!\\)[ \t]+$/, '')
  if (trimmed === '' || trimmed.startsWith('#')) return []
  const takesBack = trimmed.startsWith('!')
  const written = takesBack ? trimmed.slice(1) : trimmed
  const foldersOnly = written.endsWith('/')
  const glob = foldersOnly ? written.slice(0, -1) : written
  // A slash before the end ties it to the folder of the site.
  const isTied = glob.includes('/')
  const source = sourceOf(glob.replace(/^\//, ''))
  return [{ pattern: new RegExp(`^${isTied ? '' : '(?:.*/)?'}${source}$`, 'su'), takesBack, foldersOnly }]
}

const PARTS = /\\.|\*\*\/|\/\*\*$|\*+|\?|\[!?\]?[^\]/]*\]|[^\\*?[/]+|[\\[/]/gsu

/** A glob as the source of a regular expression. */
function sourceOf(glob: string): string {
  return glob.replace(PARTS, (part) => {
    if (part === '**/') return '(?:.*/)?'
    if (part === '/**') return '/.*'
    if (part.startsWith('*')) return '[^/]*'
    if (part === '?') return '[^/]'
    if (part.length > 2 && part.startsWith('[')) return classOf(part)
    return plain(part.length === 2 && part.startsWith('\\') ? part.slice(1) : part)
  })
}

/** `[a-z]`, `[!a-z]` */
function classOf(part: string): string {
  const isOther = part.startsWith('[!')
  const inside = part.slice(isOther ? 2 : 1, -1).replace(/[\\\]^[&]/g, '\\$&')
  return `(?!/)[${isOther ? '^' : ''}${inside}]`
}

function plain(text: string): string {
  return text.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&')
}

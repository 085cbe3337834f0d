/** Reads `.posignore` in the folder of a site: patterns of files that are not sent to a server, in the syntax of `.gitignore`. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCodeOf } from '../../core/error-code.ts'
import { StartError } from '../../core/start-error.ts'

const FILE_NAME = '.posignore'

interface Rule {
  readonly pattern: RegExp
  /** Whether it includes files again that an earlier rule excludes. */
  readonly isNegated: boolean
  readonly foldersOnly: boolean
}

/** Returns whether a file of a site is excluded, by its path with slashes. */
export type IsIgnored = (path: string) => boolean

/** Reads the patterns of a site; without the file, nothing is excluded. @throws StartError when it cannot be read */
export async function readIgnored(dir: string): Promise<IsIgnored> {
  try {
    return parseIgnored(await readFile(join(dir, FILE_NAME), 'utf8'))
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return () => false
    throw new StartError(`'${FILE_NAME}' cannot be read (${error instanceof Error ? error.message : String(error)}).`)
  }
}

/** Parses patterns. A file in an excluded folder cannot be included again. @internal Exported for tests. */
export function parseIgnored(text: string): IsIgnored {
  const rules = text.split(/\r?\n/).flatMap(parseRule)
  const isOut = (path: string, isFolder: boolean): boolean => {
    const rule = rules.findLast((each) => (isFolder || !each.foldersOnly) && each.pattern.test(path))
    return rule !== undefined && !rule.isNegated
  }
  return (path) => {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
      if (isOut(path.slice(0, at), true)) return true
    return isOut(path, false)
  }
}

/** Parses a line; returns no rule for an empty line or a comment. */
function parseRule(line: string): readonly Rule[] {
  const trimmed = line.replace(/(?<!\\)[ \t]+$/, '')
  if (trimmed === '' || trimmed.startsWith('#')) return []
  const isNegated = trimmed.startsWith('!')
  const writtenText = isNegated ? trimmed.slice(1) : trimmed
  const foldersOnly = writtenText.endsWith('/')
  const glob = foldersOnly ? writtenText.slice(0, -1) : writtenText
  // A slash other than the last character anchors the pattern to the site's folder.
  const isAnchored = glob.includes('/')
  const source = globToRegExp(glob.replace(/^\//, ''))
  return [{ pattern: new RegExp(`^${isAnchored ? '' : '(?:.*/)?'}${source}$`, 'su'), isNegated, foldersOnly }]
}

const PARTS = /\\.|\*\*\/|\/\*\*$|\*+|\?|\[!?\]?[^\]/]*\]|[^\\*?[/]+|[\\[/]/gsu

/** Converts a glob to the source of a regular expression. */
function globToRegExp(glob: string): string {
  return glob.replace(PARTS, (part) => {
    if (part === '**/') return '(?:.*/)?'
    if (part === '/**') return '/.*'
    if (part.startsWith('*')) return '[^/]*'
    if (part === '?') return '[^/]'
    if (part.length > 2 && part.startsWith('[')) return convertClass(part)
    return escapeRegExp(part.length === 2 && part.startsWith('\\') ? part.slice(1) : part)
  })
}

/** Converts a character class: `[a-z]` or `[!a-z]`. */
function convertClass(part: string): string {
  const isOther = part.startsWith('[!')
  const inside = part.slice(isOther ? 2 : 1, -1).replace(/[\\\]^[&]/g, '\\$&')
  return `(?!/)[${isOther ? '^' : ''}${inside}]`
}

function escapeRegExp(text: string): string {
  return text.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&')
}

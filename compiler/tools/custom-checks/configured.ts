/**
 * Finds out whether a site can have custom checks. Every `ingot check` asks, so this reads at most a small file, and loads no other code of
 * this folder.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SourceFile } from '../../core/source/file.ts'

/** Packages with checks, by their names: `platformos-check-a` and `@acme/platformos-check-a`. */
const PACKAGE = /^(?:@[^/]+\/)?platformos-check-[^/]+$/
/** The packages of the service's own checker, which have such names but no custom checks. */
const OWN_PACKAGE = /^(?:@platformos\/platformos-check-(?:node|common|browser|docs-updater)|platformos-check-vscode)$/

/** A list of modules, or the name of a file with further settings. `extends: platformos-check:recommended` is neither. */
const MODULES = /^["']?require["']?[ \t]*:|\.ya?ml\b/m

/** Returns whether the settings of checks, or the packages of the site, can name a module with checks. */
export function canHaveCustomChecks(root: string, files: readonly SourceFile[]): boolean {
  const settings = files.find(({ kind }) => kind === 'lint_config')
  if (settings === undefined) return false
  return MODULES.test(settings.text) || checkPackages(root).length > 0
}

/** Returns the names of the packages with checks on which the site depends. Without a readable package.json there are none. */
export function checkPackages(root: string): readonly string[] {
  for (let folder = root; ; folder = dirname(folder)) {
    const text = readText(join(folder, 'package.json'))
    if (text !== null) return dependenciesIn(text).filter((name) => PACKAGE.test(name) && !OWN_PACKAGE.test(name))
    if (dirname(folder) === folder || existsSync(join(folder, '.git'))) return []
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Most sites have no package.json of their own.
    return null
  }
}

/** Returns all names in the lists of dependencies. npm reports mistakes in the file. */
function dependenciesIn(text: string): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(text)
    const lists = ['dependencies', 'devDependencies', 'optionalDependencies'].map((list) => partOf(parsed, list))
    return [...new Set(lists.flatMap((list) => (typeof list === 'object' && list !== null ? Object.keys(list) : [])))]
  } catch {
    return []
  }
}

function partOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

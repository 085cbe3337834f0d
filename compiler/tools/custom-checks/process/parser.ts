/** The parser of templates for checks. It is a package that the author installs, so Ingot uses the version for which the checks are written. */
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The name of the package. */
export const PARSER = '@platformos/liquid-html-parser'

export interface Parser {
  readonly toLiquidHtmlAST: (source: string) => object
  /** Properties of nodes that lead to other parts of the tree. */
  readonly nonTraversableProperties?: ReadonlySet<string>
}

/**
 * Loads the parser that a module with checks uses, or that of the site.
 * @param path of the module
 * @param root of the site
 * @returns null if it is not installed
 */
export function loadParser(path: string, root: string): Parser | null {
  for (const from of [path, join(root, 'a.js')]) {
    const require = createRequire(from)
    let found: string
    try {
      found = require.resolve(PARSER)
    } catch {
      continue
    }
    return require(found) as Parser
  }
  return null
}

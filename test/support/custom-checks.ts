/** Writes sites with custom checks. The parser of templates is the real package. */
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { root, write } from './product.ts'

/** Makes the package that parses templates available to the modules in a folder. */
export function installParser(folder: string): void {
  mkdirSync(join(folder, 'node_modules/@platformos'), { recursive: true })
  const name = 'node_modules/@platformos/liquid-html-parser'
  symlinkSync(join(root, name), join(folder, name), 'junction')
}

/** Writes the files of a site, and the package that parses templates. */
export function writeSite(folder: string, files: Readonly<Record<string, string>>): string {
  write(folder, files)
  installParser(folder)
  return folder
}

/** Returns the text of a CommonJS module with one check. @param body the functions of its visitor, in which `context` is known */
export function moduleWith(code: string, body: string, type = 'LiquidHtml', meta = ''): string {
  return `exports.checks = [{
  meta: { code: '${code}', name: '${code}', docs: { description: 'x' }, type: '${type}', severity: 0, schema: {}, targets: [], ${meta} },
  create: (context) => ({ ${body} }),
}]
`
}

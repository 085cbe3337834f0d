// Compiles the studio, the site at `/_ingot`, with the compiler that was just built.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What the server needs of the built site. The rest is for reviewers and for error pages. */
const NEEDED = new Set(['manifest.json', 'site.mjs', 'assets'])

/**
 * Builds `server/tools/studio/site` into `studio/`.
 * @param {object} made
 * @param {typeof import('esbuild').transformSync} made.transform
 * @param {string} made.root the project's folder
 * @param {string} made.next the folder that becomes dist/
 * @throws Error with the compiler's report when the studio has errors or warnings
 */
export function addStudio({ transform, root, next }) {
  const site = join(root, 'server', 'tools', 'studio', 'site')
  const out = join(next, 'studio')
  const compiler = pathToFileURL(join(next, 'compiler.mjs')).href
  const program = `const { main } = await import(${JSON.stringify(compiler)}); process.exitCode = await main(${JSON.stringify(['build', site, '--out', out])})`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The studio does not build.\n${stdout}${stderr}`)
  for (const name of readdirSync(out)) if (!NEEDED.has(name)) rmSync(join(out, name), { recursive: true })
  const script = join(out, 'site.mjs')
  const { code } = transform(readFileSync(script, 'utf8'), {
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
  })
  writeFileSync(script, code)
}

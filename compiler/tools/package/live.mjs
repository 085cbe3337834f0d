// Bundles and compresses the script of open pages of `ingot dev`.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/**
 * Writes the bundle to `live.js.gz`.
 * @param {object} made
 * @param {typeof import('esbuild').build} made.bundle
 * @param {string} made.root the project's folder
 * @param {string} made.next the folder that becomes dist/
 * @returns {Promise<import('esbuild').Metafile>}
 */
export async function addLiveScript({ bundle, root, next }) {
  const outfile = join(next, 'live.js')
  const { metafile } = await bundle({
    absWorkingDir: root,
    entryPoints: [join(root, 'server', 'tools', 'dev', 'live', 'page.mjs')],
    outfile,
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    preserveSymlinks: true,
    metafile: true,
    legalComments: 'none',
    logLevel: 'error',
  })
  writeFileSync(`${outfile}.gz`, gzipSync(readFileSync(outfile), { level: 9 }))
  rmSync(outfile)
  return metafile
}

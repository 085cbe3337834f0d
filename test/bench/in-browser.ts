/** Runs the same workloads in Chromium, if it is installed: the bundle for browsers, compared with liquidjs in the browser. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'
import { browserProgram } from '../browser/program.ts'
import { median } from './measure.ts'
import { loadWorkload } from './workloads.ts'

/** The type of the function `inPage` that runs in the page. */
type InPage = (workload: unknown, rounds: number, seconds: number) => readonly number[]

/** Returns Ingot's speed divided by that of liquidjs, by workload; null without Chromium. */
export async function ratiosInBrowser(
  names: readonly string[],
  rounds: number,
  seconds: number,
): Promise<ReadonlyMap<string, number> | null> {
  const program = browserProgram()
  const bundle = resolve('dist/browser/ingot.mjs')
  if (program === null || !existsSync(bundle)) return null
  const { outputFiles } = await build({
    entryPoints: ['test/bench/in-page.ts'],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'error',
    plugins: [
      {
        name: 'the-bundle',
        setup(made) {
          made.onResolve({ filter: /compiler\/tools\/engine\.ts$/ }, () => ({ path: bundle }))
        },
      },
    ],
  })
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const page = await browser.newPage()
    await page.addScriptTag({ content: outputFiles[0]?.text ?? '' })
    const ratios = new Map<string, number>()
    for (const name of names) {
      const { files, entry, data } = await loadWorkload(name)
      const found = await page.evaluate(
        ({ workload, turns, time }) =>
          (globalThis as unknown as { readonly inPage: InPage }).inPage(workload, turns, time),
        { workload: { files, entry, data }, turns: rounds, time: seconds },
      )
      ratios.set(name, median(found))
    }
    return ratios
  } finally {
    await browser.close()
  }
}

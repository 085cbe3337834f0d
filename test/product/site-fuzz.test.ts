/**
 * Tests randomly generated sites. A site that compiles, even with errors and `--keep-going`, must bundle, pass `tsc`, and print the same
 * in all ways of rendering. No value may be printed as markup.
 *
 * Each site is generated from a number, so all runs test the same sites. For other sites, INGOT_FUZZ sets their count and INGOT_FUZZ_SEED
 * the number of the first one:
 *
 *     INGOT_FUZZ=20000 INGOT_FUZZ_SEED=100000 npm test -- test/product/site-fuzz.test.ts
 *
 * A failure prints the number of the site and the smallest site that still fails. INGOT_FUZZ=1 with this number as the seed repeats it.
 */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'
import { compileOrProblem, type Problem, findProblem } from '../support/fuzz/examine.ts'
import { makeSite } from '../support/fuzz/make-site.ts'
import { shrinkSite } from '../support/fuzz/shrink.ts'
import { type MadeSite, textsOf } from '../support/fuzz/site.ts'
import type { Findings } from '../support/fuzz/worker.ts'
import { TypeCheck } from '../support/type-check.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const byHand = process.env['INGOT_FUZZ'] !== undefined
const count = Number(process.env['INGOT_FUZZ'] ?? 160)
const first = Number(process.env['INGOT_FUZZ_SEED'] ?? 1)

/** Number of sites in one program of `tsc`: as many as fit into its memory. */
const PROGRAM = 2_000

/** Number of processes that examine sites at the same time. Each process is slow for the first few dozen sites. */
const WORKERS = byHand ? 2 : 1

/** Maximum number of failing sites that are reduced and shown. */
const SHOWN = 3

describe('made-up sites', () => {
  const failures: Findings['failures'] = []
  const refused = new Map<number, string>()
  const counts = { accepted: 0, refused: 0 }

  beforeAll(
    async () => {
      const worker = await workerScript()
      for (let from = first; from < first + count; from += PROGRAM) {
        const check = new TypeCheck()
        try {
          const end = Math.min(from + PROGRAM, first + count)
          const starts = Array.from({ length: WORKERS }, (_, at) => from + at)
          const all = await Promise.all(starts.map((start) => worked(worker, start, end, check.folder)))
          for (const found of all) {
            failures.push(...found.failures)
            counts.accepted += found.accepted
            counts.refused += found.refused
          }
          for (const line of await check.errors()) {
            const seed = Number.parseInt(line, 10)
            if (!refused.has(seed)) refused.set(seed, line)
          }
        } finally {
          check.close()
        }
      }
    },
    byHand ? 7_200_000 : 600_000,
  )

  it('print the same by all ways, and no value as markup', async () => {
    const shown: string[] = []
    for (const { seed, problem } of failures.slice(0, SHOWN)) {
      const small = await shrinkSite(makeSite(seed), (candidates) => alike(candidates, problem), 60)
      const left = (await examined(small)) ?? problem
      shown.push(described(seed, small, `${left.rule}: ${left.words}`))
    }
    expect(shown.join('\n\n'), `${failures.length} of ${count} sites from ${first} on`).toBe('')
  }, 600_000)

  it('pass the strict type check', async () => {
    const shown: string[] = []
    for (const [seed, line] of [...refused].slice(0, SHOWN)) {
      const code = /TS\d+/.exec(line)?.[0] ?? line
      const small = await shrinkSite(makeSite(seed), (candidates) => refusedBy(code, candidates), 25)
      shown.push(described(seed, small, line))
    }
    expect(shown.join('\n\n'), `${refused.size} of ${count} sites from ${first} on`).toBe('')
  }, 600_000)

  it.runIf(count >= 160)('are mostly accepted, and some are not', () => {
    // A third of the sites have an error, because they read the result of a function that never returns.
    expect(counts.accepted).toBeGreaterThan(count * 0.5)
    expect(counts.refused).toBeGreaterThan(count * 0.02)
  })
})

/** Compiles the worker to plain JavaScript, because the code of this process is instrumented and runs three times slower. */
async function workerScript(): Promise<string> {
  const outfile = `${root}node_modules/.ingot-fuzz/worker.mjs`
  await build({
    entryPoints: [`${root}test/support/fuzz/worker.ts`],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'error',
  })
  return outfile
}

async function worked(script: string, start: number, end: number, folder: string): Promise<Findings> {
  const given = [start, end, WORKERS, folder, byHand ? 'thorough' : ''].map(String)
  const child = spawn(process.execPath, ['--enable-source-maps', script, ...given], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return JSON.parse(await text(child.stdout)) as Findings
}

/** Returns the first rule that a site breaks, or null. */
async function examined(site: MadeSite): Promise<Problem | null> {
  const compiled = compileOrProblem(site)
  return 'rule' in compiled ? compiled : findProblem(site, compiled, true)
}

/** Returns the first of the sites that fails in the same way as another one. */
async function alike(candidates: readonly MadeSite[], problem: Problem): Promise<MadeSite | null> {
  for (const each of candidates) {
    const found = await examined(each)
    if (found !== null && kindOf(found) === kindOf(problem)) return each
  }
  return null
}

/** Returns the part of a problem that is the same for a smaller site. */
function kindOf({ rule, words }: Problem): string {
  const lines = words
    .replace(/^\S+/, '')
    .replace(/[\d$]+/g, '')
    .split('\n')
  return [rule, ...lines.slice(0, 3).map((line) => line.slice(0, 45))].join('\n')
}

/** Returns the first of the sites in which `tsc` reports an error with this code. */
async function refusedBy(code: string, candidates: readonly MadeSite[]): Promise<MadeSite | null> {
  const check = new TypeCheck()
  const some = candidates.slice(0, 150)
  try {
    for (const [at, each] of some.entries()) {
      const compiled = compileOrProblem(each)
      if (!('rule' in compiled)) await check.add(`${at}`, compiled)
    }
    const found = (await check.errors()).filter((line) => line.includes(code)).map((line) => Number.parseInt(line, 10))
    return some[Math.min(...found)] ?? null
  } finally {
    check.close()
  }
}

function described(seed: number, site: MadeSite, words: string): string {
  const files = Object.entries(textsOf(site)).filter(([path]) => path.endsWith('.liquid'))
  return `site ${seed}: ${words}\n${files.map(([path, text]) => `--- file ${path}\n${text}`).join('\n')}`
}

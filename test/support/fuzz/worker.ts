/** A process that checks generated sites: `worker.mjs FIRST END STEP FOLDER [thorough]`. It prints its findings as one line of JSON. */
import type { Compiled } from '../../../compiler/compile.ts'
import { TypeCheck } from '../type-check.ts'
import { compileOrProblem, type Problem, findProblem } from './examine.ts'
import { makeSite } from './make-site.ts'

export interface Findings {
  readonly failures: { readonly seed: number; readonly problem: Problem }[]
  /** Number of sites without errors. */
  accepted: number
  /** Number of sites with errors. */
  refused: number
}

const [first, end, step, folder, manner] = process.argv.slice(2)
const check = new TypeCheck(folder)
const findings: Findings = { failures: [], accepted: 0, refused: 0 }
for (let seed = Number(first); seed < Number(end); seed += Number(step)) {
  const site = makeSite(seed)
  const compiled: Compiled | Problem = compileOrProblem(site)
  if ('rule' in compiled) {
    findings.failures.push({ seed, problem: compiled })
    continue
  }
  const problem = await findProblem(site, compiled, manner === 'thorough')
  if (problem !== null) findings.failures.push({ seed, problem })
  findings[compiled.diagnostics.some(({ severity }) => severity === 'error') ? 'refused' : 'accepted']++
  await check.add(`${seed}`, compiled)
}
process.stdout.write(`${JSON.stringify(findings)}\n`)

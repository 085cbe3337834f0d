/** Runs the checks on the files, one after the other, so that it is known at any time which one runs. */
import type { Answer, CheckRequest, RunningPlace, StartPlace } from '../messages.ts'
import { ContextFactory } from './context.ts'
import { describeError } from './errors.ts'
import { loadModule } from './load-module.ts'
import type { EnabledCheck } from './enabled-check.ts'
import { Site, type SiteFile } from './site.ts'
import { visitTree } from './visit.ts'

export interface Output {
  readonly answer: (answer: Answer) => void
  readonly enter: (place: RunningPlace) => void
}

/** Maximum number of findings of one check. One that reports more is stopped. */
const MAX_FINDINGS = 10_000

export class Checker {
  readonly #request: CheckRequest
  readonly #output: Output
  readonly #site: Site
  readonly #findingCounts = new Map<string, number>()
  readonly #stopped = new Set<string>()

  constructor(request: CheckRequest, output: Output) {
    this.#request = request
    this.#output = output
    this.#site = new Site(request)
  }

  /** Loads the modules, and visits the files. */
  async run({ withoutModules, withoutChecks, file: firstFile, check: firstCheck }: StartPlace): Promise<void> {
    const checks: EnabledCheck[] = []
    for (const [module, reference] of this.#request.modules.entries()) {
      if (withoutModules.includes(module)) continue
      this.#output.enter({ module, file: null, check: null, code: null })
      const loaded = await loadModule(reference, module, this.#request, this.#output.answer)
      // One module may be named twice.
      checks.push(...loaded.filter((each) => !checks.some(({ definition }) => definition === each.definition)))
    }
    for (const code of withoutChecks) this.#stopped.add(code)
    const contexts = new ContextFactory(this.#request, this.#site)
    for (const [position, index] of this.#request.visited.entries()) {
      const file = this.#site.files[index]
      if (position < firstFile || file === undefined) continue
      for (const [at, check] of checks.entries()) {
        if (position === firstFile && at < firstCheck) continue
        if (check.type !== file.type || this.#stopped.has(check.code) || check.ignores(file.relativePath)) continue
        this.#output.enter({ module: check.module, file: position, check: at, code: check.code })
        try {
          await this.#runCheck(check, file, index, contexts)
        } catch (error) {
          this.reportThrown(check.code, index, error)
        }
      }
      this.#site.forgetTrees()
    }
    this.#output.answer({ kind: 'done' })
  }

  reportThrown(check: string, file: number, error: unknown): void {
    this.#output.answer({ kind: 'thrown', check, file, reason: describeError(error) })
  }

  async #runCheck(check: EnabledCheck, file: SiteFile, index: number, contexts: ContextFactory): Promise<void> {
    const report = (finding: Extract<Answer, { kind: 'finding' }>): void => {
      const count = (this.#findingCounts.get(check.code) ?? 0) + 1
      this.#findingCounts.set(check.code, count)
      if (count <= MAX_FINDINGS) return this.#output.answer(finding)
      this.#stopped.add(check.code)
      throw new Error(`it has reported ${MAX_FINDINGS.toLocaleString('en-US')} findings, and is stopped`)
    }
    const read = (): unknown => file.readTree(check.parser)
    const visitor = check.definition.create(contexts.contextFor(check, file, index, report, read))
    if (typeof visitor !== 'object' || visitor === null)
      throw new Error('its function `create` must return an object with functions')
    await visitTree(visitor as Record<string, unknown>, contexts.viewOf(file, read), check.parser)
  }
}

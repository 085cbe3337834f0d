/** Emitted modules that can be replaced one by one. A module is evaluated when it is first called. */
import { liveModule } from '../../phases/emit/live-module.ts'
import { MANIFEST } from '../../phases/emit/manifest.ts'
import { print } from '../../phases/emit/print.ts'
import { give, run, string } from '../../core/model/code.ts'
import type { Module } from '../../core/model/module.ts'
import type { Printed } from '../../core/model/printed.ts'
import type * as runtime from '../../../runtime/index.ts'
import { type HostFunctions, type HostRuntime, hostRuntime, lineIn, type Locator } from './evaluate.ts'

type Exports = Readonly<Record<string, unknown>>
type LiveModule = (namespace: HostRuntime, modules: Readonly<Record<string, Exports>>) => Exports

let sites = 0

export class LiveSite {
  readonly #runtime: HostRuntime
  readonly #url = `ingot:live-${++sites}`
  readonly #modules = new Map<string, Module>()
  readonly #exports: Record<string, Exports> = Object.create(null)
  /** Source marks of the printed modules, by the number in their URL. */
  readonly #printed: Printed['marks'][] = []

  constructor(host: HostFunctions) {
    this.#runtime = hostRuntime(host)
  }

  /** Takes the new modules. Returns the site, and the number of modules that changed. */
  update(modules: readonly Module[]): { readonly site: runtime.CompiledSite; readonly changedCount: number } {
    const changedModules = modules.filter((module) => this.#modules.get(module.path) !== module)
    const paths = new Set(modules.map(({ path }) => path))
    for (const path of this.#modules.keys()) {
      if (paths.has(path)) continue
      this.#modules.delete(path)
      delete this.#exports[path]
    }
    for (const module of changedModules) {
      this.#modules.set(module.path, module)
      this.#exportLater(module)
    }
    // The generated manifest has only this export.
    const manifest = this.#exports[MANIFEST] as { readonly site: runtime.CompiledSite } | undefined
    if (manifest === undefined) throw new Error('the compiled site has no manifest')
    return { site: manifest.site, changedCount: changedModules.filter(({ source }) => source !== null).length }
  }

  /** Returns the locator for stack frames of this site's code. */
  locator(): Locator {
    return {
      url: this.#url,
      spanAt: (file, line) => {
        const marks = this.#printed[file]
        return marks === undefined ? null : lineIn(marks, line)
      },
    }
  }

  #exportLater(module: Module): void {
    Object.defineProperty(this.#exports, module.path, {
      configurable: true,
      enumerable: true,
      get: () => {
        const value = this.#evaluate(module)
        Object.defineProperty(this.#exports, module.path, { value, configurable: true, enumerable: true })
        return value
      },
    })
  }

  #evaluate(module: Module): Exports {
    const { text, marks } = print([run(string('use strict')), give(liveModule(module))], 'javascript')
    const url = `${this.#url}-${this.#printed.push(marks) - 1}`
    // The generated text defines a function of the runtime and the other modules.
    const make = new Function(`${text}\n//# sourceURL=${url}`)() as LiveModule
    return make(this.#runtime, this.#exports)
  }
}

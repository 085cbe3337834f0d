/** Emitted modules as functions of this process, and the places in templates that their lines come from. */
import { oneScope } from '../../phases/emit/one-scope.ts'
import { print } from '../../phases/emit/print.ts'
import { asPrinted, give, ident, run, string } from '../../core/model/code.ts'
import type { Printed } from '../../core/model/printed.ts'
import type { Module } from '../../core/model/module.ts'
import type { Span } from '../../core/source/span.ts'
import * as runtime from '../../../runtime/index.ts'

/** What the host gives to emitted code, by the names that it has there. */
export type HostFunctions = Readonly<Record<string, unknown>>
export type HostRuntime = typeof runtime & { readonly host: HostFunctions }

/** Finds the places in templates that lines of evaluated code come from. */
export interface Locator {
  /** What the names of the evaluated files begin with in a stack. */
  readonly url: string
  /** `file`: the number behind the URL, 0 where there is none. `line` is 1-based. */
  readonly spanAt: (file: number, line: number) => Span | null
}

export interface EvaluatedSite {
  readonly site: runtime.CompiledSite
  readonly locator: Locator
}

/** The runtime for values of a host, and what the host gives. */
export function hostRuntime(host: HostFunctions): HostRuntime {
  return { ...runtime, fields: runtime.hostFields, host }
}

let evaluations = 0

/** All modules in one function: their faces have names of their own, so none needs to import another. */
export function evaluate(modules: readonly Module[], host: HostFunctions): EvaluatedSite {
  const url = `ingot:engine-${++evaluations}`
  const statements = [
    run(string('use strict')),
    ...oneScope(modules, 'runtime', 'javascript').map(asPrinted),
    give(ident('site')),
  ]
  const { text, marks } = print(statements, 'javascript')
  const make = new Function('runtime', `${text}\n//# sourceURL=${url}`) as (
    namespace: HostRuntime,
  ) => runtime.CompiledSite
  return { site: make(hostRuntime(host)), locator: { url, spanAt: (_file, line) => lineIn(marks, line) } }
}

/** The place that a 1-based line of code in `new Function` comes from. */
export function lineIn(marks: Printed['marks'], line: number): Span | null {
  // Two lines are put in front, and the first has the number 1.
  return marks.findLast((each) => each.line <= line - 3)?.span ?? null
}

/** Sets the fault's file, line and frames from its JavaScript stack, as far as that tells them. */
export function locate(
  fault: runtime.LiquidFault,
  { url, spanAt }: Locator,
  placeOf: (span: Span) => runtime.Frame,
): void {
  const source = fault.cause instanceof Error ? fault.cause : fault
  const frames: runtime.Frame[] = []
  for (const found of (source.stack ?? '').matchAll(/(ingot:[a-z]+-\d+)(?:-(\d+))?:(\d+):\d+\)?$/gm)) {
    const span = found[1] === url ? spanAt(Number(found[2] ?? 0), Number(found[3])) : null
    if (span === null) continue
    const { file, line } = placeOf(span)
    frames.push({ file, line })
  }
  const [first] = frames
  if (fault.file === null && first !== undefined) {
    fault.file = first.file
    fault.line = first.line
  }
  if (fault.frames.length === 0) fault.frames = frames
}

/** Turns emitted modules into functions of this process, and maps their lines to template positions. */
import { oneScope } from '../../phases/emit/one-scope.ts'
import { print } from '../../phases/emit/print.ts'
import { asPrinted, give, ident, run, string } from '../../core/model/code.ts'
import type { Printed } from '../../core/model/printed.ts'
import type { Module } from '../../core/model/module.ts'
import type { Span } from '../../core/source/span.ts'
import * as runtime from '../../../runtime/index.ts'

/** Functions and values of the host for emitted code, by their names there. */
export type HostFunctions = Readonly<Record<string, unknown>>
export type HostRuntime = typeof runtime & { readonly host: HostFunctions }

/** Finds the template position of a line of evaluated code. */
export interface Locator {
  /** The prefix of evaluated file names in a stack trace. */
  readonly url: string
  /** Returns the template span of a line. `file` is the number after the URL, or 0. `line` is 1-based. */
  readonly spanAt: (file: number, line: number) => Span | null
}

export interface EvaluatedSite {
  readonly site: runtime.CompiledSite
  readonly locator: Locator
}

/** The runtime of engines. It is made on first use, and all engines inherit from it, because it has hundreds of names. */
let engineRuntime: typeof runtime | null = null

/** Returns the runtime, with the functions of the host. */
export function hostRuntime(host: HostFunctions): HostRuntime {
  engineRuntime ??= { ...runtime, fields: runtime.hostFields }
  // `Object.create` loses the type of the prototype.
  return Object.assign(Object.create(engineRuntime) as typeof runtime, { host })
}

let evaluations = 0

/** Evaluates all modules in one function. Exported names are unique, so modules need no imports. */
export function evaluate(modules: readonly Module[], host: HostFunctions): EvaluatedSite {
  const url = `ingot:engine-${++evaluations}`
  const statements = [
    run(string('use strict')),
    ...oneScope(modules, 'runtime', 'javascript').map(asPrinted),
    give(ident('site')),
  ]
  const { text, marks } = print(statements, 'javascript')
  // The generated text defines a function of the runtime that returns a site.
  const make = new Function('runtime', `${text}\n//# sourceURL=${url}`) as (
    namespace: HostRuntime,
  ) => runtime.CompiledSite
  return { site: make(hostRuntime(host)), locator: { url, spanAt: (_file, line) => lineIn(marks, line) } }
}

/** Returns the template position of a 1-based line of code in `new Function`. */
export function lineIn(marks: Printed['marks'], line: number): Span | null {
  // `new Function` adds two lines, and line numbers start at 1.
  return marks.findLast((each) => each.line <= line - 3)?.span ?? null
}

/** Sets the fault's file, line and frames from its JavaScript stack, where known. */
export function locate(
  fault: runtime.LiquidFault,
  { url, spanAt }: Locator,
  placeOf: (span: Span) => runtime.Frame,
): void {
  const source = fault.cause instanceof Error ? fault.cause : fault
  const frames: runtime.Frame[] = []
  for (const match of (source.stack ?? '').matchAll(/(ingot:[a-z]+-\d+)(?:-(\d+))?:(\d+):\d+\)?$/gm)) {
    const span = match[1] === url ? spanAt(Number(match[2] ?? 0), Number(match[3])) : null
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

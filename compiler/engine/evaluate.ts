/** Emitted modules as functions of this process, and the places in templates that their lines come from. */
import { oneScope } from '../emit/one-scope.ts'
import { print } from '../emit/print.ts'
import { placesOf } from '../emit/source-map.ts'
import { asPrinted, give, ident, run, string } from '../model/code.ts'
import type { Module } from '../model/module.ts'
import type { SourceFile } from '../source/file.ts'
import * as runtime from '../../runtime/index.ts'

export interface EvaluatedSite {
  readonly site: runtime.CompiledSite
  /** Sets the fault's file, line and frames from its JavaScript stack, as far as that tells them. */
  readonly locate: (fault: runtime.LiquidFault) => void
}

let evaluations = 0

/** All modules in one function, with the runtime and the functions of the `host`: their faces have names of their own, so none needs to import another. */
export function evaluate(
  modules: readonly Module[],
  files: readonly SourceFile[],
  host: Readonly<Record<string, unknown>>,
): EvaluatedSite {
  const url = `ingot:engine-${++evaluations}`
  const statements = [
    run(string('use strict')),
    ...oneScope(modules, 'runtime', 'javascript').map(asPrinted),
    give(ident('site')),
  ]
  const { text, marks } = print(statements, 'javascript')
  const make = new Function('runtime', `${text}\n//# sourceURL=${url}`) as (
    namespace: typeof runtime & { readonly host: Readonly<Record<string, unknown>> },
  ) => runtime.CompiledSite
  const placeOf = placesOf(files)
  const frameAt = (line: number): runtime.Frame | null => {
    // `new Function` puts two lines in front, and the first has the number 1.
    const mark = marks.findLast((each) => each.line <= line - 3)
    return mark?.span == null ? null : placeOf(mark.span)
  }
  return {
    site: make({ ...runtime, host }),
    locate: (fault) => locate(fault, framesIn(fault, url, frameAt)),
  }
}

/** The places of the templates that stand in the fault's JavaScript stack, the innermost first. */
function framesIn(
  fault: runtime.LiquidFault,
  url: string,
  frameAt: (line: number) => runtime.Frame | null,
): readonly runtime.Frame[] {
  const source = fault.cause instanceof Error ? fault.cause : fault
  const frames: runtime.Frame[] = []
  for (const found of (source.stack ?? '').matchAll(/:(\d+):(\d+)\)?$/gm)) {
    if (!found.input.slice(Math.max(0, found.index - url.length - 1), found.index).includes(url)) continue
    const place = frameAt(Number(found[1]))
    if (place !== null) frames.push({ file: place.file, line: place.line })
  }
  return frames
}

function locate(fault: runtime.LiquidFault, frames: readonly runtime.Frame[]): void {
  const [first] = frames
  if (fault.file === null && first !== undefined) {
    fault.file = first.file
    fault.line = first.line
  }
  if (fault.frames.length === 0) fault.frames = frames
}

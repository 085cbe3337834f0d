/** The marks of emitted modules, moved from the texts that were read to the texts that authors wrote. */
import type { Memo } from '../model/memo.ts'
import type { Module } from '../model/module.ts'
import type { Site } from '../model/site.ts'
import { writtenSpan } from '../source/template-values.ts'

/** The module itself where nothing that it was made of holds template values; the same for the same module and values. */
export function withWrittenMarks(module: Module, { byFile }: Pick<Site, 'byFile'>, memo: Memo): Module {
  const files = [...new Set(module.marks.map(({ span }) => span.file))]
  const written = files.map((file) => byFile.get(file)?.file.written)
  if (written.every((each) => each === undefined)) return module
  return memo.once('written marks', module.path, [module, ...written], () => ({
    path: module.path,
    source: module.source,
    imports: module.imports,
    exports: module.exports,
    // Each of the two texts is made when it is needed.
    get typed() {
      return module.typed
    },
    get plain() {
      return module.plain
    },
    lines: module.lines,
    marks: module.marks.map((mark) => {
      const filled = byFile.get(mark.span.file)?.file.written
      return filled === undefined ? mark : { ...mark, span: writtenSpan(filled, mark.span) }
    }),
  }))
}

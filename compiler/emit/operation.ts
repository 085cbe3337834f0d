/** A stored operation → its module: one function that runs it, typed for whoever reads it or calls it by hand. */
import type { Module } from '../model/module.ts'
import type { Operation, Operations } from '../model/operation.ts'
import type { EmitContext } from './context.ts'
import { finished } from './emit.ts'
import { importPath, modulePath, operationNames, operationType } from './names.ts'
import { annotation, quoted, Writer } from './writer.ts'

/** Module with the types of all operations, which the bundle writes beside the others. */
export const OPERATION_TYPES = 'operations.ts'

/** Only a document that holds has types. */
function isTyped({ analysis }: Operation): boolean {
  return analysis.result !== null
}

/** What types are made of, with how they begin: `BooksAll` for `BooksAllVariables` and `BooksAllResult`. */
export function typedOperations({ stored }: Operations): { readonly type: string; readonly document: string }[] {
  const nameOf = operationNames(stored.keys())
  return [...stored].flatMap(([name, operation]) =>
    isTyped(operation) ? [{ type: operationType(nameOf(name)), document: operation.document }] : [],
  )
}

export function emitOperation(context: EmitContext, name: string, operation: Operation): Module {
  const { file } = operation.span
  const path = modulePath(file)
  const functionName = context.operationName(name)
  const type = operationType(functionName)
  const typed = isTyped(operation)
  const w = new Writer()
  const parameters = [
    `r${annotation(': Render')}`,
    `variables${annotation(typed ? `: Given<${type}Variables>` : ': Fields')}`,
    `file${annotation(': string')}`,
    `line${annotation(': number')}`,
  ]
  const result = typed ? `${type}Result` : 'Fields'
  w.block(
    `${annotation('export ')}function ${functionName}(${parameters.join(', ')})${annotation(`: Promise<${result}>`)}`,
    null,
    () => {
      const run = `runOperation(r, { name: ${quoted(name)} }, variables, file, line)`
      w.statement(`return ${run}${typed ? annotation(` as Promise<${result}>`) : ''}`, null)
    },
  )
  const imports = [
    { from: '#runtime', names: ['runOperation'], types: typed ? ['Render'] : ['Fields', 'Render'] },
    ...(typed
      ? [{ from: importPath(path, OPERATION_TYPES), names: [], types: [`${type}Result`, `${type}Variables`, 'Given'] }]
      : []),
  ]
  return finished(path, file, imports, [functionName], w)
}

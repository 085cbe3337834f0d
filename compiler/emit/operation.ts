/** A stored operation → its module: one function that runs it, typed for whoever reads it or calls it by hand. */
import {
  as,
  give,
  ident,
  invoke,
  NOWHERE,
  object,
  parameter,
  type Statement,
  string,
  typeNamed,
} from '../model/code.ts'
import type { Module } from '../model/module.ts'
import type { Operation, Operations } from '../model/operation.ts'
import type { EmitContext } from './context.ts'
import { importPath, modulePath, operationNames, operationType } from './names.ts'

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
  const result = typed ? typeNamed(`${type}Result`) : typeNamed('Fields')
  const given = typed ? typeNamed('Given', typeNamed(`${type}Variables`)) : typeNamed('Fields')
  const parameters = [
    parameter('r', typeNamed('Render')),
    parameter('variables', given),
    parameter('file', typeNamed('string')),
    parameter('line', typeNamed('number')),
  ]
  const args = [ident('r'), object({ name: string(name) }), ident('variables'), ident('file'), ident('line')]
  const run = invoke(ident('runOperation'), ...args)
  const promised = typeNamed('Promise', result)
  const body: Statement = {
    kind: 'function',
    name: functionName,
    async: false,
    parameters,
    result: promised,
    body: [give(typed ? as(run, promised) : run)],
    exported: true,
    span: NOWHERE,
  }
  const imports = [
    { from: '#runtime', names: ['runOperation'], types: typed ? ['Render'] : ['Fields', 'Render'] },
    ...(typed
      ? [{ from: importPath(path, OPERATION_TYPES), names: [], types: [`${type}Result`, `${type}Variables`, 'Given'] }]
      : []),
  ]
  return { path, source: file, imports, exports: [functionName], body: [body] }
}

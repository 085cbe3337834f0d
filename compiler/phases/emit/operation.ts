/** A stored operation → its module: one function that runs it, typed for whoever reads it or calls it by hand. */
import {
  BLANK,
  type Code,
  constant,
  give,
  ident,
  invoke,
  NOWHERE,
  object,
  parameter,
  type Statement,
  string,
  type TypeCode,
  typeNamed,
} from '../../core/model/code.ts'
import { type Import, type Module, RUNTIME_ENTRY } from '../../core/model/module.ts'
import type { SchemaResultObject, Operation, Operations } from '../../core/model/operation.ts'
import type { EmitContext } from './context.ts'
import { answerDecoder } from './decoder.ts'
import { answerName, importPath, modulePath, operationNames, operationType } from './names.ts'
import { print } from './print.ts'

/** Module with the types of all operations, which the bundle writes beside the others. */
export const OPERATION_TYPES = 'operations.ts'

/** What the types of an operation are made of. */
export interface TypedOperation {
  /** How they begin: `BooksAll` for `BooksAllVariables` and `BooksAllResult`. */
  readonly type: string
  readonly document: string
  readonly answer: SchemaResultObject
}

/** The operations that have types: those whose documents hold. */
export function typedOperations({ stored }: Operations): readonly TypedOperation[] {
  const nameOf = operationNames(stored.keys())
  return [...stored].flatMap(
    ([
      name,
      {
        document,
        analysis: { schemaResult: answer },
      },
    ]) => (answer === null ? [] : [{ type: operationType(nameOf(name)), document, answer }]),
  )
}

export function emitOperation(context: EmitContext, name: string, operation: Operation): Module {
  const { file } = operation.span
  const path = modulePath(file)
  const functionName = context.operationName(name)
  const { schemaResult: answer } = operation.analysis
  const { imports, body } =
    answer === null ? untyped(functionName, name) : typed(functionName, name, answer, importPath(path, OPERATION_TYPES))
  return { path, source: file, imports, exports: [functionName], body: print(body, context.printAs) }
}

interface Parts {
  readonly imports: readonly Import[]
  readonly body: readonly Statement[]
}

/** `types`: the module of the types of operations. */
function typed(functionName: string, name: string, answer: SchemaResultObject, types: string): Parts {
  const type = operationType(functionName)
  const decoder = answerName(functionName)
  const result = typeNamed('Answer', typeNamed(`${type}Result`))
  const imports: Import[] = [
    { from: RUNTIME_ENTRY, names: ['decode', 'runStored'], types: ['Answer', 'Render'] },
    { from: types, names: [], types: [`${type}Result`, `${type}Variables`, 'Given'] },
  ]
  const run = invoke(ident('runStored'), ident('r'), string(name), ident(decoder), ...CALL)
  return {
    imports,
    body: [
      constant(decoder, answerDecoder(answer), NOWHERE),
      BLANK,
      operationFunction(functionName, typeNamed('Given', typeNamed(`${type}Variables`)), result, run),
    ],
  }
}

/** Of a document that does not hold nothing is known: whoever runs it hears what is wrong with it. */
function untyped(functionName: string, name: string): Parts {
  const imports: Import[] = [{ from: RUNTIME_ENTRY, names: ['runOperation'], types: ['Fields', 'Render'] }]
  const run = invoke(ident('runOperation'), ident('r'), object({ name: string(name) }), ...CALL)
  return { imports, body: [operationFunction(functionName, typeNamed('Fields'), typeNamed('Fields'), run)] }
}

/** What callers give, as it is handed on. */
const CALL = [ident('variables'), ident('file'), ident('line')]

function operationFunction(name: string, given: TypeCode, result: TypeCode, run: Code): Statement {
  const parameters = [
    parameter('r', typeNamed('Render')),
    parameter('variables', given),
    parameter('file', typeNamed('string')),
    parameter('line', typeNamed('number')),
  ]
  return {
    kind: 'function',
    name,
    async: false,
    parameters,
    result: typeNamed('Promise', result),
    body: [give(run)],
    exported: true,
    span: NOWHERE,
  }
}

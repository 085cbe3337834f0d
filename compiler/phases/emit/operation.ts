/** Emits the module of a stored operation: one function that runs it, with types for its callers. */
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

/** The module with the types of all operations. The bundle writes it next to the other modules. */
export const OPERATION_TYPES = 'operations.ts'

/** The input for the types of an operation. */
export interface TypedOperation {
  /** The prefix of the types: `BooksAll` for `BooksAllVariables` and `BooksAllResult`. */
  readonly type: string
  readonly document: string
  readonly answer: SchemaResultObject
}

/** Returns the operations that have types, which are those with valid documents. */
export function typedOperations({ storedOperations }: Operations): readonly TypedOperation[] {
  const nameOf = operationNames(storedOperations.keys())
  return [...storedOperations].flatMap(
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
    answer === null
      ? untypedParts(functionName, name)
      : typedParts(functionName, name, answer, importPath(path, OPERATION_TYPES))
  return { path, source: file, imports, exports: [functionName], body: print(body, context.printAs) }
}

interface ModuleParts {
  readonly imports: readonly Import[]
  readonly body: readonly Statement[]
}

/** Returns the parts of a module with a typed function. `types`: the path of the module with the types of the operations. */
function typedParts(functionName: string, name: string, answer: SchemaResultObject, types: string): ModuleParts {
  const type = operationType(functionName)
  const decoder = answerName(functionName)
  const result = typeNamed('Answer', typeNamed(`${type}Result`))
  const imports: Import[] = [
    { from: RUNTIME_ENTRY, names: ['decode', 'runStored'], types: ['Answer', 'Render'] },
    { from: types, names: [], types: [`${type}Result`, `${type}Variables`, 'Given'] },
  ]
  const run = invoke(ident('runStored'), ident('r'), string(name), ident(decoder), ...CALL_ARGUMENTS)
  return {
    imports,
    body: [
      constant(decoder, answerDecoder(answer), NOWHERE),
      BLANK,
      operationFunction(functionName, typeNamed('Given', typeNamed(`${type}Variables`)), result, run),
    ],
  }
}

/** Returns the parts of a module with an untyped function, for an invalid document. The function reports the mistake when it runs. */
function untypedParts(functionName: string, name: string): ModuleParts {
  const imports: Import[] = [{ from: RUNTIME_ENTRY, names: ['runOperation'], types: ['Fields', 'Render'] }]
  const run = invoke(ident('runOperation'), ident('r'), object({ name: string(name) }), ...CALL_ARGUMENTS)
  return { imports, body: [operationFunction(functionName, typeNamed('Fields'), typeNamed('Fields'), run)] }
}

/** The parameters of the function that it passes on unchanged. */
const CALL_ARGUMENTS = [ident('variables'), ident('file'), ident('line')]

function operationFunction(name: string, variables: TypeCode, result: TypeCode, run: Code): Statement {
  const parameters = [
    parameter('r', typeNamed('Render')),
    parameter('variables', variables),
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

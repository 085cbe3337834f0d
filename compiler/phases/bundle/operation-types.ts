/** TypeScript types of the variables and results of a site's stored operations, made by graphql-codegen in one call. */
import {
  type DirectiveNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type FieldNode,
  Kind,
  type NamedTypeNode,
  type NameNode,
  parse,
  visit,
} from 'graphql'
import { templateSchema } from '../../../runtime/data/query/index.ts'
import type { TypedOperation } from '../emit/operation.ts'
import { RUNTIME_ENTRY } from '../../core/model/module.ts'
import type { SchemaResultField, SchemaResultObject, SchemaResultType } from '../../core/model/operation.ts'

/** What a template may pass: the variables by name, read by the server as their types say. */
const GIVEN = `export type Given<Variables> = { readonly [Name in keyof Variables]?: unknown } & { readonly [name: string]: unknown };
`

/** The module's text. The documents must hold. */
export async function operationTypes(operations: readonly TypedOperation[]): Promise<string> {
  // They take longer to load than most sites to compile.
  const [{ codegen }, plugin] = await Promise.all([
    import('@graphql-codegen/core'),
    import('@graphql-codegen/typescript-operations'),
  ])
  const text = await codegen({
    filename: 'operations.ts',
    // As a document: codegen may have another copy of `graphql`, which takes no schema of ours.
    schema: withTypeNames(templateSchema()),
    documents: operations.map((operation) => ({ location: operation.type, document: flat(operation) })),
    // The planner has looked at them, and reads some values that the specification would refuse.
    skipDocumentsValidation: true,
    config: {
      namingConvention: 'keep',
      omitOperationSuffix: true,
      operationResultSuffix: 'Result',
      skipTypename: true,
      immutableTypes: true,
      enumType: 'string-literal',
      defaultScalarType: 'unknown',
      scalars: {
        ID: { input: 'string | number', output: 'string' },
        Float: { input: 'number', output: 'Numeral' },
        ISO8601DateTime: 'string',
        JSONDate: 'string',
        Markup: 'string | Safe',
        PropertyName: 'string',
      },
    },
    plugins: [{ operations: {} }],
    pluginMap: { operations: plugin },
  })
  return `// the stored queries\n${importOf(operations)}${text}\n${GIVEN}`
}

/** Scalars whose values are the runtime's own, by their types. */
const OWN = new Map([
  ['Float', 'Numeral'],
  ['Markup', 'Safe'],
])

function importOf(operations: readonly TypedOperation[]): string {
  const types = new Set(operations.flatMap(({ answer }) => [...ownTypes(answer)]))
  if (types.size === 0) return ''
  return `import type { ${[...types].sort().join(', ')} } from '${RUNTIME_ENTRY}'\n`
}

function ownTypes(type: SchemaResultType): readonly string[] {
  switch (type.kind) {
    case 'scalar': {
      const own = OWN.get(type.name)
      return own === undefined ? [] : [own]
    }
    case 'enum':
      return []
    case 'list':
    case 'nullable':
      return ownTypes(type.of)
    case 'object':
      return type.fields.flatMap((field) => ownTypes(field.type))
  }
}

/**
 * The document under the name of its types, with each field of the answer once and nothing else: its fragments need no types, and
 * of a field that several directives are about code generation says what need not hold.
 */
function flat({ type, document, answer }: TypedOperation): DocumentNode {
  const operations = parse(document).definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? [definition] : [],
  )
  return {
    kind: Kind.DOCUMENT,
    definitions: operations.map((operation) => ({
      ...operation,
      name: nameNode(type),
      selectionSet: selectionSet(answer),
    })),
  }
}

function selectionSet({ fields }: SchemaResultObject): NonNullable<FieldNode['selectionSet']> {
  return {
    kind: Kind.SELECTION_SET,
    // Of an object without fields code generation says that there is none.
    selections: (fields.length === 0 ? [NO_FIELD] : fields).map(({ key, name, type, isOptional }): FieldNode => {
      const inner = objectIn(type)
      return {
        kind: Kind.FIELD,
        alias: nameNode(key),
        name: nameNode(isOptional && name === '__typename' ? TYPE_NAME : name),
        ...(isOptional && { directives: [INCLUDED] }),
        ...(inner !== null && { selectionSet: selectionSet(inner) }),
      }
    }),
  }
}

const NO_FIELD: SchemaResultField = {
  key: '__typename',
  name: '__typename',
  type: { kind: 'scalar', name: 'String' },
  isOptional: true,
}

/** Code generation takes it that `__typename` is always there, so that another field stands for one that may be left out. */
const TYPE_NAME = '_typename'

function withTypeNames(schema: DocumentNode): DocumentNode {
  const string: NamedTypeNode = { kind: Kind.NAMED_TYPE, name: nameNode('String') }
  const field: FieldDefinitionNode = {
    kind: Kind.FIELD_DEFINITION,
    name: nameNode(TYPE_NAME),
    type: { kind: Kind.NON_NULL_TYPE, type: string },
  }
  return visit(schema, {
    ObjectTypeDefinition: (type) => ({ ...type, fields: [...(type.fields ?? []), field] }),
  })
}

/** What is in lists and may be null. */
function objectIn(type: SchemaResultType): SchemaResultObject | null {
  if (type.kind === 'list' || type.kind === 'nullable') return objectIn(type.of)
  return type.kind === 'object' ? type : null
}

/** Of a field that may be left out: code generation does not ask what decides. */
const INCLUDED: DirectiveNode = {
  kind: Kind.DIRECTIVE,
  name: nameNode('include'),
  arguments: [{ kind: Kind.ARGUMENT, name: nameNode('if'), value: { kind: Kind.BOOLEAN, value: true } }],
}

function nameNode(value: string): NameNode {
  return { kind: Kind.NAME, value }
}

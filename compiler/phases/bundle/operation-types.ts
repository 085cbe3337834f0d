/** Generates TypeScript types for the variables and results of a site's stored operations, with one call of graphql-codegen. */
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

/** The type of the variables that a template can pass, by name. The server converts the values to the declared types. */
const GIVEN_TYPE = `export type Given<Variables> = { readonly [Name in keyof Variables]?: unknown } & { readonly [name: string]: unknown };
`

/** Returns the text of the module. The documents must be valid. */
export async function operationTypes(operations: readonly TypedOperation[]): Promise<string> {
  // Loaded lazily: loading takes longer than compiling most sites.
  const [{ codegen }, plugin] = await Promise.all([
    import('@graphql-codegen/core'),
    import('@graphql-codegen/typescript-operations'),
  ])
  const text = await codegen({
    filename: 'operations.ts',
    // Passed as a document, because codegen may load another copy of `graphql`, which rejects our schema objects.
    schema: withTypeNames(templateSchema()),
    documents: operations.map((operation) => ({ location: operation.type, document: flattenDocument(operation) })),
    // Skipped, because the planner has validated the documents. It accepts some values that the GraphQL specification rejects.
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
  return `// the stored queries\n${runtimeImport(operations)}${text}\n${GIVEN_TYPE}`
}

/** Scalars whose values have runtime types. */
const RUNTIME_SCALARS = new Map([
  ['Float', 'Numeral'],
  ['Markup', 'Safe'],
])

function runtimeImport(operations: readonly TypedOperation[]): string {
  const types = new Set(operations.flatMap(({ answer }) => [...ownTypes(answer)]))
  if (types.size === 0) return ''
  return `import type { ${[...types].sort().join(', ')} } from '${RUNTIME_ENTRY}'\n`
}

function ownTypes(type: SchemaResultType): readonly string[] {
  switch (type.kind) {
    case 'scalar': {
      const runtimeType = RUNTIME_SCALARS.get(type.name)
      return runtimeType === undefined ? [] : [runtimeType]
    }
    case 'enum':
      return []
    case 'list':
    case 'nullable':
      return ownTypes(type.inner)
    case 'object':
      return type.fields.flatMap((field) => ownTypes(field.type))
  }
}

/**
 * Returns a minimal document named after its types, with each result field once. Fragments need no types. For a field with several
 * directives, codegen would generate a wrong type.
 */
function flattenDocument({ type, document, answer }: TypedOperation): DocumentNode {
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
    // For an object without fields, codegen generates an impossible type.
    selections: (fields.length === 0 ? [NO_FIELD] : fields).map(({ key, name, type, isOptional }): FieldNode => {
      const innerType = innerObject(type)
      return {
        kind: Kind.FIELD,
        alias: nameNode(key),
        name: nameNode(isOptional && name === '__typename' ? TYPE_NAME : name),
        ...(isOptional && { directives: [INCLUDED] }),
        ...(innerType !== null && { selectionSet: selectionSet(innerType) }),
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

/** Codegen treats `__typename` as always present. Another field replaces it where it may be missing. */
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

/** Returns the object type inside lists and nullable types. */
function innerObject(type: SchemaResultType): SchemaResultObject | null {
  if (type.kind === 'list' || type.kind === 'nullable') return innerObject(type.inner)
  return type.kind === 'object' ? type : null
}

/** A directive for a field that may be missing. Codegen ignores its condition. */
const INCLUDED: DirectiveNode = {
  kind: Kind.DIRECTIVE,
  name: nameNode('include'),
  arguments: [{ kind: Kind.ARGUMENT, name: nameNode('if'), value: { kind: Kind.BOOLEAN, value: true } }],
}

function nameNode(value: string): NameNode {
  return { kind: Kind.NAME, value }
}

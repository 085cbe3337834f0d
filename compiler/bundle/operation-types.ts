/** TypeScript types of the variables and results of a site's stored operations, made by graphql-codegen in one call. */
import { type DocumentNode, Kind, parse, visit } from 'graphql'
import { schemaText } from '../../runtime/data/query/index.ts'

/** What a template may pass: the variables by name, read by the server as their types say. */
const GIVEN = `export type Given<Variables> = { readonly [Name in keyof Variables]?: unknown } & { readonly [name: string]: unknown };
`

/** The module's text. `type` is how the types of an operation begin; the documents must hold. */
export async function operationTypes(
  operations: readonly { readonly type: string; readonly document: string }[],
): Promise<string> {
  // They take longer to load than most sites to compile.
  const [{ codegen }, plugin] = await Promise.all([
    import('@graphql-codegen/core'),
    import('@graphql-codegen/typescript-operations'),
  ])
  const text = await codegen({
    filename: 'operations.ts',
    // As text: codegen may have another copy of `graphql`, which takes no schema of ours.
    schema: parse(schemaText()),
    documents: operations.map(({ type, document }) => ({
      location: type,
      document: withUniqueNames(parse(document), type),
    })),
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
        ISO8601DateTime: 'string',
        JSONDate: 'string',
        PropertyName: 'string',
      },
    },
    plugins: [{ operations: {} }],
    pluginMap: { operations: plugin },
  })
  return `// the stored queries\n${text}\n${GIVEN}`
}

/** The document with names that no other one has: files are told apart, what is written in them need not be. */
function withUniqueNames(document: DocumentNode, type: string): DocumentNode {
  const renamed = <Node extends { readonly name: { readonly value: string } }>(node: Node): Node => ({
    ...node,
    name: { ...node.name, value: `${type}_${node.name.value}` },
  })
  return visit(document, {
    OperationDefinition: (node) => ({ ...node, name: { kind: Kind.NAME, value: type } }),
    FragmentDefinition: renamed,
    FragmentSpread: renamed,
  })
}

/** The configuration of `npm run codegen`, which generates TypeScript types of the schema. */
import { schemaText } from './schema.ts'

/** The file with the generated types, relative to the project's root. */
export const SCHEMA_TYPES = 'runtime/data/query/schema.generated.ts'

export const HEADER = '/** Generated from the schema by `npm run codegen`; never edited by hand. */\n'

/** The options of graphql-codegen's `generate`. */
export const config = {
  schema: schemaText(),
  silent: true,
  generates: {
    [SCHEMA_TYPES]: {
      plugins: ['typescript'],
      config: {
        enumsAsTypes: true,
        immutableTypes: true,
        namingConvention: 'keep',
        skipTypename: true,
        defaultScalarType: 'unknown',
        // `Record<…>` cannot be used here, because the schema has a type named `Record`.
        scalars: {
          ID: { input: 'string | number', output: 'string' },
          HashObject: '{ readonly [key: string]: unknown }',
          ISO8601DateTime: 'string',
          JSONDate: 'string',
          PropertyName: 'string',
        },
      },
    },
  },
}

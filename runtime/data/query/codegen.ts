/** How `npm run codegen` makes the types of the schema for our own code. */
import { schemaText } from './schema.ts'

/** From the project's root. */
export const SCHEMA_TYPES = 'runtime/data/query/schema.generated.ts'

export const HEADER = '/** Generated from the schema by `npm run codegen`; never edited by hand. */\n'

/** What `generate` of graphql-codegen is given. */
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
        // Not `Record<…>`, which there is the schema's own type of that name.
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

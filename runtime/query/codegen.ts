/** How `npm run codegen` makes the types of the schema for our own code, `schema.generated.ts`. */
import type { CodegenConfig } from '@graphql-codegen/cli'
import { schemaText } from './index.ts'

export const config: CodegenConfig = {
  schema: schemaText(),
  generates: {
    'runtime/query/schema.generated.ts': {
      plugins: [{ add: { content: '/** Generated from the schema by `npm run codegen`; never edited by hand. */' } }, 'typescript'],
      config: {},
    },
  },
}

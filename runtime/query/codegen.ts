/** Makes the types of the schema for our own code, `schema.generated.ts`, with graphql-codegen: `npm run codegen`. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CodegenConfig } from '@graphql-codegen/cli'
import { schemaText } from './index.ts'

const HEADER = '/** Generated from the schema by `npm run codegen`; never edited by hand. */\n'

/** From the project's root. */
export const SCHEMA_TYPES = 'runtime/query/schema.generated.ts'

const ANY_HASH = '{ readonly [key: string]: unknown }'

const config: CodegenConfig = {
  schema: schemaText(),
  silent: true,
  generates: {
    [SCHEMA_TYPES]: {
      plugins: ['typescript'],
      config: {
        enumType: 'string-literal',
        immutableTypes: true,
        namingConvention: 'keep',
        skipTypename: true,
        defaultScalarType: 'unknown',
        // Not `Record<…>`, which here would be the schema's own type of that name.
        scalars: {
          ID: { input: 'string | number', output: 'string' },
          HashObject: ANY_HASH,
          ISO8601DateTime: 'string',
          JSONDate: 'string',
          PropertyName: 'string',
        },
      },
    },
  },
}

/** The text of the module. */
export async function schemaTypes(): Promise<string> {
  const { generate } = await import('@graphql-codegen/cli')
  const [file] = (await generate(config, false)) as readonly { readonly content: string }[]
  if (file === undefined) throw new Error('graphql-codegen gave no file')
  return HEADER + file.content
}

/** Writes the module; whether it has changed. */
export async function writeSchemaTypes(root: string): Promise<boolean> {
  const path = join(root, SCHEMA_TYPES)
  const [text, before] = await Promise.all([schemaTypes(), readFile(path, 'utf8').catch(() => '')])
  if (text === before) return false
  await writeFile(path, text)
  return true
}

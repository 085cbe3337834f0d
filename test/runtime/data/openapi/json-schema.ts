/** Validates values against JSON Schema 2020-12, with the validator that fastify includes. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false })
formats.default(ajv)
// Formats that OpenAPI adds.
ajv.addKeyword('components')
ajv.addKeyword('discriminator')

/**
 * Compiles a schema.
 * @throws Error for an invalid schema
 */
export function matchesSchema(schema: object, value: unknown): boolean {
  return ajv.compile(schema)(value)
}

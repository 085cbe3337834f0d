/** Holds values against schemas by the rules of JSON Schema 2020-12: by the validator that comes with fastify. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false })
formats.default(ajv)
// What OpenAPI adds.
ajv.addKeyword('components')
ajv.addKeyword('discriminator')

/** @throws Error for a schema that is none */
export function holds(schema: object, value: unknown): boolean {
  return ajv.compile(schema)(value)
}

// In the place of what the package of the protocol takes from its surroundings: without a validator of JSON schemas, for tools read their
// input by schemas of their own.
import process from 'node:process'

export { process }

export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error('There is no validator of JSON schemas here')
  }
}

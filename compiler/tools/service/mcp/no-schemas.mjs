// Replaces the JSON schema validator of the MCP package, which is not bundled. Tools validate their input with their own schemas.
import process from 'node:process'

export { process }

export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error('JSON schemas cannot be validated here')
  }
}

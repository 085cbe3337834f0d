/** The responses of the API, with the schemas of their bodies. */
import type { Schema } from './model.ts'

const MEDIA_TYPE = 'application/vnd.api+json'

const MESSAGES: Schema = { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } }

/** The shared schemas of response bodies. */
export const BODIES: Readonly<Record<string, Schema>> = {
  Created: {
    type: 'object',
    properties: { id: { type: 'integer' }, errors: { type: 'object', maxProperties: 0 } },
    required: ['id', 'errors'],
  },
  ValidationErrors: {
    type: 'object',
    description:
      'Messages by the path of the field, such as `email` or `properties.title`. Messages about the whole form are in `base`.',
    properties: { id: { type: 'null' }, errors: { ...MESSAGES, minProperties: 1 } },
    required: ['errors'],
  },
  Problem: {
    type: 'object',
    properties: {
      errors: { ...MESSAGES, required: ['base'] },
      path: {
        type: 'string',
        description: 'The path of the parameter that has the wrong shape, such as `form.properties`.',
      },
      detail: { type: 'string', description: 'A description of the error for people.' },
    },
    required: ['errors'],
  },
}

export type ResponseName = keyof typeof RESPONSES

/** The entries of `components.responses`. */
export const RESPONSES = {
  Created: body('The resource was created.', 'Created'),
  SignedIn: {
    description: 'The visitor is signed in.',
    headers: { 'Set-Cookie': { description: 'The cookie of the new session.', schema: { type: 'string' } } },
    content: { [MEDIA_TYPE]: { schema: { type: 'object', maxProperties: 0 } } },
  },
  Done: { description: 'The request was fulfilled. There is no body.' },
  Unauthorized: problem('The API token is missing or not valid.', 'Unathorized'),
  Forbidden: problem('A policy of the form, or the scope of the token, does not allow it.'),
  NotFound: problem('The form or the resource does not exist, or does not belong to the user.', 'Not Found'),
  NotAcceptable: problem('The parameters have the wrong shape.', 'Not Acceptable'),
  TooLarge: problem('The body is too large.'),
  Invalid: body('Values did not pass the validations of the form.', 'ValidationErrors'),
  TooMany: {
    ...problem('Too many failed attempts.'),
    headers: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } } },
  },
} as const

/** Returns a reference to a component. */
export function refTo(schema: string): string {
  return `#/components/schemas/${schema}`
}

function body(description: string, schema: string, example?: Schema): Schema {
  const content = { schema: { $ref: refTo(schema) }, ...(example === undefined ? {} : { example }) }
  return { description, content: { [MEDIA_TYPE]: content } }
}

function problem(description: string, text?: string): Schema {
  return body(description, 'Problem', text === undefined ? undefined : { errors: { base: [text] } })
}

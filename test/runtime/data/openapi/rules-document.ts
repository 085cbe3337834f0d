/** A schema of OpenAPI 3.1 documents, limited to the parts that our documents use. Any other part is an error. */
import { z } from 'zod'

const name = z.string().regex(/^[A-Za-z0-9._-]+$/)
const reference = z.strictObject({ $ref: z.string().regex(/^#\/components\//) })
const types = z.enum(['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'])
const count = z.number().int().nonnegative()
const pattern = z.string().refine((source) => {
  new RegExp(source, 'u')
  return true
})

/** The keywords of JSON Schema 2020-12 that our documents use. */
const schema: z.ZodType = z.lazy(() =>
  z.union([
    reference,
    z.strictObject({
      type: z.union([types, z.array(types).min(2)]).optional(),
      description: z.string().optional(),
      properties: z.record(z.string(), schema).optional(),
      required: z.array(z.string()).min(1).optional(),
      additionalProperties: schema.optional(),
      items: schema.optional(),
      allOf: z.array(schema).min(1).optional(),
      anyOf: z.array(schema).min(1).optional(),
      oneOf: z.array(schema).min(1).optional(),
      not: schema.optional(),
      enum: z.array(z.unknown()).min(1).optional(),
      const: z.unknown().optional(),
      default: z.unknown().optional(),
      examples: z.array(z.unknown()).optional(),
      format: z.string().optional(),
      pattern: pattern.optional(),
      minLength: count.optional(),
      maxLength: count.optional(),
      minItems: count.optional(),
      maxItems: count.optional(),
      minProperties: count.optional(),
      maxProperties: count.optional(),
      minimum: z.number().optional(),
      maximum: z.number().optional(),
      exclusiveMinimum: z.number().optional(),
      exclusiveMaximum: z.number().optional(),
      multipleOf: z.number().positive().optional(),
      readOnly: z.literal(true).optional(),
      writeOnly: z.literal(true).optional(),
      dependentRequired: z.record(z.string(), z.array(z.string())).optional(),
      discriminator: z.strictObject({ propertyName: z.string(), mapping: z.record(z.string(), z.string()) }).optional(),
    }),
  ]),
)

const content = z.record(
  z.string().regex(/^[\w.+-]+\/[\w.+-]+$/),
  z.strictObject({ schema, example: z.unknown().optional() }),
)
const header = z.strictObject({ description: z.string().optional(), schema })
const response = z.strictObject({
  description: z.string().min(1),
  headers: z.record(z.string(), header).optional(),
  content: content.optional(),
})
const parameter = z.strictObject({ name: z.string(), in: z.literal('path'), required: z.literal(true), schema })
const operation = z.strictObject({
  operationId: z.string().regex(/^[A-Za-z]\w*$/),
  summary: z.string(),
  tags: z.array(z.string()),
  parameters: z.array(parameter).optional(),
  requestBody: z.strictObject({ required: z.boolean(), content }),
  responses: z.record(z.string().regex(/^[1-5]\d\d$/), z.union([reference, response])),
})

export const openApiDocument = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({ title: z.string().min(1), version: z.string().min(1) }),
  servers: z.array(z.strictObject({ url: z.string().min(1) })),
  tags: z.array(z.strictObject({ name: z.string() })),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  paths: z.record(
    z.string().startsWith('/'),
    z.strictObject({ post: operation.optional(), put: operation.optional(), delete: operation.optional() }),
  ),
  components: z.strictObject({
    securitySchemes: z.record(
      name,
      z.strictObject({
        type: z.literal('apiKey'),
        in: z.enum(['header', 'cookie']),
        name: z.string(),
        description: z.string(),
      }),
    ),
    schemas: z.record(name, schema),
    responses: z.record(name, response),
  }),
})

export type OpenApiDocument = z.infer<typeof openApiDocument>

/** Returns problems of a document that a schema cannot express: dangling references, and names that are not unique. */
export function inconsistencies(document: unknown): readonly string[] {
  const wrong: string[] = []
  const targets = new Set<string>()
  walk(document, (value) => {
    if (typeof value['$ref'] === 'string') targets.add(value['$ref'])
    const mapping = (value['discriminator'] as { mapping?: Record<string, string> } | undefined)?.mapping
    for (const target of Object.values(mapping ?? {})) targets.add(target)
    const { required, properties } = value as { required?: unknown; properties?: Record<string, unknown> }
    if (Array.isArray(required) && properties !== undefined)
      for (const key of required)
        if (!Object.hasOwn(properties, String(key))) wrong.push(`required key without a schema: ${String(key)}`)
  })
  for (const target of targets) if (!leadsSomewhere(document, target)) wrong.push(`leads nowhere: ${target}`)
  const { components, paths, security } = document as OpenApiDocument
  for (const room of ['schemas', 'responses'] as const)
    for (const name of Object.keys(components[room]))
      if (!targets.has(`#/components/${room}/${name}`)) wrong.push(`nobody names ${room}/${name}`)
  for (const scheme of security.flatMap((each) => Object.keys(each)))
    if (!Object.hasOwn(components.securitySchemes, scheme)) wrong.push(`no such scheme: ${scheme}`)
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.values(item).flatMap((each) => (each === undefined ? [] : [[path, each] as const])),
  )
  const ids = operations.map(([, { operationId }]) => operationId)
  if (new Set(ids).size !== ids.length) wrong.push('an operationId stands twice')
  for (const [path, { parameters = [] }] of operations) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, key]) => key)
    if (JSON.stringify(inPath) !== JSON.stringify(parameters.map((each) => each.name)))
      wrong.push(`parameters of ${path}`)
  }
  return wrong
}

function walk(value: unknown, visit: (value: Readonly<Record<string, unknown>>) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) visit(value as Readonly<Record<string, unknown>>)
  for (const item of Object.values(value)) walk(item, visit)
}

/** Resolves a JSON pointer in a fragment. */
function leadsSomewhere(document: unknown, target: string): boolean {
  let value: unknown = document
  for (const part of decodeURIComponent(target).split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false
    value = (value as Record<string, unknown>)[key]
  }
  return target.startsWith('#/')
}

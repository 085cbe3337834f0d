/** Reads the tables of a site for generators: their properties, and the one that represents a row. */
import { parse } from 'yaml'
import * as z from 'zod'
import { UsageError } from '../../core/usage-error.ts'
import type { GeneratorOptions } from './model.ts'
import type { FindLabel } from './names.ts'

/** The part of a table file that is read here. `ingot check` reports what is wrong with the rest. */
const tableSchema = z.object({
  properties: z
    .array(z.object({ name: z.string().regex(/^\w+$/), type: z.string().default('string') }))
    .nullish()
    .transform((properties) => properties ?? []),
})

type Property = z.infer<typeof tableSchema>['properties'][number]

/** Names that a property which represents a row usually has. */
const USUAL = ['name', 'title']

/** Returns the function that reads the table files of the site. */
export function labelFinder(options: GeneratorOptions): FindLabel {
  return (name) => {
    const texts = readProperties(name, options).flatMap((property) =>
      property.type === 'string' ? [property.name] : [],
    )
    const label = USUAL.find((usual) => texts.includes(usual)) ?? texts[0]
    if (label === undefined) throw new UsageError(`The table '${name}' has no property of the type string to show.`)
    return label
  }
}

/** Returns the declared properties of a table. @throws UsageError when the table does not exist or its file cannot be read */
export function readProperties(name: string, { read }: GeneratorOptions): readonly Property[] {
  const path = `app/schema/${name}.yml`
  const text = read?.(path) ?? null
  if (text === null)
    throw new UsageError(
      `There is no table '${name}' in app/schema: create it first, with \`ingot generate crud ${name} name\`.`,
    )
  try {
    return tableSchema.parse(parse(text)).properties
  } catch {
    throw new UsageError(`The file ${path} is not a readable table: see \`ingot check\`.`)
  }
}

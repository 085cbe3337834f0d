/** The setup of an installation, in addition to its site and data: the constants, and the translations that were set at run time. */
import type { ISql, TransactionSql } from 'postgres'
import * as z from 'zod'
import { CONSTANTS_CHANGED } from '../../../web/graphql/values/constants.ts'
import type { Seal } from '../../../web/graphql/values/secrets.ts'
import { TransferRefused } from './parts.ts'

const setupSchema = z.object({
  constants: z.array(z.object({ name: z.string(), value: z.string() })),
  translations: z.array(z.object({ locale: z.string(), key: z.string(), value: z.unknown() })),
})
export type Setup = z.infer<typeof setupSchema>

/**
 * Reads the setup, with decrypted constants.
 * @throws TransferRefused for a constant that cannot be decrypted
 */
export async function readInstallationSetup(sql: ISql, seal: Seal): Promise<Setup> {
  const constants = await sql<{ name: string; value: string }[]>`select name, value from ingot.constants order by name`
  const translations = await sql<{ locale: string; key: string; value: string | null }[]>`
    select locale, key, value::text as value from ingot.translations order by updated_at, id`
  return {
    constants: constants.map(({ name, value }) => ({ name, value: openConstant(seal, name, value) })),
    translations: translations.map(({ locale, key, value }) => {
      const parsed: unknown = value === null ? null : JSON.parse(value)
      return { locale, key, value: parsed }
    }),
  }
}

function openConstant(seal: Seal, name: string, value: string): string {
  try {
    return seal.open(value)
  } catch {
    throw new TransferRefused(`The constant '${name}' was sealed with another INGOT_SECRET: set it again.`)
  }
}

/** Parses the setup of a copy. @throws TransferRefused */
export function parseSetup(text: string): Setup {
  try {
    return setupSchema.parse(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError)
      throw new TransferRefused('The constants and translations of the copy are damaged: start the clone again.')
    throw error
  }
}

/** Replaces the setup of this installation. Called in a transaction. */
export async function writeSetup(
  client: TransactionSql,
  { constants, translations }: Setup,
  seal: Seal,
): Promise<void> {
  const sealed = constants.map(({ name, value }) => ({ name, value: seal.seal(value) }))
  await client`delete from ingot.constants`
  await client`
    insert into ingot.constants (name, value)
    select name, value from jsonb_to_recordset(${JSON.stringify(sealed)}::text::jsonb) as one(name text, value text)`
  await client`delete from ingot.translations`
  // Inserted in order, because later translations override earlier ones.
  await client`
    insert into ingot.translations (locale, key, value)
    select one->>'locale', one->>'key', nullif(one->'value', 'null'::jsonb)
    from jsonb_array_elements(${JSON.stringify(translations)}::text::jsonb) with ordinality as list(one, at) order by at`
  await client`select pg_notify(${CONSTANTS_CHANGED}, '')`
}

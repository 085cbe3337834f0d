/** Reads how the files of an upload property are stored from the property's declaration. */
import * as z from 'zod'
import type { PropertyDef } from '../../runtime/page/compiled.ts'
import type { ImageVersion, KeepOptions } from './model.ts'

/** An invalid option counts as absent; the compiler has reported it. */
const lax = <T extends z.ZodType>(schema: T) => schema.nullish().catch(null)

const pixels = lax(z.number().int().min(1).max(20_000))
const SIDES = 'top|right|bottom|left|center|centre|north|northeast|east|southeast|south|southwest|west|northwest'
const colour = /^(?:#[\da-f]{3,8}|rgba?\([\d\s.,%/]+\)|[a-z]+)$/i
const position = new RegExp(`^(?:${SIDES}|entropy|attention|(?:left|right) (?:top|bottom))$`)

const versionSchema = z.object({
  name: z.string().regex(/^[\w-]{1,64}$/),
  output: lax(
    z.object({
      format: lax(z.preprocess((value) => (value === 'jpg' ? 'jpeg' : value), z.enum(['jpeg', 'png', 'webp', 'avif']))),
      quality: lax(
        z
          .number()
          .int()
          .min(0)
          .max(100)
          .transform((value) => Math.max(1, value)),
      ),
    }),
  ),
  resize: lax(
    z.object({
      width: pixels,
      height: pixels,
      fit: lax(z.enum(['cover', 'contain', 'fill', 'inside', 'outside'])),
      position: lax(z.string().regex(position)),
      background: lax(z.string().regex(colour)),
      without_enlargement: lax(z.boolean()),
    }),
  ),
  manipulate: lax(
    z.object({
      greyscale: lax(z.boolean()),
      blur: lax(z.number().min(0.3).max(1000)),
      flatten: lax(z.union([z.boolean(), z.string().regex(colour), z.looseObject({})])),
    }),
  ),
})

const optionsSchema = z.object({
  acl: lax(z.enum(['public', 'private'])),
  /** In kilobytes. */
  content_length: lax(z.object({ gte: lax(z.number().nonnegative()), lte: lax(z.number().positive()) })),
  versions: lax(z.array(lax(versionSchema)).max(10)),
})

/** @param limit largest file in bytes; also the default */
export function keepOptionsOf({ type, options }: PropertyDef, limit = Number.MAX_SAFE_INTEGER): KeepOptions {
  const read = optionsSchema.safeParse(options ?? {})
  const { acl, content_length: length, versions } = read.success ? read.data : {}
  const declared = (versions ?? []).filter((version) => version !== null && version !== undefined)
  return {
    acl: acl ?? 'public',
    limit: Math.min(limit, (length?.lte ?? Number.POSITIVE_INFINITY) * 1000),
    least: Math.max(1, (length?.gte ?? 0) * 1000),
    types: type === 'photo' ? ['image/*'] : null,
    versions: Object.fromEntries(declared.map((version) => [version.name, versionOf(version)])),
  }
}

function versionOf({ output, resize, manipulate }: z.infer<typeof versionSchema>): ImageVersion {
  return {
    width: resize?.width ?? null,
    height: resize?.height ?? null,
    fit: resize?.fit ?? 'cover',
    format: output?.format ?? null,
    quality: output?.quality ?? null,
    position: resize?.position ?? 'center',
    background: resize?.background ?? '#000000',
    withoutEnlargement: resize?.without_enlargement ?? false,
    greyscale: manipulate?.greyscale ?? false,
    blur: manipulate?.blur ?? null,
    flatten: flattenOf(manipulate?.flatten),
  }
}

/** A declared colour, or true for the background when another truthy value is declared. */
function flattenOf(declared: unknown): boolean | string {
  if (typeof declared === 'string') return declared
  return declared !== undefined && declared !== null && declared !== false
}

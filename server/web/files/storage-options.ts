/** Reads from the declaration of an upload property how its files are stored. */
import * as z from 'zod'
import type { PropertyDef } from '../../../runtime/page/compiled.ts'
import type { ImageVersion, StorageOptions } from './model.ts'

/** Treats an invalid option as absent, because the compiler has reported it. */
const optional = <T extends z.ZodType>(schema: T) => schema.nullish().catch(null)

const pixels = optional(z.number().int().min(1).max(20_000))
const SIDES = 'top|right|bottom|left|center|centre|north|northeast|east|southeast|south|southwest|west|northwest'
const colour = /^(?:#[\da-f]{3,8}|rgba?\([\d\s.,%/]+\)|[a-z]+)$/i
const position = new RegExp(`^(?:${SIDES}|entropy|attention|(?:left|right) (?:top|bottom))$`)

const VERSION_NAME = /^[\w-]{1,64}$/

const versionSchema = z.object({
  name: z.string().regex(VERSION_NAME),
  output: optional(
    z.object({
      format: optional(
        z.preprocess((value) => (value === 'jpg' ? 'jpeg' : value), z.enum(['jpeg', 'png', 'webp', 'avif'])),
      ),
      quality: optional(
        z
          .number()
          .int()
          .min(0)
          .max(100)
          .transform((value) => Math.max(1, value)),
      ),
    }),
  ),
  resize: optional(
    z.object({
      width: pixels,
      height: pixels,
      fit: optional(z.enum(['cover', 'contain', 'fill', 'inside', 'outside'])),
      position: optional(z.string().regex(position)),
      background: optional(z.string().regex(colour)),
      without_enlargement: optional(z.boolean()),
    }),
  ),
  manipulate: optional(
    z.object({
      greyscale: optional(z.boolean()),
      blur: optional(z.number().min(0.3).max(1000)),
      flatten: optional(z.union([z.boolean(), z.string().regex(colour), z.looseObject({})])),
    }),
  ),
})

/** Sizes of the versions of a photo, by their names. */
const photoSizes = z.record(z.string(), optional(z.object({ width: pixels, height: pixels })))

const optionsSchema = z.object({
  acl: optional(z.enum(['public', 'private'])),
  /** In kilobytes. */
  content_length: optional(z.object({ gte: optional(z.number().nonnegative()), lte: optional(z.number().positive()) })),
  versions: optional(z.array(optional(versionSchema)).max(10)),
  versions_configuration: optional(photoSizes),
})

/**
 * The versions that every photo has. The small versions are cropped to their size. `normal` shows the whole picture.
 */
const PHOTO_VERSIONS: Readonly<Record<string, { readonly width: number; readonly height: number }>> = {
  mini: { width: 56, height: 56 },
  thumb: { width: 144, height: 109 },
  normal: { width: 1280, height: 960 },
}
const UNCROPPED = 'normal'
const MAX_VERSIONS = 10

/**
 * Returns the versions of a photo.
 * @param configured sizes that replace the defaults or are added
 */
function photoVersions(configured: z.infer<typeof photoSizes>): Readonly<Record<string, ImageVersion>> {
  const names = [...new Set([...Object.keys(PHOTO_VERSIONS), ...Object.keys(configured)])]
  const validNames = names.filter((name) => VERSION_NAME.test(name)).slice(0, MAX_VERSIONS)
  return Object.fromEntries(
    validNames.map((name) => {
      const { width, height } = configured[name] ?? {}
      const resize = {
        width: width ?? PHOTO_VERSIONS[name]?.width ?? null,
        height: height ?? PHOTO_VERSIONS[name]?.height ?? null,
        fit: name === UNCROPPED ? ('inside' as const) : ('cover' as const),
        position: null,
        background: null,
        without_enlargement: true,
      }
      return [name, toVersion({ name, output: null, resize, manipulate: null })]
    }),
  )
}

/**
 * Returns how files of a property are stored.
 * @param limit maximum size of a file in bytes
 */
export function readStorageOptions({ type, options }: PropertyDef, limit = Number.MAX_SAFE_INTEGER): StorageOptions {
  const parsed = optionsSchema.safeParse(options ?? {})
  const { acl, content_length: length, versions, versions_configuration: sizes } = parsed.success ? parsed.data : {}
  const declared = (versions ?? []).filter((version) => version !== null && version !== undefined)
  return {
    acl: acl ?? 'public',
    limit: Math.min(limit, (length?.lte ?? Number.POSITIVE_INFINITY) * 1000),
    least: Math.max(1, (length?.gte ?? 0) * 1000),
    types: type === 'photo' ? ['image/*'] : null,
    versions: {
      ...(type === 'photo' && photoVersions(sizes ?? {})),
      ...Object.fromEntries(declared.map((version) => [version.name, toVersion(version)])),
    },
  }
}

function toVersion({ output, resize, manipulate }: z.infer<typeof versionSchema>): ImageVersion {
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
    flatten: parseFlatten(manipulate?.flatten),
  }
}

/** Returns the declared color, or true (the background) for any other truthy value. */
function parseFlatten(declared: unknown): boolean | string {
  if (typeof declared === 'string') return declared
  return declared !== undefined && declared !== null && declared !== false
}

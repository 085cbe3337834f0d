/** Reads how the files of an upload property are stored from the property's declaration. */
import * as z from 'zod'
import type { PropertyDef } from '../../../runtime/page/compiled.ts'
import type { ImageVersion, KeepOptions } from './model.ts'

/** An invalid option counts as absent; the compiler has reported it. */
const lax = <T extends z.ZodType>(schema: T) => schema.nullish().catch(null)

const pixels = lax(z.number().int().min(1).max(20_000))
const SIDES = 'top|right|bottom|left|center|centre|north|northeast|east|southeast|south|southwest|west|northwest'
const colour = /^(?:#[\da-f]{3,8}|rgba?\([\d\s.,%/]+\)|[a-z]+)$/i
const position = new RegExp(`^(?:${SIDES}|entropy|attention|(?:left|right) (?:top|bottom))$`)

const VERSION_NAME = /^[\w-]{1,64}$/

const versionSchema = z.object({
  name: z.string().regex(VERSION_NAME),
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

/** Sizes of the versions of a photo, by their names. */
const photoSizes = z.record(z.string(), lax(z.object({ width: pixels, height: pixels })))

const optionsSchema = z.object({
  acl: lax(z.enum(['public', 'private'])),
  /** In kilobytes. */
  content_length: lax(z.object({ gte: lax(z.number().nonnegative()), lte: lax(z.number().positive()) })),
  versions: lax(z.array(lax(versionSchema)).max(10)),
  versions_configuration: lax(photoSizes),
})

/** The versions that every photo has. The small ones are cut to their size; `normal` is the whole picture within its size. */
const PHOTO: Readonly<Record<string, { readonly width: number; readonly height: number }>> = {
  mini: { width: 56, height: 56 },
  thumb: { width: 144, height: 109 },
  normal: { width: 1280, height: 960 },
}
const WHOLE = 'normal'
const MOST_VERSIONS = 10

/** @param configured sizes that are changed, or added */
function photoVersions(configured: z.infer<typeof photoSizes>): Readonly<Record<string, ImageVersion>> {
  const names = [...new Set([...Object.keys(PHOTO), ...Object.keys(configured)])]
  const named = names.filter((name) => VERSION_NAME.test(name)).slice(0, MOST_VERSIONS)
  return Object.fromEntries(
    named.map((name) => {
      const { width, height } = configured[name] ?? {}
      const resize = {
        width: width ?? PHOTO[name]?.width ?? null,
        height: height ?? PHOTO[name]?.height ?? null,
        fit: name === WHOLE ? ('inside' as const) : ('cover' as const),
        position: null,
        background: null,
        without_enlargement: true,
      }
      return [name, versionOf({ name, output: null, resize, manipulate: null })]
    }),
  )
}

/** @param limit largest file in bytes; also the default */
export function keepOptionsOf({ type, options }: PropertyDef, limit = Number.MAX_SAFE_INTEGER): KeepOptions {
  const read = optionsSchema.safeParse(options ?? {})
  const { acl, content_length: length, versions, versions_configuration: sizes } = read.success ? read.data : {}
  const declared = (versions ?? []).filter((version) => version !== null && version !== undefined)
  return {
    acl: acl ?? 'public',
    limit: Math.min(limit, (length?.lte ?? Number.POSITIVE_INFINITY) * 1000),
    least: Math.max(1, (length?.gte ?? 0) * 1000),
    types: type === 'photo' ? ['image/*'] : null,
    versions: {
      ...(type === 'photo' && photoVersions(sizes ?? {})),
      ...Object.fromEntries(declared.map((version) => [version.name, versionOf(version)])),
    },
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

/** How the files of an upload property are kept: as its declaration says. */
import { z } from 'zod'
import type { PropertyDef } from '../../runtime/compiled.ts'
import type { ImageVersion, KeepOptions } from '../files/model.ts'

/** Bytes, where nothing else is declared. */
export const LIMIT = 25_000_000

const size = z.number().int().min(1).max(20_000).nullish().catch(null)
const versionSchema = z.object({
  name: z.string().regex(/^[\w-]{1,64}$/),
  output: z
    .object({
      format: z.enum(['jpeg', 'png', 'webp', 'avif']).nullish().catch(null),
      quality: z.number().int().min(1).max(100).nullish().catch(null),
    })
    .nullish(),
  resize: z
    .object({
      width: size,
      height: size,
      fit: z.enum(['cover', 'contain', 'fill', 'inside', 'outside']).catch('cover').optional(),
    })
    .nullish(),
})
const optionsSchema = z.object({
  acl: z.enum(['public', 'private']).catch('public').optional(),
  /** Kilobytes. */
  content_length: z.object({ lte: z.number().positive().optional() }).nullish().catch(null),
  versions: z.array(versionSchema).max(10).nullish().catch(null),
})

/** The options of an upload property. What its declaration gets wrong counts as not there. */
export function keepOptionsOf({ type, options }: PropertyDef): KeepOptions {
  const read = optionsSchema.safeParse(options ?? {})
  const { acl = 'public', content_length: length, versions } = read.success ? read.data : {}
  return {
    acl,
    limit: Math.min(LIMIT, (length?.lte ?? Number.POSITIVE_INFINITY) * 1000),
    types: type === 'photo' ? ['image/*'] : null,
    versions: Object.fromEntries((versions ?? []).map((version) => [version.name, versionOf(version)])),
  }
}

function versionOf({ output, resize }: z.infer<typeof versionSchema>): ImageVersion {
  return {
    width: resize?.width ?? null,
    height: resize?.height ?? null,
    fit: resize?.fit ?? 'cover',
    format: output?.format ?? null,
    quality: output?.quality ?? null,
  }
}

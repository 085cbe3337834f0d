/** Leave to send one file: what is given to a browser, and what it must bring back with the file. */
import * as z from 'zod'
import type { UploadTerms } from './model.ts'
import { newKey } from './names.ts'
import type { Signer } from './signature.ts'

/** Where files are sent to. */
export const UPLOADS = '/api/uploads'
/** Seconds that a leave is good for. */
const GOOD_FOR = 3_600

const version = z.object({
  width: z.number().nullable(),
  height: z.number().nullable(),
  fit: z.enum(['cover', 'contain', 'fill', 'inside', 'outside']),
  format: z.enum(['jpeg', 'png', 'webp', 'avif']).nullable(),
  quality: z.number().nullable(),
  position: z.string().exactOptional(),
  background: z.string().exactOptional(),
  withoutEnlargement: z.boolean().exactOptional(),
  greyscale: z.boolean().exactOptional(),
  blur: z.number().nullable().exactOptional(),
  flatten: z.union([z.boolean(), z.string()]).exactOptional(),
})

const policySchema = z.object({
  key: z.string().regex(/^[\da-f]{32}$/),
  /** Seconds since 1970. */
  until: z.number(),
  acl: z.enum(['public', 'private']),
  least: z.number(),
  limit: z.number(),
  types: z.array(z.string()).nullable(),
  versions: z.record(z.string(), version),
})

export interface UploadGrant extends UploadTerms {
  /** Key that the file is kept under. */
  readonly key: string
}

export function presign(signer: Signer, terms: UploadTerms): { url: string; fields: Record<string, string> } {
  const key = newKey()
  const { acl, least, limit, types, versions } = terms
  const policy: z.infer<typeof policySchema> = {
    key,
    until: Math.floor(Date.now() / 1000) + GOOD_FOR,
    acl,
    least,
    limit,
    types: types === null ? null : [...types],
    versions: { ...versions },
  }
  const text = Buffer.from(JSON.stringify(policy)).toString('base64url')
  return {
    url: UPLOADS,
    fields: {
      key: `${key}/\${filename}`,
      acl,
      policy: text,
      'x-amz-signature': signer.sign('send', text),
      success_action_status: '201',
    },
  }
}

/** Reads a leave that comes back; null for one that we never gave, or that is over. */
export function readLeave(signer: Signer, policy: string, signature: string): UploadGrant | null {
  if (!signer.verify('send', policy, signature)) return null
  const read = policySchema.safeParse(parsed(Buffer.from(policy, 'base64url').toString()))
  if (!read.success || read.data.until < Date.now() / 1000) return null
  return read.data
}

// What an older version of us has signed may have another shape.
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Upload policies: the permission to upload one file, which a browser receives and returns with the file. */
import * as z from 'zod'
import type { UploadReceipt, UploadTerms } from './model.ts'
import { newKey } from './names.ts'
import type { Signer } from './signature.ts'

/** Path that files are uploaded to. */
export const UPLOADS = '/api/uploads'
/** Lifetime of a policy in seconds. */
const LIFETIME = 3_600

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

/** What a file is sent for. A property takes it from nobody else. */
const receiptSchema = z.object({
  /** See `Uploader.names`. */
  names: z.array(z.string()),
  /** See `UploadOwner`. */
  owner: z.string(),
  property: z.string(),
  /** Sizes and types that the site's author has set for this upload in place of the property's. */
  least: z.number().nullable(),
  limit: z.number().nullable(),
  types: z.array(z.string()).nullable(),
})

/** Reads the receipt of a stored file; null for a file that was not uploaded for a property. */
export function readReceipt(stored: unknown): UploadReceipt | null {
  const read = receiptSchema.safeParse(stored)
  return read.success ? read.data : null
}

const policySchema = z.object({
  key: z.string().regex(/^[\da-f]{32}$/),
  /** Seconds since 1970. */
  until: z.number(),
  acl: z.enum(['public', 'private']),
  least: z.number(),
  limit: z.number(),
  types: z.array(z.string()).nullable(),
  versions: z.record(z.string(), version),
  receipt: receiptSchema.exactOptional(),
})

export interface UploadGrant extends UploadTerms {
  /** Key to store the file under. */
  readonly key: string
}

export function presign(signer: Signer, terms: UploadTerms): { url: string; fields: Record<string, string> } {
  const key = newKey()
  const { acl, least, limit, types, versions, receipt } = terms
  const policy: z.infer<typeof policySchema> = {
    key,
    until: Math.floor(Date.now() / 1000) + LIFETIME,
    acl,
    least,
    limit,
    types: types === null ? null : [...types],
    versions: { ...versions },
    ...(receipt !== undefined && { receipt: plain(receipt) }),
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

function plain(receipt: UploadReceipt): z.infer<typeof receiptSchema> {
  const { names, types } = receipt
  return { ...receipt, names: [...names], types: types === null ? null : [...types] }
}

/** Verifies a returned policy; null when it is not signed by this server or has expired. */
export function readGrant(signer: Signer, policy: string, signature: string): UploadGrant | null {
  if (!signer.verify('send', policy, signature)) return null
  const read = policySchema.safeParse(parsed(Buffer.from(policy, 'base64url').toString()))
  if (!read.success || read.data.until < Date.now() / 1000) return null
  return read.data
}

// A policy signed by another version may have another shape.
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

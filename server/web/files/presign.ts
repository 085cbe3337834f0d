/**
 * Upload policies. A policy permits the upload of one file. The browser receives it and sends it back with the file.
 */
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

/** The purpose of an upload. Only the same uploader can claim the file for a property. */
const receiptSchema = z.object({
  /** Identities of the uploader; see `Uploader.names`. */
  names: z.array(z.string()),
  /** The property that the file is uploaded for; see `UploadOwner`. */
  owner: z.string(),
  property: z.string(),
  /** Sizes and types that the site's author has set for this upload instead of the property's rules. */
  least: z.number().nullable(),
  limit: z.number().nullable(),
  types: z.array(z.string()).nullable(),
})

/** Reads the receipt of a stored file. Returns null for a file that was not uploaded for a property. */
export function readReceipt(storedValue: unknown): UploadReceipt | null {
  const parsed = receiptSchema.safeParse(storedValue)
  return parsed.success ? parsed.data : null
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

/** The verified permission for one upload. */
export interface UploadGrant extends UploadTerms {
  /** Key to store the file under. */
  readonly key: string
}

/** Creates the URL and the form fields of an upload. */
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
    ...(receipt !== undefined && { receipt: toJson(receipt) }),
  }
  const encodedPolicy = Buffer.from(JSON.stringify(policy)).toString('base64url')
  return {
    url: UPLOADS,
    fields: {
      key: `${key}/\${filename}`,
      acl,
      policy: encodedPolicy,
      'x-amz-signature': signer.sign('send', encodedPolicy),
      success_action_status: '201',
    },
  }
}

function toJson(receipt: UploadReceipt): z.infer<typeof receiptSchema> {
  const { names, types } = receipt
  return { ...receipt, names: [...names], types: types === null ? null : [...types] }
}

/** Verifies a policy. Returns null when its signature is invalid or it has expired. */
export function readGrant(signer: Signer, policy: string, signature: string): UploadGrant | null {
  if (!signer.verify('send', policy, signature)) return null
  const result = policySchema.safeParse(parseJson(Buffer.from(policy, 'base64url').toString()))
  if (!result.success || result.data.until < Date.now() / 1000) return null
  return result.data
}

// Parses JSON. Returns null for invalid JSON.
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

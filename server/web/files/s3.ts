/** Stores files in an S3-compatible store. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { AwsClient } from 'aws4fetch'
import type { S3Settings } from '../../core/settings.ts'
import { contentDisposition } from './disposition.ts'
import type { FileStore } from './model.ts'
import { encodePath } from './names.ts'
import { readUploadPath } from '../../../runtime/data/values/upload-path.ts'

/** Lifetime in seconds of the signed URLs that visitors are redirected to. */
const URL_LIFETIME = 300
/** Timeout of a request in milliseconds. */
const TIMEOUT = 60_000

/** Creates the store. */
export function createS3Store(settings: S3Settings): FileStore {
  const { endpoint, bucket, region, publicUrl } = settings
  const client = new AwsClient({
    accessKeyId: settings.key,
    secretAccessKey: settings.secret,
    service: 's3',
    region,
    retries: 2,
  })
  const urlOf = (path: string): string => {
    if (readUploadPath(path) === null) throw new Error(`not a path of a file: ${JSON.stringify(path.slice(0, 200))}`)
    return `${endpoint}/${encodeURIComponent(bucket)}/${encodePath(path)}`
  }
  return {
    async put(path, file, contentType) {
      const { size } = await stat(file)
      const headers = {
        'content-type': contentType,
        'content-length': String(size),
        // The content is not signed, because the file is streamed, and signing would read it twice.
        'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
        'content-disposition': contentDisposition(path, contentType),
        'cache-control':
          readUploadPath(path)?.acl === 'private' ? 'private, max-age=300' : 'public, max-age=31536000, immutable',
      }
      const url = urlOf(path)
      const signed = await client.sign(url, { method: 'PUT', headers })
      const response = await fetch(url, {
        method: 'PUT',
        headers: { ...Object.fromEntries(signed.headers), 'content-length': String(size) },
        body: Readable.toWeb(createReadStream(file)) as ReadableStream,
        duplex: 'half',
        signal: AbortSignal.timeout(TIMEOUT),
      } as RequestInit)
      await requireSuccess(response, 'PUT')
    },
    async remove(path) {
      const response = await client.fetch(urlOf(path), { method: 'DELETE', signal: AbortSignal.timeout(TIMEOUT) })
      if (response.status !== 404) await requireSuccess(response, 'DELETE')
    },
    async find(path) {
      if (readUploadPath(path) === null) return null
      const url = new URL(urlOf(path))
      url.searchParams.set('X-Amz-Expires', String(URL_LIFETIME))
      const signed = await client.sign(url.href, { method: 'GET', aws: { signQuery: true } })
      return { kind: 'elsewhere', url: signed.url }
    },
    direct(path) {
      if (publicUrl === null || readUploadPath(path)?.acl !== 'public') return null
      return `${publicUrl}/${encodePath(path)}`
    },
  }
}

/** Name of the test object. */
const PROBE = 'ingot-doctor'
/** Timeout of the test in milliseconds. */
const PROBE_TIMEOUT = 8_000

/**
 * Writes a test object into the bucket and removes it.
 * @throws Error when the store refuses it
 */
export async function checkBucket({ endpoint, bucket, region, key, secret }: S3Settings): Promise<void> {
  const client = new AwsClient({ accessKeyId: key, secretAccessKey: secret, service: 's3', region, retries: 0 })
  const url = `${endpoint}/${encodeURIComponent(bucket)}/${PROBE}`
  for (const method of ['PUT', 'DELETE']) {
    const body = method === 'PUT' ? { body: 'ok' } : {}
    await requireSuccess(
      await client.fetch(url, { method, ...body, signal: AbortSignal.timeout(PROBE_TIMEOUT) }),
      method,
    )
  }
}

async function requireSuccess(response: Response, method: string): Promise<void> {
  const text = await response.text()
  if (response.ok) return
  const code = /<Code>([^<]{1,80})<\/Code>/.exec(text)?.[1] ?? response.statusText
  throw new Error(`the file store refused a ${method}: ${response.status} ${code}`)
}

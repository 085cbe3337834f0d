/** Signed URLs for large files, which are sent apart from other requests. A client with such a URL may use it for a while, without a token. */
import { readSecret } from '../../web/graphql/values/secrets.ts'
import { createSigner, type Signer } from '../../web/files/signature.ts'
import type { Request } from '../../web/http/message.ts'
import type { ReadySettings } from '../../core/settings.ts'
import type { Bearer } from '../../data/store/tokens.ts'

/** What a URL permits: to send one file, or files below a folder; or to check whether a file exists. */
export type AddressUse = 'send' | 'see'

/** Seconds until a URL expires. */
const URL_LIFETIME = 3_600
const FILES = '/api/private/urls/files'

/** The bearer of requests with a signed URL. */
export const ADDRESSED: Bearer = { id: null, name: 'a signed URL', scope: 'deploy', user: null }

export class Addresses {
  readonly #signer: Signer

  constructor({ secret, dataFolder }: Pick<ReadySettings, 'secret' | 'dataFolder'>) {
    this.#signer = createSigner(readSecret(secret, dataFolder))
  }

  /** Returns the URL of a file, on the requested host. @param key of the file, or of the folder that files are sent to */
  address(use: AddressUse, { protocol, host }: Pick<Request, 'protocol' | 'host'>, key: string): string {
    const path = `${FILES}/${encodeURIComponent(key)}`
    const expires = String(Math.floor(Date.now() / 1000) + URL_LIFETIME)
    const signature = this.#signer.sign(use, `${path}\n${expires}`)
    return `${protocol}://${host}${path}?expires=${expires}&signature=${signature}`
  }

  /**
   * Returns the file key in a signed URL, on any host; null for all other URLs. The URL may have expired, because it was valid when its
   * client received it.
   */
  keyIn(address: string, use: AddressUse = 'see'): string | null {
    if (!URL.canParse(address)) return null
    const { pathname, searchParams } = new URL(address)
    if (!pathname.startsWith(`${FILES}/`)) return null
    const text = `${pathname}\n${searchParams.get('expires') ?? ''}`
    if (!this.#signer.verify(use, text, searchParams.get('signature') ?? '')) return null
    return decodeURIComponent(pathname.slice(FILES.length + 1))
  }

  /** Returns whether a request uses a valid signed URL for its purpose. */
  isGranted(use: AddressUse, request: Request, key: string): boolean {
    const query = new URLSearchParams(request.query)
    const expires = query.get('expires') ?? ''
    const text = `${FILES}/${encodeURIComponent(key)}\n${expires}`
    return this.#signer.verify(use, text, query.get('signature') ?? '') && Number(expires) > Date.now() / 1000
  }
}

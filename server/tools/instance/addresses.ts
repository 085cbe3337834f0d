/**
 * Addresses that are given out for files which are sent apart from the rest, because they are large. Whoever has such an address may use
 * it for a while, without a token.
 */
import { readSecret } from '../../web/graphql/values/secrets.ts'
import { createSigner, type Signer } from '../../web/files/signature.ts'
import type { Request } from '../../web/http/message.ts'
import type { ReadySettings } from '../../core/settings.ts'
import type { Bearer } from '../../data/store/tokens.ts'

/** What an address is for: to send one file or files below a folder, or to see whether a file is there. */
export type AddressUse = 'send' | 'see'

/** Seconds that an address is good for. */
const LIFETIME = 3_600
const FILES = '/api/private/urls/files'

/** Whoever has an address that was given out. */
export const ADDRESSED: Bearer = { id: null, name: 'an address that was given out', scope: 'deploy' }

export class Addresses {
  readonly #signer: Signer

  constructor({ secret, dataFolder }: Pick<ReadySettings, 'secret' | 'dataFolder'>) {
    this.#signer = createSigner(readSecret(secret, dataFolder))
  }

  /** The address of a file, on the host that was asked. @param key of the file, or of the folder that files are sent to */
  address(use: AddressUse, { protocol, host }: Pick<Request, 'protocol' | 'host'>, key: string): string {
    const path = `${FILES}/${encodeURIComponent(key)}`
    const expires = String(Math.floor(Date.now() / 1000) + LIFETIME)
    const signature = this.#signer.sign(use, `${path}\n${expires}`)
    return `${protocol}://${host}${path}?expires=${expires}&signature=${signature}`
  }

  /**
   * The key of the file that such an address is for, on whatever host it is named; null for all other addresses. It may have expired: it
   * was good when whoever had it named it.
   */
  keyIn(address: string, use: AddressUse = 'see'): string | null {
    if (!URL.canParse(address)) return null
    const { pathname, searchParams } = new URL(address)
    if (!pathname.startsWith(`${FILES}/`)) return null
    const text = `${pathname}\n${searchParams.get('expires') ?? ''}`
    if (!this.#signer.verify(use, text, searchParams.get('signature') ?? '')) return null
    return decodeURIComponent(pathname.slice(FILES.length + 1))
  }

  /** Whether a request came by an address that was given out for what it does. */
  isGranted(use: AddressUse, request: Request, key: string): boolean {
    const query = new URLSearchParams(request.query)
    const expires = query.get('expires') ?? ''
    const text = `${FILES}/${encodeURIComponent(key)}\n${expires}`
    return this.#signer.verify(use, text, query.get('signature') ?? '') && Number(expires) > Date.now() / 1000
  }
}

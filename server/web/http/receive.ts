/** Receives the bodies of requests. Each kind of body has its own limits, and all clients share disk and memory. */
import type { IncomingMessage } from 'node:http'
import { clientAddress } from './client.ts'
import { holdBody } from './held-body.ts'
import { BadRequest } from './message.ts'
import { type ReserveSpace, type ReceivedBody, receiveParts } from './multipart.ts'
import type { RequestLog } from './request-log.ts'
import { SharedCapacity } from './shared-capacity.ts'
import { receiveWhole, type StoredBodies } from './stored-body.ts'

export interface Uploads {
  /** Folder for uploaded files until their request is answered. */
  readonly folder: string
  /** Maximum size of a file in bytes. */
  readonly limit: number
  /**
   * Maximum total size in bytes of all uploads in progress, shared by all clients. By default forty times the largest
   * file.
   */
  readonly together?: number
}

interface ReceiverOptions {
  /** Number of trusted proxies; see `ListenOptions`. */
  readonly proxies: number
  readonly bodyLimit: number
  readonly uploads: Uploads
  readonly storedBodies?: StoredBodies
  readonly log: RequestLog
}

/** Maximum total size in bytes of all bodies in memory except small ones. At least this number of bodies of the maximum size must fit. */
const BODIES = 64 * 1024 * 1024
const LARGEST_BODIES = 4

type Disposable = Pick<ReceivedBody, 'dispose'>

/**
 * Receives the bodies of a listener. For a body that cannot be read, the error is returned, so that the handler answers in
 * the format that the client expects.
 */
export class Receiver {
  readonly #options: ReceiverOptions
  readonly #received = new WeakMap<IncomingMessage, Disposable>()
  /** In bytes. */
  readonly #disk: SharedCapacity
  readonly #memory: SharedCapacity

  constructor(options: ReceiverOptions) {
    const { uploads, storedBodies, bodyLimit } = options
    this.#options = options
    this.#disk = new SharedCapacity(uploads.together ?? Math.max(40 * uploads.limit, 2 * (storedBodies?.limit ?? 0)))
    this.#memory = new SharedCapacity(Math.max(BODIES, LARGEST_BODIES * bodyLimit))
  }

  /** Size of the largest body in bytes. */
  get largest(): number {
    const { uploads, bodyLimit } = this.#options
    return 4 * uploads.limit + bodyLimit
  }

  /** Receives a form with files. */
  form(message: IncomingMessage): Promise<ReceivedBody | BadRequest> {
    const { uploads, bodyLimit } = this.#options
    const { folder, limit } = uploads
    const limits = { folder, file: limit, texts: bodyLimit, total: this.largest }
    return this.#keep(message, receiveParts(message, { ...limits, reserve: this.#reserveFor(message) }))
  }

  /**
   * Receives a body of any kind as files.
   * @param limit maximum size of a body in bytes
   */
  stored(message: IncomingMessage, limit: number): Promise<ReceivedBody | BadRequest> {
    const { folder } = this.#options.uploads
    const reserve = this.#reserveFor(message)
    const isForm = /^multipart\/form-data/i.test(message.headers['content-type'] ?? '')
    const form = { folder, file: limit, texts: limit, total: limit, reserve }
    const bodyLimits = { folder, limit, reserve }
    return this.#keep(message, isForm ? receiveParts(message, form) : receiveWhole(message, bodyLimits))
  }

  /** Receives any other body. */
  async inMemory(message: IncomingMessage): Promise<Uint8Array | BadRequest> {
    const limits = { limit: this.#options.bodyLimit, discarded: this.largest, capacity: this.#memory }
    const heldBody = await this.#keep(
      message,
      holdBody(message, { ...limits, address: clientAddress(message, this.#options.proxies) }),
    )
    return heldBody instanceof BadRequest ? heldBody : heldBody.body
  }

  /** Removes the files of an answered request, and releases its memory and disk space. */
  dispose(message: IncomingMessage): void {
    void this.#received.get(message)?.dispose()
  }

  #reserveFor(message: IncomingMessage): ReserveSpace {
    return (onRevoke) => this.#disk.reserve(clientAddress(message, this.#options.proxies), onRevoke)
  }

  async #keep<Body extends Disposable>(message: IncomingMessage, receiving: Promise<Body>): Promise<Body | BadRequest> {
    try {
      const body = await receiving
      this.#received.set(message, body)
      return body
    } catch (error) {
      if (!(error instanceof BadRequest)) throw error
      const { uploads, log } = this.#options
      if (error.cause !== undefined) log.error({}, `The disk of '${uploads.folder}' is full: free some space.`)
      return error
    }
  }
}

/** Downloads for templates: the filter `download_file`. */
import { ArgumentFault } from '../../../runtime/page/fault.ts'
import type { FetchPort } from '../../../runtime/page/services.ts'
import type { Span } from '../contracts/tracer.ts'
import { type Outgoing, OutgoingFailure, outgoingWithin } from './outgoing.ts'

const TIMEOUT = 8_000
const REDIRECTS = 3

/**
 * Creates the port of the filter `download_file`.
 * @param outgoing a client whose address filter applies to URLs of templates
 */
export function createFetchPort(outgoing: Outgoing): FetchPort {
  return {
    async download(url, maxBytes) {
      const downloadFault = (reason: string): ArgumentFault => new ArgumentFault(`download_file filter - ${reason}`)
      try {
        const { status, body } = await outgoing.send({ url, timeout: TIMEOUT, limit: maxBytes, redirects: REDIRECTS })
        if (status === 200) return body
        throw downloadFault(`the file cannot be fetched: the server responded with status ${status}`)
      } catch (error) {
        if (!(error instanceof OutgoingFailure)) throw error
        if (error.reason === 'large') throw downloadFault(`the file is larger than ${maxBytes} bytes`)
        throw downloadFault(`the file cannot be fetched: ${error.message}`)
      }
    },
  }
}

/** Creates a port whose downloads belong to a span, if there is one. */
export function fetchWithin(outgoing: Outgoing, span: Span | null): FetchPort {
  return createFetchPort(span === null ? outgoing : outgoingWithin(outgoing, span))
}

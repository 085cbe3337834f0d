/** Whether a request comes from the machine that the site is developed on. */
import type { Request } from '../http/message.ts'

// A name that resolves to this machine today may have been another's a moment ago: only its own names are believed.
const OWN_NAME = /^(?:localhost|[\w-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i
const OWN_ADDRESS = /^(?:127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/i

/** By its address, and by the name that its sender has for us. */
export function isLocal(request: Request): boolean {
  return OWN_ADDRESS.test(request.ip) && OWN_NAME.test(request.host)
}
